/** Finds what else changed in a tree while the tests ran, by the time stamps of one bounded walk; changes nothing. */
import { lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { isOwnFileName } from '../model/own-file-names.ts';

/** Folders that a suite writes by its nature, or that hold far too much to look through. */
export const PASSED_OVER: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.tox',
  '.nox',
  '.gradle',
  '.cache',
]);
const MOST_ENTRIES = 20_000;

export interface ChangedPaths {
  /** Relative to the root, sorted; at most `most` of them. */
  readonly paths: readonly string[];
  readonly total: number;
  /** False when the tree has more entries than one walk looks at. */
  readonly complete: boolean;
}

/**
 * Lists the files below `root` whose content or entry changed after `sinceNs` (the file system's own clock), without
 * `target` and the files that Surepatch itself makes.
 */
export function changedPaths(
  root: string,
  sinceNs: bigint,
  target: string,
  most: number,
  mostEntries = MOST_ENTRIES,
): ChangedPaths {
  const changed: string[] = [];
  const ahead = [''];
  let seen = 0;
  for (let folder = ahead.pop(); folder !== undefined && seen < mostEntries; folder = ahead.pop()) {
    const entries = entriesOf(join(root, folder));
    seen += entries.length;
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory) {
        if (!PASSED_OVER.has(entry.name)) ahead.push(path);
        continue;
      }
      const isKnown = path === target || isOwnFileName(entry.name);
      if (!isKnown && changedAfter(join(root, path), sinceNs)) changed.push(path);
    }
  }
  return { paths: changed.sort().slice(0, most), total: changed.length, complete: seen < mostEntries };
}

function changedAfter(path: string, sinceNs: bigint): boolean {
  try {
    return (lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ctimeNs ?? 0n) > sinceNs;
  } catch {
    // A path too long or not to be looked at: this walk informs, it proves nothing.
    return false;
  }
}

/** Names in a folder; none where it cannot be read. */
export function entriesOf(path: string): { readonly name: string; readonly isDirectory: boolean }[] {
  try {
    const folder = opendirSync(path);
    const entries = [];
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      entries.push({ name: entry.name, isDirectory: entry.isDirectory() });
    }
    folder.closeSync();
    return entries;
  } catch {
    // A folder that went away or cannot be read: this walk informs, it proves nothing.
    return [];
  }
}
