/** What undo_fix asks and answers, in the field names of the wire; the command line prints the same report. */
import type { Failure, FailureCode } from './failure.ts';
import type { UndoFacts } from './undo-facts.ts';
import type { DiskState, GitState, Revision } from './write-facts.ts';
import type { WriteFixReport } from './write-report.ts';

export interface UndoRequest {
  readonly writeId: string;
  readonly repoRoot?: string | undefined;
}

export interface UndoReport extends UndoFacts {
  readonly success: boolean;
  readonly error: string | null;
  readonly error_code?: FailureCode;
  readonly hint?: string;
  readonly disk_state: DiskState;
  readonly notes: readonly string[];
  /** The undo's own id, by which it can be undone in turn. */
  readonly write_id?: string;
  readonly git_state?: GitState;
  readonly backup?: string | null;
  readonly sha256_before?: string;
  readonly sha256_after?: string;
  readonly sha256_found?: string;
  readonly revision?: Revision;
}

/** Takes from the report of the write that an undo is what an undo says of itself. */
export function undoReport(report: WriteFixReport, said: UndoFacts): UndoReport {
  const { success, error, error_code, hint, disk_state, notes, write_id, git_state, backup } = report;
  const { sha256_before, sha256_after, sha256_found, revision } = report;
  return {
    success,
    error,
    disk_state,
    notes,
    ...said,
    ...(error_code === undefined ? {} : { error_code }),
    ...(hint === undefined ? {} : { hint }),
    ...(write_id === undefined ? {} : { write_id }),
    ...(git_state === undefined ? {} : { git_state }),
    ...(backup === undefined ? {} : { backup }),
    ...(sha256_before === undefined ? {} : { sha256_before }),
    ...(sha256_after === undefined ? {} : { sha256_after }),
    ...(sha256_found === undefined ? {} : { sha256_found }),
    ...(revision === undefined ? {} : { revision }),
  };
}

/** Lays a failure out as the flat report of the wire; the file counts as unchanged unless the details say otherwise. */
export function reportOfUndoFailure({ code, message, hint, details }: Failure): UndoReport {
  const { report = {}, undo } = details;
  const base: WriteFixReport = {
    test_output: null,
    rolled_back: false,
    disk_state: code === 'INTERNAL' ? 'unknown' : 'unchanged',
    notes: [],
    ...report,
    ...(details.sha256_found === undefined ? {} : { sha256_found: details.sha256_found }),
    success: false,
    error: message,
    error_code: code,
    hint,
  };
  return undoReport(base, { undoes: null, ...undo });
}
