/** A small Node project with real runners: its files are probed as the engine would, run, and what the agents wrote is read. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { placeProbes, type Part } from '../../src/engine/evidence/place-probes.ts';
import { passing } from '../../src/engine/evidence/judge-parts.ts';
import { readProbeHits } from '../../src/engine/formats/probe-hits.ts';
import { readTestEvents, type TestReading } from '../../src/engine/formats/test-events.ts';
import { javascript } from '../../src/engine/languages/javascript/javascript.ts';
import type { ProjectFacts } from '../../src/engine/languages/language.ts';
import { examine } from '../../src/examiners/javascript/examine.ts';
import type { ExaminedFile } from '../../src/model/examination.ts';
import {
  COVERAGE_FOLDER,
  PROBES_FOLDER,
  TESTS_FOLDER,
  type CoverageReading,
  type ProbeHit,
} from '../../src/model/suite.ts';
import { nodeToolchain } from './node-toolchain.ts';
import { REPOSITORY } from './source-files.ts';

export interface ProbedPart extends Part {
  readonly text: string;
  readonly hits: readonly ProbeHit[];
}

export interface NodeRun {
  readonly exitCode: number | null;
  readonly output: string;
  readonly tests: TestReading;
  /** Every statement and arm of the changed files, with what hit its probe. */
  readonly parts: readonly ProbedPart[];
  readonly examined: readonly ExaminedFile[];
  readonly coverage: CoverageReading;
}

export interface NodeProject {
  readonly root: string;
  /** Runs a command with every probe in the files named `changed`. */
  readonly run: (
    argv: readonly string[],
    changed: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => NodeRun;
  readonly facts: ProjectFacts;
  readonly dispose: () => void;
}

const LONGEST_MS = 120_000;

export function nodeProject(files: Readonly<Record<string, string>>): NodeProject {
  const base = mkdtempSync(join(tmpdir(), 'node-project-'));
  const root = join(base, 'project');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  symlinkSync(nodeToolchain(), join(root, 'node_modules'));
  const facts = factsOf(root);
  return {
    root,
    facts,
    run: (argv, changed, env = {}) => run(base, root, facts, argv, changed, env),
    dispose: () => {
      rmSync(base, { recursive: true, force: true });
    },
  };
}

function factsOf(root: string): ProjectFacts {
  return {
    read: (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null),
    list: (folder) =>
      existsSync(join(root, folder))
        ? readdirSync(join(root, folder), { withFileTypes: true }).map(
            (entry) => entry.name + (entry.isDirectory() ? '/' : ''),
          )
        : [],
    hasProgram: () => true,
    hasPackageProgram: () => true,
  };
}

function run(
  base: string,
  root: string,
  facts: ProjectFacts,
  argv: readonly string[],
  changed: readonly string[],
  env: Readonly<Record<string, string>>,
): NodeRun {
  const runFolder = mkdtempSync(join(base, 'run-'));
  for (const folder of [TESTS_FOLDER, PROBES_FOLDER, COVERAGE_FOLDER]) mkdirSync(join(runFolder, folder));
  const texts = changed.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const { files: examined } = examine({
    root,
    files: texts.map(({ path, text }) => ({ path, before: null, after: Buffer.from(text).toString('base64') })),
    searchFolders: [],
  });
  let first = 1;
  const placed = examined.map(({ path, after }, index) => {
    const text = texts[index]?.text ?? '';
    const every = { statements: [...after.statements.keys()], arms: [...after.arms.keys()] };
    const probed = placeProbes(path, text, after, every, first);
    first += 1 + probed.parts.length;
    writeFileSync(join(root, path), probed.text ?? text);
    return { text, parts: probed.parts };
  });
  const places = { root, runFolder, runtimeFolder: join(REPOSITORY, 'runtime'), changedFiles: changed };
  const own = { PATH: process.env['PATH'] ?? '', HOME: base, CI: '1', ...env };
  const { arguments: words, environment } = javascript.instrument(argv, facts, places, own);
  const [program = '', ...rest] = [...argv, ...words];
  const all = { ...own, ...environment, SUREPATCH_RUN: runFolder };
  const ended = spawnSync(program, rest, { cwd: root, env: all, encoding: 'utf8', timeout: LONGEST_MS });
  for (const { path, text } of texts) writeFileSync(join(root, path), text);
  const files = readFiles(runFolder);
  const below = (folder: string) =>
    [...files].filter(([path]) => path.startsWith(`${folder}/`)).map(([, bytes]) => bytes);
  const hits = readProbeHits(below(PROBES_FOLDER));
  const tests = readTestEvents(below(TESTS_FOLDER));
  return {
    exitCode: ended.status,
    output: ended.stdout + ended.stderr,
    tests,
    parts: placed.flatMap(({ text, parts }) =>
      parts.map((part) => ({
        ...part,
        text: text.slice(part.span.start, part.span.end),
        hits: part.probe === null ? [] : (hits.get(part.probe) ?? []),
      })),
    ),
    examined,
    coverage: javascript.readCoverage(files, examined, places, passing(tests)),
  };
}

function readFiles(folder: string): ReadonlyMap<string, Uint8Array> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(folder, path), readFileSync(path)];
    }),
  );
}
