/** Runs a suite once in a shadow tree, seen by our runtime agents → tests, probe hits and coverage, and how it ended. */
import { join } from 'node:path';
import { passing } from '../engine/evidence/judge-parts.ts';
import { readProbeHits } from '../engine/formats/probe-hits.ts';
import { readTestEvents, type TestReading } from '../engine/formats/test-events.ts';
import { languages } from '../engine/languages/index.ts';
import type { RunPlaces } from '../engine/languages/language.ts';
import type { SuiteEnding } from '../engine/verdict.ts';
import type { CallContext } from '../model/call-context.ts';
import type { ExaminedFile } from '../model/examination.ts';
import type { RunOutcome } from '../model/run.ts';
import {
  ONLY_VARIABLE,
  PROBES_FOLDER,
  RUN_VARIABLE,
  TESTS_FOLDER,
  type CoverageReading,
  type ProbeHit,
} from '../model/suite.ts';
import type { SuiteTree } from './baseline-tree.ts';
import type { Product } from './product.ts';

export interface SuiteRun {
  readonly ending: SuiteEnding;
  readonly outcome: RunOutcome;
  readonly outputId: string;
  /** As it was started, with the words that were added to it. */
  readonly command: readonly string[];
  readonly tests: TestReading;
  readonly hits: ReadonlyMap<number, readonly ProbeHit[]>;
  readonly coverage: readonly CoverageReading[];
}

export interface SuiteOrder {
  /** Changed files that were examined; their coverage is read. */
  readonly examined: readonly ExaminedFile[];
  /** Name of the run's folder, once in a tree. */
  readonly label: string;
  /** The only tests to run, by their ids; null for all. */
  readonly only: readonly string[] | null;
}

/** The same grace as for a test run of write_fix: a server must be gone within a second of being told to stop. */
const CANCEL_GRACE_MS = 250;
/** A shell's exit code for a program that it cannot find. */
const COMMAND_NOT_FOUND = 127;

/** Runs the suite; whatever its agents wrote is read, however it ended. */
export async function runSuite(
  { host, testTimeoutMs }: Product,
  { tree, suite: { command, project }, wrapper }: SuiteTree,
  { examined, label, only }: SuiteOrder,
  call: CallContext,
): Promise<SuiteRun> {
  const runFolder = host.makeRunFolder(tree.runFolder, label);
  const changedFiles = examined.map(({ path }) => path);
  const places = (folder: string): RunPlaces => ({ root: tree.root, runFolder, runtimeFolder: folder, changedFiles });
  let env: Readonly<Record<string, string>> = command.env;
  const added: string[] = [];
  for (const language of languages) {
    const seen = language.instrument(command.argv, project, places(host.runtimeFolder), env);
    env = { ...env, ...seen.environment };
    added.push(...seen.arguments);
  }
  const outputId = host.newId();
  const state = host.state();
  const outputPath = state.ok ? state.value.outputs.add(outputId) : join(runFolder, 'output');
  const outcome = await host.runner.run({
    command: [...command.command, ...added],
    cwd: tree.root,
    env: {
      ...env,
      [RUN_VARIABLE]: runFolder,
      ...(only === null ? {} : { [ONLY_VARIABLE]: host.writeOnly(runFolder, only) }),
    },
    outputPath,
    timeoutMs: testTimeoutMs,
    graceMs: CANCEL_GRACE_MS,
    signal: call.signal,
    wrapper: wrapper ?? undefined,
  });
  const { files, isComplete } = host.readRunFiles(runFolder);
  const below = (folder: string) =>
    [...files].filter(([path]) => path.startsWith(`${folder}/`)).map(([, bytes]) => bytes);
  const tests = readTestEvents(below(TESTS_FOLDER));
  const isPassing = passing(tests);
  const isReadable = isComplete && tests.unreadable === 0;
  return {
    ending: endingOf(outcome, tests, isReadable),
    outcome,
    outputId,
    command: [...command.command, ...added],
    tests,
    hits: readProbeHits(below(PROBES_FOLDER)),
    coverage: languages.map((language) =>
      language.readCoverage(
        files,
        examined.filter(({ path }) => language.owns(path)),
        places(host.runtimeFolder),
        isPassing,
      ),
    ),
  };
}

/** Exit code 0 is green only if no test says otherwise, and a red one stays red whatever the tests say. */
function endingOf({ ending, exitCode, output }: RunOutcome, tests: TestReading, isReadable: boolean): SuiteEnding {
  switch (ending) {
    case 'timed_out':
      return 'timed_out';
    case 'not_started':
      return 'not_started';
    case 'cancelled':
    case 'output_limit':
      return 'incomplete';
    case 'exited': {
      const isMissing = exitCode === COMMAND_NOT_FOUND || languages.some((language) => language.saysMissing(output));
      if (exitCode !== 0 && tests.runner === null && isMissing) return 'not_started';
      if (exitCode !== 0) return 'red';
      const isBad = tests.errors.length > 0 || tests.tests.some(({ outcome }) => outcome === 'failed');
      if (isBad) return 'red';
      return isReadable ? 'green' : 'incomplete';
    }
  }
}
