/** What the saved form of verify_change asks and answers, in the field names of the wire. */
import type { Freshness } from './revision.ts';
import type { Truncated, Verdict, VerifyReport } from './verdict.ts';

export const SAVED_BASELINES = ['head', 'last_verified'] as const;

export type SavedBaselineKind = (typeof SAVED_BASELINES)[number];

/** What a caller asks of what is on disk. */
export interface SavedRequest {
  readonly repoRoot?: string | undefined;
  /** Empty or absent: what was touched and is in no result yet, else everything that differs from HEAD. */
  readonly paths?: readonly string[] | undefined;
  readonly minRevision?: number | undefined;
  readonly epoch?: string | undefined;
  readonly waitMs?: number | undefined;
  readonly baseline?: SavedBaselineKind | undefined;
  readonly maxItems?: number | undefined;
  readonly testCommand?: string | undefined;
  readonly fresh?: boolean | undefined;
}

/** The default for a wait in which something was verified before, and in which nothing was; and the longest. */
export const WAITS_MS = { known: 0, first: 30_000, most: 120_000 } as const;
/** Entries of a list where the caller names no number, and the most that may be named. */
export const ITEMS = { shown: 50, most: 1000 } as const;
export const MOST_SCOPE_SHOWN = 50;

export interface Wait {
  /** Null where the caller named none. */
  readonly requested_ms: number | null;
  readonly effective_ms: number;
  readonly waited_ms: number;
  readonly timed_out: boolean;
}

export const DIFFERENCE_CLASSES = ['regression', 'new_failing', 'new_finding', 'fix', 'resolved'] as const;

export interface Difference {
  readonly kind: 'test' | 'finding';
  readonly class: (typeof DIFFERENCE_CLASSES)[number];
  readonly id: string;
  readonly file: string | null;
  readonly line?: number;
  readonly message?: string;
  readonly in_scope: boolean;
}

export const DISAPPEARANCE_CLASSES = ['disappeared', 'lost_check'] as const;

/** A test that passed or failed, and now is not there or skipped: never a fix. */
export interface Disappearance {
  readonly class: (typeof DISAPPEARANCE_CLASSES)[number];
  readonly id: string;
  readonly file: string | null;
  readonly in_scope: boolean;
}

export interface SavedFinding {
  /** The same wherever in its file the line has moved to. */
  readonly id: string;
  readonly tool: string;
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export const BASELINE_KINDS = ['head', 'last_verified', 'none'] as const;

/** What the result was compared with, and whether it can be. */
export interface BaselineIdentity {
  readonly kind: (typeof BASELINE_KINDS)[number];
  /** Of the verification; null for HEAD and for none. */
  readonly id: string | null;
  readonly revision: number | null;
  readonly head: string | null;
  readonly state_id: string | null;
  readonly command: string | null;
  readonly comparable: boolean;
  /** Why not, a word or a sentence each. */
  readonly reasons: readonly string[];
}

export interface LastVerified {
  readonly revision: number;
  readonly verdict: Verdict;
  readonly state_id: string;
}

/** What stands in every answer of the saved form, whether anything was verified or not. */
export interface SavedFields {
  readonly freshness: Freshness;
  readonly wait: Wait;
  /** The newest result, where it is not the one that this answer shows. */
  readonly last_verified: LastVerified | null;
  readonly baseline: (BaselineIdentity & Partial<NonNullable<VerifyReport['baseline']>>) | null;
  readonly state_id: string | null;
  readonly regressions: readonly Difference[];
  readonly fixes: readonly Difference[];
  /** Null where nothing comparable is there to count against. */
  readonly regression_count: number | null;
  readonly fix_count: number | null;
  readonly disappeared: readonly Disappearance[];
  readonly scope_paths: readonly string[];
  readonly scope_path_count: number;
  /** Whether any list of the answer was cut; which ones, `capped` says. */
  readonly truncated: boolean;
  readonly capped: readonly (Truncated & { readonly list: string })[];
  readonly caveats: readonly string[];
}

/** Without a result there are no fields of a report but those that say so. */
export type SavedReport = SavedFields &
  Pick<VerifyReport, 'verdict' | 'reason' | 'reasonCode' | 'next'> &
  Partial<Omit<VerifyReport, 'baseline'>>;

/** What is known besides the sentence when there is no answer. */
export interface SavedFailure {
  readonly freshness: Freshness;
  readonly wait: Wait | null;
  /** True where the same call may be answered later. */
  readonly retryable: boolean;
}
