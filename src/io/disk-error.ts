/** Says what a broken disk or a missing permission means to the caller; anything else is thrown on as it came. */
import { constants } from 'node:os';
import { failure, type Failure } from '../model/failure.ts';

const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** The errno name of a system error (`ENOSPC`), or null for any other value. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  if (/^E[A-Z0-9]+$/u.test(error.code)) return error.code;
  // Node has no name for some errors of the system, EDQUOT among them, and gives only the number.
  if (!('errno' in error) || typeof error.errno !== 'number') return null;
  const number = Math.abs(error.errno);
  return Object.entries(constants.errno).find(([, value]) => value === number)?.[0] ?? `E${number}`;
}

/** Turns a system error into a failure; `doing` completes the sentence "The disk refused …". Throws what is not one. */
export function diskFailure(error: unknown, doing: string): Failure {
  const errno = errnoOf(error);
  if (errno === null) throw error;
  return failure(FULL.includes(errno) ? 'NO_SPACE' : 'DISK_FAILED', `The disk refused ${doing} (${errno}).`);
}
