/**
 * Lists Surepatch's own files once in `.git/info/exclude`, so that a backup is never committed by accident. Must never
 * write anywhere but in a real `.git` folder of the root itself, and never change a line that is already there.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { errnoOf } from './disk-error.ts';
import { openDirectory, type DirectoryHandle } from './directory-handle.ts';
import { nearRepository } from './near-repository.ts';

/** Names of the files that Surepatch may leave beside a file it writes, as git ignores them. */
const PATTERNS = ['*.reforge-bak', '*.reforge-bak.[0-9]*', '.reforge-*.tmp'] as const;
const COMMENT = '# Surepatch: backups and temporary files, never to be committed';
const LARGEST_FILE = 1024 * 1024;
const OPEN_FLAGS =
  constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface ExcludeReport {
  /** Whether the repository now ignores the backups. */
  readonly listed: boolean;
  /** One sentence, where a repository is there and they are not listed. */
  readonly note?: string;
}

/** Adds the patterns that are missing; `root` is a real path. Never throws. */
export function excludeBackups(root: string): ExcludeReport {
  const repository = nearRepository(root);
  if (repository === null) return { listed: false };
  if (repository !== root) return refused('the root is a folder of a larger repository');
  if (!lstatSync(`${root}/.git`).isDirectory())
    return refused('.git is not a folder (a linked worktree or a submodule)');
  try {
    const git = openDirectory(root, ['.git']);
    try {
      if (!exists(git, 'HEAD')) return refused('.git is not a repository');
      if (exists(git, 'commondir')) return refused('.git shares the settings of another repository');
    } finally {
      git.close();
    }
    const info = openDirectory(root, ['.git', 'info']);
    try {
      return listIn(info);
    } finally {
      info.close();
    }
  } catch (error) {
    return refused(`.git/info/exclude cannot be changed (${errnoOf(error) ?? 'it was replaced while in use'})`);
  }
}

function listIn(info: DirectoryHandle): ExcludeReport {
  const descriptor = openSync(info.at('exclude'), OPEN_FLAGS, 0o644);
  try {
    const file = fstatSync(descriptor);
    if (!file.isFile() || file.nlink !== 1 || file.size > LARGEST_FILE) {
      return refused('.git/info/exclude is not an ordinary file');
    }
    const text = readFileSync(descriptor, 'latin1');
    const lines = new Set(text.split('\n').map((line) => line.trimEnd()));
    const missing = PATTERNS.filter((pattern) => !lines.has(pattern));
    if (missing.length > 0) {
      const start = text === '' || text.endsWith('\n') ? '' : '\n';
      writeSync(descriptor, `${start}${[COMMENT, ...missing].join('\n')}\n`);
    }
    return { listed: true };
  } finally {
    closeSync(descriptor);
  }
}

function exists(folder: DirectoryHandle, name: string): boolean {
  return lstatSync(folder.at(name), { throwIfNoEntry: false }) !== undefined;
}

function refused(why: string): ExcludeReport {
  return { listed: false, note: `Backups are not listed in git's exclude file: ${why}.` };
}
