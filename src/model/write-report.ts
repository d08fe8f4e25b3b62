/** What a write_fix call asks and answers, in the field names of the wire; the command line prints the same report. */
import type { Failure, FailureCode } from './failure.ts';
import { fail, ok, type Result } from './result.ts';
import type { WriteFacts } from './write-facts.ts';

export interface WriteFixRequest {
  readonly diff: string;
  readonly filePath: string;
  readonly repoRoot?: string | undefined;
  readonly testCommand?: string | undefined;
  /** Command prefixes of the caller; empty or absent means the built-in list. */
  readonly allowedTestCommands?: readonly string[] | undefined;
  readonly expectedSha256?: string | undefined;
  readonly dryRun?: boolean | undefined;
  /** The verdict that a shadow tree must give before anything is written. */
  readonly verifyFirst?: 'safe' | 'not_unsafe' | undefined;
  /** Writes exactly what this verification verified. */
  readonly verificationId?: string | undefined;
  /** What the caller calls the root and the file, for messages; as the tool does where nothing is said. */
  readonly argumentNames?: { readonly root: string; readonly file: string };
}

export interface WriteFixReport extends WriteFacts {
  readonly success: boolean;
  readonly error: string | null;
  readonly error_code?: FailureCode;
  readonly hint?: string;
}

/**
 * Lays a failure out as the flat report of the wire. The file counts as unchanged unless the failure's details say
 * otherwise; after a breakdown of ours (`INTERNAL`) nothing is claimed about it.
 */
export function reportOfFailure(failure: Failure): WriteFixReport {
  const { report, ...located } = failure.details;
  return {
    test_output: null,
    rolled_back: false,
    disk_state: failure.code === 'INTERNAL' ? 'unknown' : 'unchanged',
    notes: [],
    ...located,
    ...report,
    success: false,
    error: failure.message,
    error_code: failure.code,
    hint: failure.hint,
  };
}

/** Adds notes around those that an answer has, whether it is a report or a failure. */
export function withNotes(
  answer: Result<WriteFixReport>,
  before: readonly string[],
  after: readonly string[] = [],
): Result<WriteFixReport> {
  if (before.length === 0 && after.length === 0) return answer;
  if (answer.ok) return ok({ ...answer.value, notes: [...before, ...answer.value.notes, ...after] });
  const { details } = answer.failure;
  const report = { ...details.report, notes: [...before, ...(details.report?.notes ?? []), ...after] };
  return fail({ ...answer.failure, details: { ...details, report } });
}
