/** Words for the shadow tree: a stand-in for the repository in which a change is tried out and then thrown away. */
import type { Result } from './result.ts';
import type { RunWrapper } from './run.ts';

/** `overlay`: mounted over the repository's own path, nothing copied; `copy`: a copy elsewhere. */
export type ShadowTier = 'overlay' | 'copy';

export interface ShadowFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Null for a file that the tree does not have. */
  readonly bytes: Uint8Array | null;
  /** Permission bits; null keeps those of the file that is replaced, or the user's default for a new file. */
  readonly mode: number | null;
}

export interface ShadowTree {
  readonly tier: ShadowTier;
  /** Why it is not a better tier, in one sentence; null for the best. */
  readonly reason: string | null;
  /** The tree as a command in it sees it: the repository's own path for an overlay. Commands start in it. */
  readonly root: string;
  /** An empty folder outside the tree, for what a run leaves behind; goes with the tree. */
  readonly runFolder: string;
  /** Milliseconds from the call to the ready tree. */
  readonly preparedMs: number;
  /** What is not kept from the real files, a sentence each; complete once the wrapper of a suite is known. */
  readonly notes: readonly string[];
  /** What our own programs, which only read, are run with; null where the runner's own containment is all there is. */
  readonly examinerWrapper: RunWrapper | null;
  /**
   * What anything else must be run with, known once every link of the tree has been looked at. Fails with
   * `SHADOW_UNAVAILABLE` where what they lead to cannot be kept from a suite.
   */
  readonly suiteWrapper: () => Promise<Result<RunWrapper | null>>;
  /** Puts bytes in place of a file of the tree, between runs; its mode stays. */
  readonly write: (path: string, bytes: Uint8Array) => void;
  /** Bytes of a changed file as the tree holds it now; null where the suite removed or replaced it. */
  readonly read: (path: string) => Buffer | null;
  /** Removes the tree and everything a suite left in it; may be called again. Never before a run in it has ended. */
  readonly dispose: () => Promise<void>;
}
