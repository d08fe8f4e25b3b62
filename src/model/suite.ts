/** What an instrumented run of a suite leaves behind, in one form for all runners. */

/**
 * Folders of one run, all outside the tree. A runtime agent of ours, in whatever process the suite starts, finds them by
 * the variable `SUREPATCH_RUN`, which holds the path of their parent.
 */
export const RUN_VARIABLE = 'SUREPATCH_RUN';
/** Names a file with the ids of the only tests to run, one a line; agents that cannot select run all. */
export const ONLY_VARIABLE = 'SUREPATCH_ONLY';
/** Holds files of one JSON object a line, each a `TestEvent`; a process appends to a file of its own. */
export const TESTS_FOLDER = 'tests';
/** Holds files of lines `number TAB phase TAB test id`; see `ProbeHit`. A process appends to a file of its own. */
export const PROBES_FOLDER = 'probes';
/** Holds whatever the coverage source writes. */
export const COVERAGE_FOLDER = 'coverage';

export type TestOutcome = 'passed' | 'failed' | 'skipped' | 'expected_failure' | 'unexpected_pass';

export type TestEvent =
  | {
      readonly event: 'session';
      readonly runner: string;
      /** Number of tests that the runner found before it selected any; null where it does not say. */
      readonly collected: number | null;
      /** Number of found tests that options or configuration left out. */
      readonly deselected: number | null;
    }
  | {
      readonly event: 'test';
      /** The same test has the same id in every run. */
      readonly id: string;
      readonly outcome: TestOutcome;
      /** The runner's own words for a failure or a skip, at most 4,000 characters. */
      readonly message: string | null;
      /** Path of the test file relative to the root, where it is known. */
      readonly file: string | null;
      readonly durationMs: number | null;
    }
  | {
      readonly event: 'error';
      /** The runner could not load or collect this (a file, a suite). */
      readonly id: string;
      readonly message: string;
    };

/** `load`: while a module was being loaded; `test`: while a test ran, or in a child process that a test started. */
export type ProbePhase = 'load' | 'test';

export interface ProbeHit {
  readonly probe: number;
  readonly phase: ProbePhase;
  /** The running test, where the runner tells; else the test file; else empty. */
  readonly testId: string;
}

export interface TestCase {
  readonly id: string;
  /** How often it was reported: two tests of one name, or one test in two environments. */
  readonly times: number;
  readonly outcome: TestOutcome;
  readonly message: string | null;
  readonly file: string | null;
}

/** All tests of one run; of a test that was reported twice the worse outcome counts. */
export interface TestReport {
  readonly runner: string | null;
  readonly tests: readonly TestCase[];
  readonly errors: readonly { readonly id: string; readonly message: string }[];
  readonly deselected: number;
}

/** What is kept of a run without any change. */
export interface Baseline {
  readonly ending: 'green' | 'red';
  readonly tests: TestReport;
}

/** What the language's own coverage source saw of one changed file. */
export interface CoverageWitness {
  readonly path: string;
  /** False where no process measured the shadow tree's copy. */
  readonly isMeasured: boolean;
  /** Other files of the same name that were loaded instead, absolute. */
  readonly otherCopies: readonly string[];
  /**
   * One entry for each statement of the analysis of the file after. True: it ran, and, if it is part of a body, while a
   * test ran that passed. False: it did not. Null: the source cannot tell one from the other.
   */
  readonly executed: readonly (boolean | null)[];
}

/**
 * `no_source`: there is none for this run, which says nothing of what ran; `not_loaded`: it was there, and no process that
 * it saw loaded a changed file; `broken`: what it says does not fit what is known otherwise.
 */
export type CoverageGap = 'no_source' | 'not_loaded' | 'broken';

export interface CoverageReading {
  /** `coverage.py`, `v8`, `vitest`, `jest`; `none` where nothing was measured. */
  readonly tool: string;
  /** Why nothing was measured, in one sentence; null where something was. */
  readonly unavailable: string | null;
  /** The kind of that reason; null where something was measured. */
  readonly gap: CoverageGap | null;
  readonly files: readonly CoverageWitness[];
}
