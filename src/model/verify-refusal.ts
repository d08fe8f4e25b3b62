/** What verify_change says where no verdict can be given, in the field names of the wire; the command line prints the same. */
import type { Failure, FailureCode } from './failure.ts';
import type { HunkConflict } from './hunk-conflict.ts';
import type { BadPath } from './path-rule.ts';
import type { Freshness } from './revision.ts';
import type { Wait } from './saved-verification.ts';

export interface VerifyRefusal {
  readonly error: string;
  readonly error_code: FailureCode;
  readonly hint: string;
  readonly conflicts?: readonly HunkConflict[];
  readonly suggested_diff?: string;
  readonly bad_path?: BadPath;
  readonly freshness?: Freshness;
  readonly wait?: Wait;
  readonly retryable?: boolean;
}

/** Lays a failure out in the field names of the wire. */
export function refusalOf({ message, code, hint, details }: Failure): VerifyRefusal {
  const { conflicts, suggested_diff: suggested, bad_path: bad, saved } = details;
  return {
    error: message,
    error_code: code,
    hint,
    ...(conflicts === undefined ? {} : { conflicts }),
    ...(suggested === undefined ? {} : { suggested_diff: suggested }),
    ...(bad === undefined ? {} : { bad_path: bad }),
    ...(saved === undefined ? {} : { freshness: saved.freshness, retryable: saved.retryable }),
    ...(saved?.wait == null ? {} : { wait: saved.wait }),
  };
}
