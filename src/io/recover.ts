/**
 * Settles the writes of one root whose process died: an untested write stays, a write that tests should have judged is
 * taken back, a committed one is tidied up. Runs no git, no test and nothing of the repository. Needs the root's lock.
 */
import { openDirectory, type DirectoryHandle } from './directory-handle.ts';
import { diskFailure, errnoOf } from './disk-error.ts';
import { digestOf } from './held-file.ts';
import type { Journal, PendingWrite, WriteIntent } from './journal.ts';
import { putBack } from './put-back.ts';
import { finish } from './write-transaction.ts';

export interface Unresolved {
  /** Path of the file relative to the root. */
  readonly file: string;
  /** Path of the backup that holds its bytes of before, relative to the root. */
  readonly backup: string;
}

export interface Recovery {
  /** What was done, a sentence each, for the next answer. */
  readonly notes: readonly string[];
  /** Files that hold somebody else's bytes where an untested write of ours was; nothing was touched. */
  readonly unresolved: readonly Unresolved[];
}

/** Settles what is pending in the journal; calling it again changes nothing more. */
export function recover(root: string, journal: Journal): Recovery {
  const pending = journal.pending();
  if (pending === null || pending.some(({ intent }) => intent.root !== root)) {
    const aside = journal.quarantine();
    return {
      notes: [`The journal holds a record that Surepatch did not write; it is set aside in ${aside}.`],
      unresolved: [],
    };
  }
  const notes: string[] = [];
  const unresolved: Unresolved[] = [];
  for (const write of pending) {
    const settled = settle(write, journal);
    if (typeof settled === 'string') notes.push(settled);
    else unresolved.push(settled);
  }
  return { notes, unresolved };
}

function settle(write: PendingWrite, journal: Journal): string | Unresolved {
  const { intent } = write;
  const file = [...intent.folder, intent.name].join('/');
  const folder = openSame(intent);
  if (folder === null) {
    journal.settle(intent.id);
    return `The folder of ${file} is gone or another one, so the unfinished write ${intent.id} was left as it is.`;
  }
  try {
    return settleIn(folder, write, file, journal);
  } catch (error) {
    return {
      file,
      backup: `${[...intent.folder, intent.backup].join('/')} (${diskFailure(error, 'recovery').message})`,
    };
  } finally {
    folder.close();
  }
}

function settleIn(folder: DirectoryHandle, write: PendingWrite, file: string, journal: Journal): string | Unresolved {
  const { intent, committed } = write;
  const isKept = committed || (!intent.tested && digestOf(folder, intent.name) !== intent.sha256Before);
  if (isKept) {
    finish(folder, intent, journal);
    return `The write ${intent.id} of ${file} was complete when Surepatch last stopped; it was kept.`;
  }
  const { outcome, kept } = putBack(folder, intent, null);
  if (outcome === 'conflict' && kept !== null) return { file, backup: [...intent.folder, kept].join('/') };
  journal.settle(intent.id);
  return outcome === 'conflict'
    ? `${file} was changed since the unfinished write ${intent.id}, and no backup of it is left; nothing was touched.`
    : `The unfinished write ${intent.id} of ${file} was taken back: the file holds its bytes of before.`;
}

/** The folder of the target, if it still is the same one. Devices are numbered anew at each start, inodes are not. */
function openSame(intent: WriteIntent): DirectoryHandle | null {
  try {
    const folder = openDirectory(intent.root, intent.folder);
    if (folder.identity.ino.toString() === intent.folderInode) return folder;
    folder.close();
    return null;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) return null;
    throw error;
  }
}
