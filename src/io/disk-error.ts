/** Says what a broken disk or a missing permission means to the caller; anything else is thrown on as it came. */
import { failure, type Failure } from '../model/failure.ts';

/** The errno name of a system error (`ENOSPC`), or null for any other value. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  return /^E[A-Z0-9]+$/u.test(error.code) ? error.code : null;
}

/** Turns a system error into a failure; `doing` completes the sentence "The disk refused …". Throws what is not one. */
export function diskFailure(error: unknown, doing: string): Failure {
  const errno = errnoOf(error);
  if (errno === null) throw error;
  const full = errno === 'ENOSPC' || errno === 'EDQUOT' || errno === 'EFBIG';
  return failure(full ? 'NO_SPACE' : 'DISK_FAILED', `The disk refused ${doing} (${errno}).`);
}
