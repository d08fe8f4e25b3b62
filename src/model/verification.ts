/** What is kept of a verification so that exactly what it verified can be written later, once. */
import type { Verdict } from './verdict.ts';

export interface VerificationRecord {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly createdMs: number;
  /** Real path of the root. */
  readonly root: string;
  readonly files: readonly {
    readonly path: string;
    /** Null for a file that the change creates. */
    readonly sha256Before: string | null;
    readonly sha256After: string;
  }[];
  /** Digest of the tree that was measured. */
  readonly treeDigest: string;
  /** Commit of HEAD; null outside git and on an unborn branch. */
  readonly head: string | null;
  /** The test command as it was given or found; null where none ran. */
  readonly command: string | null;
  readonly verdict: Verdict;
}

/** How long a verification may be written, in milliseconds. */
export const VERIFICATION_LIFE_MS = 3_600_000;
