/** The facts a write leaves behind, in the field names of the wire: successes and failures both carry them. */
import type { HunkConflict } from './hunk-conflict.ts';
import type { Isolation } from './isolation.ts';
import type { Verdict, VerifyReport } from './verdict.ts';

/** `unknown` only where the program itself broke down: whoever reads it has to look at the file. */
export const DISK_STATES = ['unchanged', 'patched', 'rolled_back', 'conflict', 'unknown'] as const;

export type DiskState = (typeof DISK_STATES)[number];

/** `clean`: HEAD and index hold exactly the bytes on disk. Ignored files count as `untracked`. */
export const GIT_STATES = ['clean', 'modified', 'untracked', 'no_repo'] as const;

export type GitState = (typeof GIT_STATES)[number];

export interface TestRun {
  /** The program as it was found, then the arguments as they were given. */
  readonly command: readonly string[];
  /** Null when a signal ended the run. */
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly timed_out: boolean;
  readonly duration_ms: number;
  readonly output_bytes: number;
  readonly output_truncated: boolean;
  /** Where the whole output can be read. */
  readonly output_uri: string;
}

export interface Revision {
  readonly epoch: string;
  readonly revision: number;
}

export interface WriteFacts {
  readonly test_output: string | null;
  readonly rolled_back: boolean;
  readonly disk_state: DiskState;
  readonly notes: readonly string[];
  readonly git_state?: GitState;
  /** Path of the retained backup beside the file, relative to the root; null when git holds the exact bytes. */
  readonly backup?: string | null;
  readonly sha256_before?: string;
  readonly sha256_after?: string;
  /** What the file holds when it is neither what was expected nor what was written. */
  readonly sha256_found?: string;
  readonly write_id?: string;
  readonly revision?: Revision;
  readonly tests?: TestRun;
  readonly isolation?: Isolation;
  readonly conflicts?: readonly HunkConflict[];
  readonly suggested_diff?: string;
  /** The change as a diff, in a dry run. */
  readonly diff?: string;
  /** The verification that the write stood on. */
  readonly verified?: { readonly verification_id: string; readonly verdict: Verdict };
  /** With `verify_first`: what the shadow tree showed. */
  readonly verdict?: VerifyReport;
}
