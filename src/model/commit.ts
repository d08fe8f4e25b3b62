/** What a git_commit call asks and answers, in the field names of the wire; the command line prints the same report. */
import type { CommitFacts } from './commit-facts.ts';
import type { Failure, FailureCode } from './failure.ts';

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
