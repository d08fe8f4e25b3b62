/**
 * A lock that is a file opened with O_EXLOCK, for macOS and the BSDs (not run on either): the kernel ties it to the open
 * file and frees it with the process, so there is no stale lock to take over. The file is empty and is never removed,
 * for two processes could then each lock a file of that name. Waiters ask again on a timer.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { errnoOf } from './disk-error.ts';
import type { HeldLock, KernelLock } from './kernel-lock.ts';
import { pause } from './waiting.ts';

// O_EXLOCK has this value on macOS and the BSDs; node:fs passes the number on but has no name for it.
const EXCLUSIVE_LOCK = 0x20;
const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | constants.O_NOFOLLOW | EXCLUSIVE_LOCK;
const ASK_AGAIN_MS = 50;

/** Makes the lock of one file, whose folder exists. */
export function exclusiveFile(path: string): KernelLock {
  return {
    tryHold: () => Promise.resolve(open(path)),
    holderGone: (signal) => pause(ASK_AGAIN_MS, signal),
  };
}

function open(path: string): HeldLock | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, FLAGS, 0o600);
  } catch (error) {
    if (errnoOf(error) === 'EAGAIN') return null;
    throw error;
  }
  // Somebody removed the file between our opening and locking it: this lock would exclude nobody.
  if (lstatSync(path, { throwIfNoEntry: false })?.ino !== fstatSync(descriptor).ino) {
    closeSync(descriptor);
    return null;
  }
  return {
    letGo: () => {
      closeSync(descriptor);
      return Promise.resolve();
    },
  };
}
