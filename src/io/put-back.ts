/**
 * Gives a target its preimage back, in a running call and in recovery alike. Overwrites nothing but the postimage that
 * Surepatch itself wrote; every step may be repeated after a crash.
 */
import { linkSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { backupName } from '../model/own-file-names.ts';
import { errnoOf } from './disk-error.ts';
import type { DirectoryHandle } from './directory-handle.ts';
import { digestOf, holdFile, sameContent, withFile, type HeldFile } from './held-file.ts';
import type { WriteIntent } from './journal.ts';
import { writeNewFile, type NewFileOwner } from './write-file.ts';

export interface KnownPreimage {
  readonly bytes: Uint8Array;
  readonly owner: NewFileOwner;
}

export interface PutBack {
  /**
   * `restored`: nothing of the write is left in the file. `conflict`: the file holds what neither it nor Surepatch
   * held before; nothing was overwritten.
   */
  readonly outcome: 'restored' | 'conflict';
  /** Digest of what was found at the target, null where no regular file was. */
  readonly found: string | null;
  /** Name of a file that keeps bytes which a person must look at. */
  readonly kept: string | null;
}

/** Puts the preimage back from the backup file, or, where that is gone, from memory. Throws the system's errors. */
export function putBack(folder: DirectoryHandle, intent: WriteIntent, memory: KnownPreimage | null): PutBack {
  rmSync(folder.at(intent.temporary), { force: true });
  const target = holdFile(folder, intent.name);
  try {
    const found = target?.digest() ?? null;
    if (found === intent.sha256Before) return { outcome: 'restored', found, kept: dropBackup(folder, intent) };
    if (target === null && nothingAt(folder, intent.name)) return { ...bringBack(folder, intent, memory), found };
    if (target === null || found !== intent.sha256After) {
      const wasPublished = withFile(folder, intent.backup, (held) => held === null || !isTarget(folder, intent, held));
      if (wasPublished) return { outcome: 'conflict', found, kept: existing(folder, intent.backup) };
      return { outcome: 'restored', found, kept: dropBackup(folder, intent) };
    }
    return { ...replace(folder, intent, memory, target), found };
  } finally {
    target?.close();
  }
}

/**
 * Removes the backup if it still is the preimage, or only a second name of the target; otherwise keeps it and returns
 * its name.
 */
export function dropBackup(folder: DirectoryHandle, intent: WriteIntent): string | null {
  const mayGo = withFile(
    folder,
    intent.backup,
    (backup) => backup !== null && (isTarget(folder, intent, backup) || backup.digest() === intent.sha256Before),
  );
  if (!mayGo) return existing(folder, intent.backup);
  rmSync(folder.at(intent.backup));
  folder.sync();
  return null;
}

/** True when the backup is the very file that the target's name leads to: the rename has not happened. */
function isTarget(folder: DirectoryHandle, intent: WriteIntent, backup: HeldFile): boolean {
  return withFile(folder, intent.name, (target) => target !== null && sameContent(target.facts, backup.facts));
}

/** True when no entry of any kind has this name. */
export function nothingAt(folder: DirectoryHandle, name: string): boolean {
  return lstatSync(folder.at(name), { throwIfNoEntry: false }) === undefined;
}

function existing(folder: DirectoryHandle, name: string): string | null {
  return nothingAt(folder, name) ? null : name;
}

type Ending = Omit<PutBack, 'found'>;

/** The target is gone: gives its name back without replacing whatever might appear there meanwhile. */
function bringBack(folder: DirectoryHandle, intent: WriteIntent, memory: KnownPreimage | null): Ending {
  if (digestOf(folder, intent.backup) === intent.sha256Before) {
    linkOrCopy(folder, intent.backup, intent.name);
    folder.sync();
    return { outcome: 'restored', kept: dropBackup(folder, intent) };
  }
  if (memory === null) return { outcome: 'conflict', kept: existing(folder, intent.backup) };
  writeNewFile(folder.at(intent.name), [memory.bytes], memory.owner);
  folder.sync();
  return { outcome: 'restored', kept: existing(folder, intent.backup) };
}

/** The target is the postimage: renames the preimage over it, and keeps what was written into it at the last moment. */
function replace(folder: DirectoryHandle, intent: WriteIntent, memory: KnownPreimage | null, target: HeldFile): Ending {
  const isBackupGood = digestOf(folder, intent.backup) === intent.sha256Before;
  const source = isBackupGood ? intent.backup : intent.temporary;
  if (!isBackupGood) {
    if (memory === null) return { outcome: 'conflict', kept: existing(folder, intent.backup) };
    writeNewFile(folder.at(source), [memory.bytes], memory.owner);
  }
  if (target.changed()) {
    if (!isBackupGood) rmSync(folder.at(source));
    return { outcome: 'conflict', kept: existing(folder, intent.backup) };
  }
  renameSync(folder.at(source), folder.at(intent.name));
  folder.sync();
  const kept = target.changed() ? keepLateBytes(folder, intent.name, target) : existing(folder, intent.backup);
  return { outcome: 'restored', kept };
}

function keepLateBytes(folder: DirectoryHandle, name: string, target: HeldFile): string {
  for (let n = 1; ; n += 1) {
    const kept = backupName(name, n);
    try {
      writeNewFile(folder.at(kept), target.blocks(), target.facts);
      folder.sync();
      return kept;
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
  }
}

const NO_LINKS_HERE = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'];

/** Gives `from` a second, new name; where the file system has no hard links, a durable copy. True for a link. */
export function linkOrCopy(folder: DirectoryHandle, from: string, to: string): boolean {
  try {
    linkSync(folder.at(from), folder.at(to));
    return true;
  } catch (error) {
    if (!NO_LINKS_HERE.includes(errnoOf(error) ?? '')) throw error;
  }
  withFile(folder, from, (held) => {
    if (held === null) throw new Error(`${from} is no longer a regular file`);
    writeNewFile(folder.at(to), held.blocks(), held.facts);
  });
  return false;
}
