/** Gives a file a second or a new name beside it; never replaces what has that name. */
import { linkSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { copyChecked } from './checked-file.ts';
import { errnoOf } from './disk-error.ts';
import type { DirectoryHandle } from './directory-handle.ts';
import type { HeldFile } from './held-file.ts';

const NO_LINKS_HERE = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'];

export interface SecondName {
  /** The file, open. */
  readonly held: HeldFile;
  readonly from: string;
  readonly to: string;
  /** Name under which a copy is made, so that `to` is never a part of one. */
  readonly by: string;
}

/**
 * Gives a file the second name `to`; where the file system has no hard links, makes a durable copy of that name.
 * Returns true for a link. Throws EEXIST where the name is taken.
 */
export function linkOrCopy(folder: DirectoryHandle, { held, from, to, by }: SecondName): boolean {
  if (link(folder, from, to)) return true;
  copyChecked(folder, by, held);
  giveName(folder, by, to);
  return false;
}

/** Renames `from` to the new name `to`. Throws EEXIST where the name is taken. */
export function giveName(folder: DirectoryHandle, from: string, to: string): void {
  if (link(folder, from, to)) {
    rmSync(folder.at(from));
    return;
  }
  // Without links nothing renames and refuses to replace in one step; `to` is a name that was free a moment ago.
  if (!nothingAt(folder, to)) throw Object.assign(new Error(`${to} is there already`), { code: 'EEXIST' });
  renameSync(folder.at(from), folder.at(to));
}

function link(folder: DirectoryHandle, from: string, to: string): boolean {
  try {
    linkSync(folder.at(from), folder.at(to));
    return true;
  } catch (error) {
    if (!NO_LINKS_HERE.includes(errnoOf(error) ?? '')) throw error;
    return false;
  }
}

/** True when no entry of any kind has this name. */
export function nothingAt(folder: DirectoryHandle, name: string): boolean {
  return lookAt(folder, name) === undefined;
}

/** True when both names lead to one and the same entry, whatever its kind. */
export function isSecondName(folder: DirectoryHandle, one: string, other: string): boolean {
  const first = lookAt(folder, one);
  const second = lookAt(folder, other);
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

function lookAt(folder: DirectoryHandle, name: string) {
  return lstatSync(folder.at(name), { throwIfNoEntry: false, bigint: true });
}
