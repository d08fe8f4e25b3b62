/** Judges the message of a commit, which is data: git is to record it as it is, and never to read an option from it. */
import { failure, type Failure } from '../model/failure.ts';

const MOST_BYTES = 1024 * 1024;

/** Refuses (`INPUT_INVALID`) what git could not record as it is; null is admitted. */
export function refuseMessage(message: string): Failure | null {
  const why = message.includes('\0')
    ? 'holds a NUL, which ends a message for git'
    : !message.isWellFormed()
      ? 'is not well-formed Unicode'
      : message.trim() === ''
        ? 'is empty'
        : Buffer.byteLength(message) > MOST_BYTES
          ? `is longer than ${MOST_BYTES} bytes`
          : null;
  return why === null ? null : failure('INPUT_INVALID', `message ${why}.`);
}
