/**
 * Settles the writes of one root whose process died: an untested write stays, a write that tests should have judged is
 * taken back, a committed one is tidied up. Runs no git, no test and nothing of the repository. Needs the root's lock.
 */
import { openDirectory, type DirectoryHandle } from './directory-handle.ts';
import { diskFailure, errnoOf } from './disk-error.ts';
import { finish } from './end-write.ts';
import { digestOf } from './held-file.ts';
import type { Journal, PendingWrite, WriteIntent } from './journal.ts';
import { putBack } from './put-back.ts';
import { isSecondName, nothingAt } from './second-name.ts';

export interface Unresolved {
  /** Path of the file relative to the root. */
  readonly file: string;
  /** Path of the backup that holds its bytes of before, relative to the root. */
  readonly backup: string;
}

export interface Recovery {
  /** What was done, a sentence each, for the next answer. */
  readonly notes: readonly string[];
  /** Files that hold somebody else's bytes where an unsettled write of ours was; nothing was touched. */
  readonly unresolved: readonly Unresolved[];
}

/** How recovery found that a write ended: `left` where it could do nothing for it any more. */
export type Ending = 'kept' | 'taken_back' | 'left';

/** Remembers an ending, durably and before the journal forgets the write; may be told the same ending again. */
export type TellEnding = (intent: WriteIntent, ending: Ending) => void;

/** Settles what is pending in the journal; calling it again changes nothing more. */
export function recover(root: string, journal: Journal, tell: TellEnding = () => undefined): Recovery {
  journal.mend();
  const pending = journal.pending();
  if (pending === null || pending.some(({ intent }) => intent.root !== root)) {
    const aside = journal.quarantine();
    return {
      notes: [
        `The journal holds a record that Surepatch did not write; it is set aside in ${aside}. Look at the files it names, then delete it.`,
      ],
      unresolved: [],
    };
  }
  const notes: string[] = [];
  const unresolved: Unresolved[] = [];
  for (const write of pending) {
    const settled = settle(write, journal, tell);
    if (typeof settled === 'string') notes.push(settled);
    else unresolved.push(settled);
  }
  return { notes, unresolved };
}

function settle(write: PendingWrite, journal: Journal, tell: TellEnding): string | Unresolved {
  const { intent } = write;
  const file = [...intent.folder, intent.name].join('/');
  try {
    const folder = openSame(intent);
    if (folder === null) {
      tell(intent, 'left');
      journal.settle(intent.id);
      return `The folder of ${file} is gone or another one, so the unfinished write ${intent.id} was left as it is.`;
    }
    try {
      return settleIn(folder, write, file, journal, tell);
    } finally {
      folder.close();
    }
  } catch (error) {
    return { file, backup: `${besideTarget(intent, intent.backup)} (${diskFailure(error, 'recovery').message})` };
  }
}

function settleIn(
  folder: DirectoryHandle,
  write: PendingWrite,
  file: string,
  journal: Journal,
  tell: TellEnding,
): string | Unresolved {
  const { intent, committed } = write;
  if (committed || (!intent.tested && isPublished(folder, intent))) {
    tell(intent, 'kept');
    const { backup, notes } = finish(folder, intent, journal);
    const where =
      backup === null || nothingAt(folder, backup) ? '' : ` ${besideTarget(intent, backup)} stays beside it.`;
    const kept = `The write ${intent.id} of ${file} was complete when Surepatch last stopped; it was kept.${where}`;
    return [kept, ...notes].join(' ');
  }
  const { outcome, kept } = putBack(folder, intent, null);
  const left = kept === null ? null : besideTarget(intent, kept);
  if (outcome === 'conflict' && left !== null) return { file, backup: left };
  tell(intent, outcome === 'conflict' ? 'left' : 'taken_back');
  journal.settle(intent.id);
  if (outcome === 'conflict') {
    return `${file} was changed since the unfinished write ${intent.id}, and no backup of it is left; nothing was touched.`;
  }
  const look = left === null ? '' : ` ${left} keeps bytes that somebody must look at.`;
  return `The unfinished write ${intent.id} of ${file} was taken back: nothing of it is in the file.${look}`;
}

/** True unless the target still is the preimage, or is the very file that the backup is a second name of. */
function isPublished(folder: DirectoryHandle, { name, backup, sha256Before }: WriteIntent): boolean {
  return digestOf(folder, name) !== sha256Before && !isSecondName(folder, backup, name);
}

function besideTarget({ folder }: WriteIntent, name: string): string {
  return [...folder, name].join('/');
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
