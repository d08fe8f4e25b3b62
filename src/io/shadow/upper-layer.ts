/**
 * Puts changed files into the upper folder of an overlay while nothing is mounted, so that they look as if they had been
 * edited in place: same mode and owner, the folders above them unchanged. Reads them back the same way.
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
import { dirname, join } from 'node:path';

const PERMISSIONS = 0o7777;

/** Makes the upper folder itself look like the folder it is laid over. */
export function makeUpper(upper: string, lower: string): void {
  mkdirSync(upper);
  dressAs(upper, lstatSync(lower));
}

/** Writes a file at `components` (real names below both folders); `mode` null keeps the mode of the file there now. */
export function writeUpper(
  { upper, lower }: { readonly upper: string; readonly lower: string },
  components: readonly string[],
  bytes: Uint8Array,
  mode: number | null,
): void {
  const made: string[] = [];
  for (let depth = 1; depth < components.length; depth += 1) {
    const folder = components.slice(0, depth);
    const path = join(upper, ...folder);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) continue;
    // A whiteout, or what a suite put there: the caller wants the folder of the file back.
    if (found !== undefined) rmSync(path);
    mkdirSync(path);
    made.push(...[folder.join('/')]);
  }
  writeLike(join(upper, ...components), join(lower, ...components), bytes, mode);
  // Last and from below, because writing into a folder changes its times.
  for (const folder of made.reverse()) {
    const like = lstatSync(join(lower, folder), { throwIfNoEntry: false });
    if (like?.isDirectory() === true) dressAs(join(upper, folder), like);
  }
  if (made.length === 0 && components.length === 1) dressTimes(upper, lstatSync(lower));
}

/** Writes a file of the tree anew: with the mode and owner of what is there now, else of `like`. */
export function writeLike(path: string, like: string, bytes: Uint8Array, mode: number | null): void {
  const known = regular(path) ?? regular(like);
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, bytes, { flag: 'wx' });
  if (known !== null) giveTo(path, known);
  const bits = mode ?? (known === null ? null : known.mode & PERMISSIONS);
  if (bits !== null) chmodSync(path, bits);
}

/** Bytes of a regular file; null for anything else and for nothing. */
export function readRegular(path: string): Buffer | null {
  return regular(path) === null || !isPlainFolder(dirname(path)) ? null : readFileSync(path);
}

function isPlainFolder(path: string): boolean {
  return lstatSync(path).isDirectory();
}

function regular(path: string): Stats | null {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found?.isFile() === true ? found : null;
  } catch {
    // A folder above it became a file.
    return null;
  }
}

function dressAs(path: string, like: Stats): void {
  giveTo(path, like);
  chmodSync(path, like.mode & PERMISSIONS);
  dressTimes(path, like);
}

function dressTimes(path: string, like: Stats): void {
  utimesSync(path, like.atime, like.mtime);
}

/** Only root can give a file away, and only then does it matter: anybody else makes files of their own. */
function giveTo(path: string, { uid, gid }: Stats): void {
  const made = lstatSync(path);
  if (made.uid === uid && made.gid === gid) return;
  if (process.geteuid?.() === 0) chownSync(path, uid, gid);
}
