/** What every use-case works with: the host, and what the operator allowed when the process started. */
import type { Policy } from '../engine/command/allow.ts';
import type { RootPolicy } from '../engine/root-policy.ts';
import type { Host } from '../io/host.ts';
import type { RootSight } from '../model/overview.ts';
import type { Result } from '../model/result.ts';
import type { SavedResult } from '../model/saved-result.ts';
import type { ShadowTier } from '../model/shadow.ts';
import type { Revisions } from './revisions.ts';
import type { SavedRuns } from './saved-runs.ts';
import type { RootLooks } from './root-looks.ts';
import type { Verifications } from './verifications.ts';

export interface Product {
  readonly host: Host;
  /** The compiled allowlists; compiled at the first need, unless the operator had a say in them. */
  readonly policy: () => Result<Policy>;
  /** A caller's list of commands may only narrow the policy. */
  readonly isAllowlistLocked: boolean;
  readonly rootPolicy: RootPolicy;
  readonly revisions: Revisions;
  /** False for a process that is gone before anybody could come back with the revision of a receipt. */
  readonly takesReceipts: boolean;
  /** How long a test command may run, its end by force included. */
  readonly testTimeoutMs: number;
  /** The tier of shadow tree that the operator wants; null for the best that works. */
  readonly shadowTier: ShadowTier | null;
  readonly verifications: Verifications;
  /** The verifications of what is on disk. */
  readonly savedRuns: SavedRuns<SavedResult>;
  /** The looks of repo_overview. */
  readonly rootLooks: RootLooks<RootSight>;
}
