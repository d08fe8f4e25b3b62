/**
 * Gives a target its preimage back, in a running call and in recovery alike. Overwrites nothing but the postimage that
 * Surepatch itself wrote; every step may be repeated after a crash.
 */
import { renameSync, rmSync } from 'node:fs';
import { backupName } from '../model/own-file-names.ts';
import { copyChecked, writeChecked } from './checked-file.ts';
import { errnoOf } from './disk-error.ts';
import type { DirectoryHandle } from './directory-handle.ts';
import { digestOf, holdFile, sameContent, withFile, type HeldFile } from './held-file.ts';
import type { WriteIntent } from './journal.ts';
import { giveName, isSecondName, linkOrCopy, nothingAt } from './second-name.ts';
import type { NewFileOwner } from './write-file.ts';

export interface KnownPreimage {
  readonly pieces: readonly Uint8Array[];
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
    if (target !== null && found === intent.sha256After) return { ...replace(folder, intent, memory, target), found };
    // Somebody else's bytes. Where the rename has not happened, the backup is only another name of them.
    const isOtherName = isSecondName(folder, intent.backup, intent.name);
    const kept = isOtherName ? dropBackup(folder, intent) : existing(folder, intent.backup);
    return { outcome: isOtherName ? 'restored' : 'conflict', found, kept };
  } finally {
    target?.close();
  }
}

/**
 * Removes the backup if it still is the preimage, or only a second name of the target. Returns the name of what must
 * stay: a backup that somebody wrote into, before it was removed or while it was.
 */
export function dropBackup(folder: DirectoryHandle, intent: WriteIntent): string | null {
  return withFile(folder, intent.backup, (backup) => {
    const isOtherName = isSecondName(folder, intent.backup, intent.name);
    if (!isOtherName && backup?.digest() !== intent.sha256Before) return existing(folder, intent.backup);
    rmSync(folder.at(intent.backup));
    folder.sync();
    return !isOtherName && backup?.changed() === true ? keepLateBytes(folder, intent.name, backup) : null;
  });
}

/**
 * Makes sure that the preimage stands in a file beside the target, and returns its name: the backup, or, where that is
 * gone or somebody wrote into it, a new one from memory. Throws the system's errors.
 */
export function secureBackup(folder: DirectoryHandle, intent: WriteIntent, memory: KnownPreimage): string {
  if (digestOf(folder, intent.backup) === intent.sha256Before) return intent.backup;
  try {
    // By the temporary name, which recovery knows: a backup's name never stands for a part of the bytes.
    writeChecked(folder, intent.temporary, { ...memory, sha256: intent.sha256Before });
    const name = giveFreeName(folder, intent.temporary, intent.name);
    folder.sync();
    return name;
  } finally {
    rmSync(folder.at(intent.temporary), { force: true });
  }
}

function giveFreeName(folder: DirectoryHandle, from: string, fileName: string): string {
  for (let n = 1; ; n += 1) {
    const name = backupName(fileName, n);
    try {
      giveName(folder, from, name);
      return name;
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
  }
}

function existing(folder: DirectoryHandle, name: string): string | null {
  return nothingAt(folder, name) ? null : name;
}

type Ending = Omit<PutBack, 'found'>;

/** The target is gone: gives its name back without replacing whatever might appear there meanwhile. */
function bringBack(folder: DirectoryHandle, intent: WriteIntent, memory: KnownPreimage | null): Ending {
  const isBackupGood = withFile(folder, intent.backup, (backup) => {
    if (backup?.digest() !== intent.sha256Before) return false;
    linkOrCopy(folder, { held: backup, from: intent.backup, to: intent.name, by: intent.temporary });
    folder.sync();
    return true;
  });
  if (isBackupGood) return { outcome: 'restored', kept: dropBackup(folder, intent) };
  if (memory === null) return { outcome: 'conflict', kept: existing(folder, intent.backup) };
  writeChecked(folder, intent.temporary, { ...memory, sha256: intent.sha256Before });
  giveName(folder, intent.temporary, intent.name);
  folder.sync();
  return { outcome: 'restored', kept: existing(folder, intent.backup) };
}

/** The target is the postimage: renames the preimage over it, and keeps what was written into it at the last moment. */
function replace(folder: DirectoryHandle, intent: WriteIntent, memory: KnownPreimage | null, target: HeldFile): Ending {
  const isBackupGood = digestOf(folder, intent.backup) === intent.sha256Before;
  const source = isBackupGood ? intent.backup : intent.temporary;
  if (!isBackupGood) {
    if (memory === null) return { outcome: 'conflict', kept: existing(folder, intent.backup) };
    writeChecked(folder, source, { ...memory, sha256: intent.sha256Before });
  }
  const isStill = withFile(folder, intent.name, (now) => now !== null && sameContent(now.facts, target.facts));
  if (!isStill) {
    if (!isBackupGood) rmSync(folder.at(source));
    return { outcome: 'conflict', kept: existing(folder, intent.backup) };
  }
  renameSync(folder.at(source), folder.at(intent.name));
  folder.sync();
  const kept = target.changed() ? keepLateBytes(folder, intent.name, target) : existing(folder, intent.backup);
  return { outcome: 'restored', kept };
}

function keepLateBytes(folder: DirectoryHandle, name: string, late: HeldFile): string {
  for (let n = 1; ; n += 1) {
    const kept = backupName(name, n);
    try {
      copyChecked(folder, kept, late);
      folder.sync();
      return kept;
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
  }
}
