/** What repo_overview asks and answers, in the field names of the wire; the command line prints the same report. */
import type { Failure, FailureCode } from './failure.ts';
import type { HistoryKind } from './history.ts';
import type { Isolation } from './isolation.ts';
import type { Freshness } from './revision.ts';
import type { ShadowTier } from './shadow.ts';
import type { ReasonCode, Verdict } from './verdict.ts';

/**
 * `latest_available`: looks anew and answers after a moment with what there is by then. `wait_until_indexed`: waits for a
 * look that begins after the call. `allow_stale`: an earlier look will do, and none is started where there is one.
 */
export const CONSISTENCIES = ['latest_available', 'wait_until_indexed', 'allow_stale'] as const;

export type Consistency = (typeof CONSISTENCIES)[number];

export const MOST_WAIT_MS = 120_000;

/** How long a call waits unless it says so itself. */
export const DEFAULT_WAITS_MS = {
  latest_available: 200,
  wait_until_indexed: 30_000,
  allow_stale: 0,
} as const satisfies Readonly<Record<Consistency, number>>;

export interface OverviewRequest {
  readonly repoRoot?: string | undefined;
  readonly consistency?: Consistency | undefined;
  readonly minRevision?: number | undefined;
  readonly epoch?: string | undefined;
  readonly waitMs?: number | undefined;
}

/** `stale`: an older look is shown and no newer one is under way. */
export const INDEX_STATES = ['indexing', 'ready', 'stale', 'failed'] as const;

/** How the look that the answer is made from stands to what was asked. */
export interface OverviewIndex {
  readonly state: (typeof INDEX_STATES)[number];
  /** Revision that the look had seen; null where there is none yet. */
  readonly revision: number | null;
  /** True when the look had seen the floor of the call; without a floor, when it began after the call. */
  readonly satisfied: boolean;
  /** When the look began, ISO 8601. */
  readonly as_of: string | null;
  /** Why the newest attempt to look came to nothing. */
  readonly error: string | null;
}

export interface Wait {
  readonly requested_ms: number | null;
  readonly effective_ms: number;
  readonly waited_ms: number;
  readonly timed_out: boolean;
}

export interface ChangedPath {
  /** Relative to the root. */
  readonly path: string;
  /** The two letters of `git status --porcelain=v2`, index and worktree; `??` for untracked. */
  readonly status: string;
}

export const MOST_CHANGED_SHOWN = 50;

/** What git says of the root, without running anything that the repository names. */
export interface GitOverview {
  /** Null for a detached HEAD. */
  readonly branch: string | null;
  /** Null on a branch without a commit. */
  readonly head: string | null;
  readonly detached: boolean;
  /** What waits to be continued or given up; null where nothing does. */
  readonly operation: string | null;
  readonly upstream: string | null;
  /** Null without an upstream, or where counting would take long. */
  readonly ahead: number | null;
  readonly behind: number | null;
  readonly staged_count: number;
  readonly modified_count: number;
  readonly untracked_count: number;
  readonly unmerged_count: number;
  readonly change_count: number;
  /** At most 50 of them. */
  readonly changes: readonly ChangedPath[];
}

export interface LanguageFiles {
  readonly language: string;
  readonly files: number;
}

export interface SuiteOverview {
  readonly language: string;
  readonly command: string;
  /** The file and words that say so. */
  readonly because: string;
  /** False where the project names it and its runner is not there. */
  readonly installed: boolean;
  /** Whether the list of commands allows it. */
  readonly allowed: boolean;
  /** Why it cannot run as things are; null where it can. */
  readonly problem: string | null;
}

export interface ShadowOverview {
  readonly tier: ShadowTier;
  /** Why it is not a better one; null for the best. */
  readonly reason: string | null;
}

/** What one look at a root saw. */
export interface RootSight {
  readonly git: GitOverview | null;
  readonly fileCount: number;
  readonly languages: readonly LanguageFiles[];
  readonly suites: readonly SuiteOverview[];
  readonly isolation: Isolation;
  readonly shadow: ShadowOverview;
  readonly notes: readonly string[];
}

export interface VerifiedOverview {
  readonly id: string;
  readonly at: string;
  readonly verdict: Verdict | null;
  readonly reason_code: ReasonCode | null;
  readonly command: string | null;
  readonly paths: readonly string[];
}

export const MOST_RECENT = 10;
export const MOST_PATHS_SHOWN = 20;

export interface RecentWrite {
  readonly id: string;
  readonly kind: HistoryKind;
  readonly at: string;
  readonly outcome: string;
  /** At most 20 of them. */
  readonly paths: readonly string[];
}

export interface Overview {
  readonly root: string;
  readonly index: OverviewIndex;
  readonly wait: Wait;
  readonly freshness: Freshness;
  /** Null without a repository, and while the first look is under way. */
  readonly git: GitOverview | null;
  /** Null while the first look is under way. */
  readonly file_count: number | null;
  readonly languages: readonly LanguageFiles[] | null;
  readonly suites: readonly SuiteOverview[] | null;
  readonly allowed_commands: readonly string[];
  readonly isolation: Isolation | null;
  readonly shadow: ShadowOverview | null;
  readonly last_verified: VerifiedOverview | null;
  readonly recent_writes: readonly RecentWrite[];
  /** What the rest does not say by itself. */
  readonly caveats: readonly string[];
}

export interface OverviewRefusal {
  readonly error: string;
  readonly error_code: FailureCode;
  readonly hint: string;
}

/** One flat shape for both, as it is published. */
export type OverviewAnswer = Partial<Overview> & Partial<OverviewRefusal>;

/** What is shown for a call that was refused. */
export function refusalOfOverview({ code, message, hint }: Failure): OverviewRefusal {
  return { error: message, error_code: code, hint };
}
