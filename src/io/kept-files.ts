/** Files that Surepatch keeps for a while in a folder of its own: read if they are there, and thinned out by age and number. */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from './disk-error.ts';

/** The text of a file, or null where there is none. */
export function textIfThere(path: string): string | null {
  return bytesIfThere(path)?.toString('utf8') ?? null;
}

/** The bytes of a file, or null where there is none. */
export function bytesIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Removes what is older than `oldestMs`, and the oldest of more than `most`. */
export function thinOut(folder: string, most: number, oldestMs: number, nowMs: number): void {
  const known = readdirSync(folder)
    .map((name) => join(folder, name))
    .map((path) => ({ path, mtimeMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
  known.forEach(({ path, mtimeMs }, index) => {
    if (index >= most || nowMs - mtimeMs > oldestMs) rmSync(path, { force: true });
  });
}
