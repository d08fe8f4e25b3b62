/** What verify_change says where no verdict can be given, in the field names of the wire; the command line prints the same. */
import type { Failure, FailureCode } from './failure.ts';
import type { HunkConflict } from './hunk-conflict.ts';

export interface VerifyRefusal {
  readonly error: string;
  readonly error_code: FailureCode;
  readonly hint: string;
  readonly conflicts?: readonly HunkConflict[];
  readonly suggested_diff?: string;
}

/** Lays a failure out in the field names of the wire. */
export function refusalOf({ message, code, hint, details }: Failure): VerifyRefusal {
  const { conflicts, suggested_diff: suggested } = details;
  return {
    error: message,
    error_code: code,
    hint,
    ...(conflicts === undefined ? {} : { conflicts }),
    ...(suggested === undefined ? {} : { suggested_diff: suggested }),
  };
}
