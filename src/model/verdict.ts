/**
 * The words of a verdict and the report of verify_change, in the field names of the wire. `verify-diff --json` prints the
 * same report.
 */
import type { Isolation } from './isolation.ts';

export type Verdict = 'SAFE' | 'UNSAFE' | 'UNPROVEN';

/** Shape of the report; a reader checks it before relying on a field. */
export const REPORT_VERSION = 1;
/** Rules behind the verdict; raised whenever the same evidence can give another one. */
export const ENGINE_VERSION = 1;

/** What only the saved form of verify_change can find. */
export const SAVED_REASON_CODES = [
  'nothing_changed',
  'file_deleted',
  'revision_not_verified',
  'newer_edits_pending',
] as const;

/** Why a verdict is what it is. Codes are added freely and renamed never. */
export const REASON_CODES = [
  'verified',
  'syntax_error',
  'import_broken',
  'tests_failed',
  'timeout_introduced',
  'tree_moved',
  'no_test_command',
  'runner_missing',
  'run_incomplete',
  'timed_out',
  'no_tests_ran',
  'tests_not_counted',
  'baseline_red',
  'suite_narrowed',
  'scope_unknown',
  'tests_lost',
  'tests_skipped',
  'tests_flaky',
  'tests_changed',
  'shadow_bypassed',
  'coverage_unknown',
  'not_exercised',
  'only_excluded',
  'not_measurable',
  ...SAVED_REASON_CODES,
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

export const GATE_STATUSES = ['passed', 'failed', 'not_checked', 'skipped', 'unmeasured'] as const;

export interface GateReport {
  readonly passed: boolean;
  readonly durationMs: number;
  /** Why a failed gate blocks: its first findings. */
  readonly blockingReason?: string;
  /** `not_checked`: no checker for these files; `skipped`: an earlier gate had failed; `unmeasured`: it could not be run. */
  readonly status: (typeof GATE_STATUSES)[number];
  /** Everything that the change introduced, at most 50. */
  readonly findings?: readonly { readonly file: string; readonly line: number; readonly message: string }[];
}

export interface FileLine {
  readonly file: string;
  readonly line: number;
}

export interface CoverageReport {
  readonly tool: string;
  readonly changedLinesCovered: boolean | 'unknown';
  readonly uncovered: readonly FileLine[];
  readonly filesWithUncovered: number;
  readonly changedStatements: { readonly total: number; readonly covered: number };
  readonly inertOnlyFiles: readonly string[];
  readonly removalOnlyFiles?: readonly string[];
  readonly unknownReason?: string;
  /** Files of which only probes tell, and why no coverage source does. */
  readonly probesAlone?: readonly string[];
  readonly uncoveredTruncated?: Truncated;
  /** What exactly is missing: each statement and each arm, with the start of its text where that is known. */
  readonly notExercised?: readonly (FileLine & {
    readonly what: string;
    readonly text?: string;
    readonly why: string;
  })[];
  readonly notExercisedTruncated?: Truncated;
  /** Definitions that count though no test is known to have run them: their file was loaded. */
  readonly loadedOnly?: readonly FileLine[];
  readonly loadedOnlyTruncated?: Truncated;
}

export interface Truncated {
  readonly shown: number;
  readonly total: number;
}

export interface TestsReport {
  /** Program as it was found, then the arguments. */
  readonly command: readonly string[];
  readonly runner: string | null;
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** At most 50. */
  readonly failures: readonly { readonly id: string; readonly message: string }[];
  readonly exit_code: number | null;
  readonly timed_out: boolean;
  readonly output_uri: string;
}

export interface ShadowReport {
  readonly tier: 'overlay' | 'copy';
  readonly preparedMs: number;
  /** Why no better tier runs; null for the best one. */
  readonly why: string | null;
}

export interface VerifyReport {
  readonly verdict: Verdict;
  readonly reportVersion: number;
  readonly gates: { readonly syntax: GateReport; readonly imports: GateReport; readonly tests: GateReport };
  readonly changedFiles: readonly string[];
  readonly testFilesChanged: readonly string[];
  readonly coverage: CoverageReport;
  readonly reason: string;
  readonly missingTests: readonly { readonly file: string; readonly hint: string }[];
  readonly missingTestsTruncated?: Truncated;
  readonly flakyTests?: readonly string[];
  readonly reasonCode: ReasonCode;
  /** What to do to get a better verdict; null where there is none. */
  readonly next: string | null;
  readonly engineVersion: number;
  /** Names this verification for an hour: write_fix writes exactly what it verified. Null where nothing may be written by it. */
  readonly verification_id: string | null;
  readonly shadow: ShadowReport;
  readonly isolation: Isolation | null;
  readonly tests: TestsReport | null;
  /** The same suite without the change; null where it did not run. */
  readonly baseline: {
    readonly total: number;
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
  } | null;
  readonly preexistingFailures: readonly string[];
  readonly notes: readonly string[];
  readonly durationMs: number;
  readonly cached?: { readonly ageMs: number };
}
