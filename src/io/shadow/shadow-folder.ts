/**
 * The folder on disk behind one shadow tree: made private, signed with its owner, removed whatever a suite made of it.
 * Sole owner of the `tmp` package.
 */
import { mkdirSync, readdirSync } from 'node:fs';
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errnoOf } from '../disk-error.ts';
import { captureOutput } from '../process.ts';
import { findSystemProgram } from '../system-program.ts';
import type { ShadowTree } from '../../model/shadow.ts';
import type { ChangedFiles } from './changed-files.ts';
import { isGone, writeTreeOwner } from './tree-owner.ts';

const FOLDER_PREFIX = 'surepatch-shadow';
/** Where a copy lies: tens of thousands of files, which a program of the system removes several times as fast as Node. */
export const TREE_FOLDER = 'tree';
const OWNER_FILE = 'owner.json';
const RUN_FOLDER = 'run';
const LONGEST_REMOVAL_MS = 600_000;
const MOST_TRIES = 4;

export interface ShadowFolder {
  readonly path: string;
  readonly runFolder: string;
  readonly dispose: () => Promise<void>;
}

/** Makes a folder below `base`, which is made too where it is missing. Throws where the disk refuses. */
export async function makeShadowFolder(base: string): Promise<ShadowFolder> {
  mkdirSync(base, { recursive: true, mode: 0o700 });
  const { default: tmp } = await import('tmp');
  const { name: path } = tmp.dirSync({ tmpdir: base, prefix: FOLDER_PREFIX, mode: 0o700, keep: true });
  writeTreeOwner(join(path, OWNER_FILE));
  const runFolder = join(path, RUN_FOLDER);
  mkdirSync(runFolder);
  let removal: Promise<void> | undefined;
  return { path, runFolder, dispose: () => (removal ??= removeTree(path)) };
}

/** What a tree lets its user do with its files, and how it ends. */
export function accessTo(changed: ChangedFiles, folder: ShadowFolder): Pick<ShadowTree, 'write' | 'read' | 'dispose'> {
  let isOpen = true;
  return {
    write: (path, bytes) => {
      const put = changed.put(path, bytes, null);
      if (!put.ok) throw new Error(put.failure.message);
    },
    read: changed.read,
    dispose: () => {
      if (isOpen) changed.close();
      isOpen = false;
      return folder.dispose();
    },
  };
}

/** Removes what servers that are gone left below the bases, and nothing else; returns the paths. */
export async function sweepShadowFolders(bases: readonly string[]): Promise<readonly string[]> {
  const left = bases
    .flatMap((base) => namesIn(base).map((name) => join(base, name)))
    .filter((path) => isGone(path, join(path, OWNER_FILE)));
  for (const path of left) await removeTree(path);
  return left;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.startsWith(`${FOLDER_PREFIX}-`));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errnoOf(error) ?? '')) return [];
    throw error;
  }
}

/** The owner file goes last: a removal that is cut short is taken up by the next sweep. */
async function removeTree(path: string): Promise<void> {
  for (const name of readdirIfThere(path)) if (name !== OWNER_FILE) await removeEntry(join(path, name));
  await removeEntry(path);
}

function readdirIfThere(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

async function removeEntry(path: string): Promise<void> {
  const remover = basename(path) === TREE_FOLDER ? findSystemProgram('rm') : null;
  if (remover !== null) {
    const command = [remover, '-rf', '--one-file-system', '--', path] as const;
    await captureOutput(command, { env: { LC_ALL: 'C' }, timeoutMs: LONGEST_REMOVAL_MS });
  }
  for (let tries = 1; ; tries += 1) {
    try {
      await rm(path, { recursive: true, force: true });
      return;
    } catch (error) {
      if (tries === MOST_TRIES || !['EACCES', 'EPERM', 'ENOTEMPTY'].includes(errnoOf(error) ?? '')) throw error;
      // The kernel's own folder in `work` has mode 000, and suites take permissions away from theirs.
      await openUp(path);
    }
  }
}

/** A removal that failed goes on elsewhere in the tree for a moment, so that what is listed may be gone when it is reached. */
async function openUp(path: string): Promise<void> {
  try {
    if (!(await lstat(path)).isDirectory()) return;
    await chmod(path, 0o700);
    for (const entry of await readdir(path, { withFileTypes: true })) {
      if (entry.isDirectory()) await openUp(join(path, entry.name));
    }
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}
