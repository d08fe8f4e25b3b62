/** What is kept of a verification of what is on disk, for later answers and as a baseline; gone with the process. */
import type { BaselineIdentity, Difference, Disappearance, SavedFinding } from './saved-verification.ts';
import type { Baseline } from './suite.ts';
import type { VerifyReport } from './verdict.ts';

export interface SavedResult {
  readonly id: string;
  /** When the run began, in milliseconds since 1970. */
  readonly startedMs: number;
  readonly report: VerifyReport;
  /** Normalised paths that were judged. */
  readonly scope: readonly string[];
  readonly stateId: string;
  readonly head: string | null;
  readonly command: string | null;
  /** A print of what is installed for the project. */
  readonly installed: string;
  readonly baseline: BaselineIdentity;
  /** How the suite went; null where it did not run to its end. */
  readonly run: Baseline | null;
  readonly findings: readonly SavedFinding[];
  readonly regressions: readonly Difference[];
  readonly fixes: readonly Difference[];
  readonly disappeared: readonly Disappearance[];
  readonly caveats: readonly string[];
}
