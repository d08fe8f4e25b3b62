/** Gathers what the coverage sources of a run left behind: V8's counts by our agent, or the reports of Vitest and jest. */
import { posix } from 'node:path';
import type { ExaminedFile } from '../../../model/examination.ts';
import {
  COVERAGE_FOLDER,
  PROBES_FOLDER,
  type CoverageGap,
  type CoverageReading,
  type CoverageWitness,
} from '../../../model/suite.ts';
import type { Passing } from '../../evidence/judge-parts.ts';
import type { RunFiles, RunPlaces } from '../language.ts';
import { copiesOf } from './other-copies.ts';
import { executedByIstanbul } from './istanbul-coverage.ts';
import { entries, field, items, parseJson, text } from './json.ts';
import { executedByV8, readV8Script, type V8Script } from './v8-coverage.ts';

const REPORTS = ['vitest', 'jest'] as const;

export function readCoverage(
  files: RunFiles,
  examined: readonly ExaminedFile[],
  places: RunPlaces,
  isPassing: Passing,
): CoverageReading {
  const at = (name: string): unknown => parseJson(files.get(`${COVERAGE_FOLDER}/${name}`));
  const { scripts, others } = readAgentFiles(files);
  for (const tool of REPORTS) {
    const report = at(`${tool}/coverage-final.json`);
    if (report === null) continue;
    const sources = at('sources.json');
    const witnesses = examined.map((file) => istanbulWitness(file, report, sources, places, others));
    const told = hasChildren(files) ? witnesses.map(withoutNever) : witnesses;
    return { tool, unavailable: null, gap: null, files: told };
  }
  // V8 knows no tests, so what ran in one was run by a passing one only where all of them passed.
  const haveAllPassed = isPassing('') === true;
  const witnesses = examined.map((file) => v8Witness(file, { scripts, haveAllPassed }, places, others));
  if (scripts.length > 0) {
    const told = hasUnmeasured(files) ? witnesses.map(withoutNever) : witnesses;
    return { tool: 'v8', unavailable: null, gap: null, files: told };
  }
  const isBypassed = witnesses.some(({ otherCopies }) => otherCopies.length > 0);
  const [unavailable, gap] = whyNone({ vitest: at('vitest.json'), jest: at('jest.json') }, isBypassed);
  return { tool: 'none', unavailable, gap, files: witnesses };
}

/** Runners that measure by themselves do not see the processes that their tests start. */
function hasChildren(files: RunFiles): boolean {
  return [...files.keys()].some((path) => path.startsWith(`${PROBES_FOLDER}/child-`));
}

/** A process that was killed leaves its hits and no counts. */
function hasUnmeasured(files: RunFiles): boolean {
  return [...files.keys()].some((path) => {
    const name = /^probes\/(?:child-)?(\d+-\d+)-/u.exec(path)?.[1];
    return name !== undefined && !files.has(`${COVERAGE_FOLDER}/v8-${name}.json`);
  });
}

/** Where some process was not measured, what the others never ran may have run there. */
function withoutNever(witness: CoverageWitness): CoverageWitness {
  return { ...witness, executed: witness.executed.map((executed) => (executed === false ? null : executed)) };
}

function readAgentFiles(files: RunFiles): {
  readonly scripts: readonly V8Script[];
  readonly others: readonly string[];
} {
  const scripts: V8Script[] = [];
  const others: string[] = [];
  for (const [path, bytes] of files) {
    if (path.startsWith(`${COVERAGE_FOLDER}/others-`)) others.push(...linesOf(bytes));
    if (!/^coverage\/v8-[^/]*\.json$/u.test(path)) continue;
    for (const entry of items(field(parseJson(bytes), 'files'))) {
      const [other, script] = [text(field(entry, 'other')), readV8Script(entry)];
      if (other !== null) others.push(other);
      else if (script !== null) scripts.push(script);
    }
  }
  return { scripts, others: [...new Set(others)].sort() };
}

function v8Witness(
  { path, after }: ExaminedFile,
  { scripts: all, haveAllPassed }: { readonly scripts: readonly V8Script[]; readonly haveAllPassed: boolean },
  { root }: RunPlaces,
  others: readonly string[],
): CoverageWitness {
  const scripts = all.filter((script) => script.path === path);
  const isMeasured = scripts.length > 0;
  const executed = isMeasured ? executedByV8(scripts, after, haveAllPassed) : after.statements.map(() => null);
  return { path, isMeasured, otherCopies: copiesOf(path, root, others), executed };
}

function istanbulWitness(
  { path, after }: ExaminedFile,
  report: unknown,
  sources: unknown,
  places: RunPlaces,
  others: readonly string[],
): CoverageWitness {
  const own = entries(report).find(([file]) => posix.relative(places.root, file) === path)?.[1];
  const probed = text(field(sources, path));
  const isMeasured = own !== undefined && probed !== null;
  const executed = isMeasured ? executedByIstanbul(own, probed, after) : after.statements.map(() => null);
  return { path, isMeasured, otherCopies: copiesOf(path, places.root, others), executed };
}

function linesOf(bytes: Uint8Array): readonly string[] {
  return Buffer.from(bytes)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

function whyNone(
  told: { readonly vitest: unknown; readonly jest: unknown },
  isBypassed: boolean,
): readonly [string, CoverageGap] {
  if (isBypassed) return ['No process loaded a changed file; other files of the same name were loaded.', 'broken'];
  if (field(told.vitest, 'enabled') === false) {
    return [
      'Vitest measured no coverage: @vitest/coverage-v8 is not installed, or the project has rules of its own for it.',
      'no_source',
    ];
  }
  if (field(told.jest, 'enabled') === false) {
    return ['jest measured no coverage, because the project has rules of its own for it.', 'no_source'];
  }
  return ['No process that could be measured loaded a changed file.', 'not_loaded'];
}
