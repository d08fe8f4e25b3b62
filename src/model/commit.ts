/** What a git_commit call asks and answers, in the field names of the wire; the command line prints the same report. */
import type { Failure, FailureCode } from './failure.ts';
import type { Revision } from './write-facts.ts';

export interface ExpectedFile {
  /** Relative to the root, as the caller writes it. */
  readonly path: string;
  /** Null for a file that must not be there. */
  readonly sha256: string | null;
}

export interface CommitRequest {
  readonly message: string;
  /** Relative to the root; absent means what write_fix wrote here and nobody has committed since. */
  readonly files?: readonly string[] | undefined;
  readonly repoRoot?: string | undefined;
  readonly expected?: readonly ExpectedFile[] | undefined;
  readonly allowDetached?: boolean | undefined;
  /** Commit what the hooks made of the files, too. */
  readonly allowHookChanges?: boolean | undefined;
}

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
  readonly expected_by: 'caller' | 'write_fix';
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

export interface CommitReport extends CommitFacts {
  readonly success: boolean;
  readonly error: string | null;
  readonly error_code?: FailureCode;
  readonly hint?: string;
}

const NOTHING: CommitFacts = { commit: null, parent: null, branch: null, files: [], output: null, notes: [] };

/** Lays a failure out as the report of the wire. */
export function commitReportOfFailure(failure: Failure): CommitReport {
  return {
    ...NOTHING,
    ...failure.details.commit,
    success: false,
    error: failure.message,
    error_code: failure.code,
    hint: failure.hint,
  };
}
