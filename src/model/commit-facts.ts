/** What can be known of a commit of named files, in the field names of the wire. */
import type { Revision } from './write-facts.ts';

export const FILE_CHANGES = ['added', 'modified', 'deleted', 'type_changed'] as const;

/** One path in which a commit differs from its parent. */
export interface CommittedFile {
  /** Relative to the worktree of the repository, with `/`. */
  readonly path: string;
  readonly change: (typeof FILE_CHANGES)[number];
  /** Object that the commit holds under the path; null for a deletion. */
  readonly blob: string | null;
  /** As git writes it, `100644` say; null for a deletion. */
  readonly mode: string | null;
}

/** A file that does not hold what was expected of it. */
export interface FileDifference {
  readonly path: string;
  /** Null: it should not be there. */
  readonly sha256_expected: string | null;
  /** Null: it is not there. */
  readonly sha256_found: string | null;
  /** `first_look`: it changed while the commit was being prepared. */
  readonly expected_by: 'caller' | 'write_fix' | 'first_look';
}

/** What can be known of a commit, whether or not it came about. */
export interface CommitFacts {
  /** Id of the new commit; null where none was made. */
  readonly commit: string | null;
  readonly parent: string | null;
  /** Null for a detached HEAD, or where it was not found out. */
  readonly branch: string | null;
  readonly files: readonly CommittedFile[];
  /** What git, its hooks and its signer printed; null where none of them ran. */
  readonly output: string | null;
  readonly notes: readonly string[];
  readonly output_uri?: string;
  readonly differences?: readonly FileDifference[];
  /** Paths that a hook changed. */
  readonly hook_changes?: readonly string[];
  readonly revision?: Revision;
}
