/** Examines Python files and runs their tests with probes, by the same parts as the product, in a folder of its own. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { placeProbes, type Part } from '../../src/engine/evidence/place-probes.ts';
import { passing } from '../../src/engine/evidence/judge-parts.ts';
import { readProbeHits } from '../../src/engine/formats/probe-hits.ts';
import { readTestEvents, type TestReading } from '../../src/engine/formats/test-events.ts';
import { python } from '../../src/engine/languages/python/python.ts';
import type { ExaminationRequest, Examination } from '../../src/model/examination.ts';
import type { CoverageReading, ProbeHit } from '../../src/model/suite.ts';
import { REPOSITORY } from './source-files.ts';

const RUNTIME = join(REPOSITORY, 'runtime');

/** Path relative to the root → text of the file, which may be bytes. */
export type Texts = Readonly<Record<string, string | Uint8Array>>;

export function writeTexts(root: string, texts: Texts): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** Examines a change; `after` is what stands in the tree already. */
export function examinePython(
  interpreter: string,
  root: string,
  { before, after }: { readonly before: Texts; readonly after: Texts },
  searchFolders: readonly string[] = [],
): Examination {
  const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');
  const files = Object.entries(after).map(([path, text]) => {
    const old = before[path];
    return { path, before: old === undefined ? null : base64(old), after: base64(text) };
  });
  const request: ExaminationRequest = { root, files, searchFolders };
  const place = join(dirname(root), 'request.json');
  writeFileSync(place, JSON.stringify(request));
  const { words } = python.examiner(RUNTIME);
  const { status, stdout, stderr } = spawnSync(interpreter, [...words, place], { encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`The examiner ended with ${String(status)}: ${stderr}`);
  return JSON.parse(stdout) as Examination;
}

export interface ProbedRun {
  readonly exitCode: number | null;
  readonly output: string;
  /** Every statement and arm of a changed file, with what its probe saw. */
  readonly parts: readonly (Part & { readonly text: string; readonly hits: readonly ProbeHit[] })[];
  readonly tests: TestReading;
  readonly coverage: CoverageReading;
}

/** Puts all probes into the changed files of a project and runs a command in it; the files stay as probed. */
export function runProbed(
  interpreter: string,
  root: string,
  changed: readonly string[],
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>> = {},
): ProbedRun {
  const after = Object.fromEntries(changed.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const { files } = examinePython(interpreter, root, { before: {}, after });
  const parts: (Part & { readonly text: string })[] = [];
  let next = 1;
  for (const { path, after: analysis } of files) {
    const all = { statements: [...analysis.statements.keys()], arms: [...analysis.arms.keys()] };
    const text = after[path] ?? '';
    const probed = placeProbes(path, text, analysis, all, next);
    if (probed.text !== null) writeFileSync(join(root, path), probed.text);
    parts.push(...probed.parts.map((part) => ({ ...part, text: text.slice(part.span.start, part.span.end) })));
    next += analysis.statements.length + analysis.arms.length + 1;
  }
  const runFolder = join(dirname(root), 'run');
  for (const folder of ['tests', 'probes', 'coverage']) mkdirSync(join(runFolder, folder), { recursive: true });
  const places = { root, runFolder, runtimeFolder: RUNTIME, changedFiles: changed };
  const project = { read: () => null, list: () => [], hasProgram: () => false, hasPackageProgram: () => false };
  const { environment: own } = python.instrument(command, project, places, environment);
  const env = { PATH: process.env['PATH'], HOME: dirname(root), ...environment, ...own, SUREPATCH_RUN: runFolder };
  const { status, stdout, stderr } = spawnSync(command[0], command.slice(1), { cwd: root, env, encoding: 'utf8' });
  const hits = readProbeHits(filesIn(runFolder, 'probes').values());
  const tests = readTestEvents(filesIn(runFolder, 'tests').values());
  return {
    exitCode: status,
    output: stdout + stderr,
    parts: parts.map((part) => ({ ...part, hits: part.probe === null ? [] : (hits.get(part.probe) ?? []) })),
    tests,
    coverage: python.readCoverage(filesIn(runFolder, 'coverage'), files, places, passing(tests)),
  };
}

function filesIn(runFolder: string, folder: string): ReadonlyMap<string, Uint8Array> {
  const names = readdirSync(join(runFolder, folder));
  return new Map(names.map((name) => [`${folder}/${name}`, readFileSync(join(runFolder, folder, name))]));
}
