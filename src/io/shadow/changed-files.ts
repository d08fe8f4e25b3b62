/**
 * Puts changed files into a tree of ours (an upper folder, a copy) so that they look as if they had been edited in place,
 * and reads them back. A suite may have made links of the folders since: none is followed, and the tree itself is held open.
 */
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../../model/result.ts';
import { openDirectory } from '../directory-handle.ts';
import { errnoOf } from '../disk-error.ts';
import { realComponents } from './real-components.ts';

const PERMISSIONS = 0o7777;

export interface ChangedFiles {
  /** Writes a file; `mode` null keeps that of the file there now, else of the real one. Fails where the name leads out. */
  readonly put: (path: string, bytes: Uint8Array, mode: number | null) => Result<null>;
  /** Takes a file away; fails where the name leads out. */
  readonly remove: (path: string) => Result<null>;
  /** Bytes of a file that was put; null where it is no longer a regular file. */
  readonly read: (path: string) => Buffer | null;
  readonly close: () => void;
}

/** Binds the tree `top` that stands for the real folder `root`. */
export function changedFiles(top: string, root: string): ChangedFiles {
  const handle = openDirectory(top, []);
  const places = new Map<string, readonly string[]>();
  const at = (components: readonly string[]): string => [handle.at('.'), ...components].join('/');
  return {
    put: (path, bytes, mode) => {
      const known = places.get(path);
      const place = known === undefined ? realComponents(root, path) : ok(known);
      if (!place.ok) return place;
      places.set(path, place.value);
      const restore = makeFolders(at, root, place.value.slice(0, -1));
      writeLike(at(place.value), join(root, ...place.value), bytes, mode);
      restore();
      return ok(null);
    },
    remove: (path) => {
      const place = realComponents(root, path);
      if (place.ok) rmSync(at(place.value), { force: true });
      return place.ok ? ok(null) : place;
    },
    read: (path) => {
      const place = places.get(path);
      if (place === undefined) throw new Error(`${path} is no changed file of this tree`);
      const isReached = place
        .slice(1)
        .every((_, depth) => found(at(place.slice(0, depth + 1)))?.isDirectory() === true);
      return isReached && regular(at(place)) !== null ? readFileSync(at(place)) : null;
    },
    close: () => {
      handle.close();
    },
  };
}

/** Makes a folder that looks like another. */
export function makeFolderLike(path: string, like: string): void {
  mkdirSync(path);
  dressAs(path, lstatSync(like));
}

/** Makes what is missing above a file; returns what gives all these folders their looks back once the file is written. */
function makeFolders(at: (components: readonly string[]) => string, root: string, components: readonly string[]) {
  const looks = [lookOf(`${at([])}/.`)];
  for (let depth = 1; depth <= components.length; depth += 1) {
    const folder = components.slice(0, depth);
    const path = at(folder);
    const own = found(path);
    if (own?.isDirectory() === true) {
      looks.push(lookOf(path));
      continue;
    }
    // A whiteout, or what a suite put there: the caller wants the folder of the file back.
    if (own !== undefined) rmSync(path);
    mkdirSync(path);
    const like = found(join(root, ...folder));
    if (like?.isDirectory() === true) looks.push({ path, like });
  }
  return () => {
    for (const { path, like } of looks.reverse()) dressAs(path, like);
  };
}

function lookOf(path: string) {
  return { path, like: lstatSync(path) };
}

function writeLike(path: string, like: string, bytes: Uint8Array, mode: number | null): void {
  const known = regular(path) ?? regular(like);
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, bytes, { flag: 'wx' });
  if (known !== null) giveTo(path, known);
  const bits = mode ?? (known === null ? null : known.mode & PERMISSIONS);
  if (bits !== null) chmodSync(path, bits);
}

function regular(path: string): Stats | null {
  const entry = found(path);
  return entry?.isFile() === true ? entry : null;
}

function found(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A folder above it is a file now, or a link that leads in a circle.
    if (['ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

function dressAs(path: string, like: Stats): void {
  giveTo(path, like);
  chmodSync(path, like.mode & PERMISSIONS);
  utimesSync(path, like.atime, like.mtime);
}

/** Only root can give a file away, and only then does it matter: anybody else makes files of their own. */
function giveTo(path: string, { uid, gid }: Stats): void {
  const made = lstatSync(path);
  if (made.uid === uid && made.gid === gid) return;
  if (process.geteuid?.() === 0) chownSync(path, uid, gid);
}
