/**
 * Copies one file or a whole tree, dependencies and all: modes, times and links kept, sockets and pipes left out, absolute
 * links into the tree led into the copy. By the system's `cp` where there is one, else by a walk of our own; never by
 * `fs.cp`, which takes five times as long.
 */
import { constants, type Dirent, type Stats } from 'node:fs';
import {
  chmod,
  chown,
  copyFile,
  lstat,
  lutimes,
  mkdir,
  readdir,
  readlink,
  rm,
  symlink,
  utimes,
} from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { failure, type Failure } from '../../model/failure.ts';
import { isInside } from '../../model/inside.ts';
import { diskFailure, errnoOf } from '../disk-error.ts';
import { captureOutput } from '../process.ts';
import { findSystemProgram } from '../system-program.ts';
import { pooled } from './pool.ts';

export interface CopyOrder {
  readonly from: string;
  readonly to: string;
  readonly signal?: AbortSignal | undefined;
}

export interface CopyOutcome {
  readonly failure: Failure | null;
  /** Entries that could not be read and are missing in the copy, as messages of the system. */
  readonly missing: readonly string[];
}

const LONGEST_COPY_MS = 600_000;
const AT_ONCE = 32;
const CANCELLED = failure('CANCELLED', 'The call was cancelled while the repository was copied.');

/** Copies; what this user cannot read is left out and named. Never follows a link. */
export async function copyTree(order: CopyOrder, program = systemCopy()): Promise<CopyOutcome> {
  try {
    const copied = program === null ? null : await copyByProgram(program, order);
    const outcome = copied ?? (await copyByWalk(order));
    if (order.signal?.aborted === true) return { ...outcome, failure: CANCELLED };
    if (copied !== null && copied.failure === null) await tidy(order);
    return outcome;
  } catch (error) {
    return { failure: diskFailure(error, `a copy of ${order.from}`), missing: [] };
  }
}

/** The `cp` of this system, where its options are known. */
export function systemCopy(): string | null {
  return process.platform === 'linux' ? findSystemProgram('cp') : null;
}

/** Answers null where this `cp` does not know the options. */
async function copyByProgram(program: string, { from, to, signal }: CopyOrder): Promise<CopyOutcome | null> {
  const command = [program, '-a', '--reflink=auto', '-T', '--', from, to] as const;
  const { succeeded, stderr } = await captureOutput(command, {
    env: { LC_ALL: 'C' },
    timeoutMs: LONGEST_COPY_MS,
    signal,
  });
  if (succeeded || signal?.aborted === true) return { failure: null, missing: [] };
  const complaints = stderr.split('\n').filter((line) => line !== '');
  if (complaints.some((line) => /unrecognized option|invalid option/u.test(line))) return null;
  // Sockets that cannot be made and files that went away meanwhile would not have been copied anyway.
  const grave = complaints.find((line) => !/Permission denied|No such file or directory|cannot make/u.test(line));
  if (grave === undefined && complaints.length > 0) return { failure: null, missing: complaints };
  const isFull = /No space left|Disk quota/u.test(stderr);
  const words = grave ?? 'it did not end in time';
  return {
    failure: failure(isFull ? 'NO_SPACE' : 'DISK_FAILED', `The repository could not be copied (${words}).`),
    missing: [],
  };
}

/** Goes through a copy that `cp` made for what `cp` cannot do. */
async function tidy({ from, to, signal }: CopyOrder): Promise<void> {
  if (!(await lstat(to)).isDirectory()) return;
  await pooled(AT_ONCE, [''], async (folder, add) => {
    if (signal?.aborted === true) return;
    const entries = await listing(join(to, folder));
    const odd = entries.filter((entry) => !entry.isFile() && !entry.isDirectory());
    for (const entry of entries) if (entry.isDirectory()) add(join(folder, entry.name));
    if (odd.length === 0) return;
    const times = await lstat(join(to, folder));
    let touched = false;
    for (const entry of odd) {
      const path = join(to, folder, entry.name);
      if (!entry.isSymbolicLink()) await rm(path, { force: true });
      else if (!(await leadInto(path, { from, to }))) continue;
      touched = true;
    }
    if (touched) await utimes(join(to, folder), times.atime, times.mtime);
  });
}

/** Leads an absolute link into the original to the same place of the copy; answers whether it was one. */
async function leadInto(path: string, { from, to }: { readonly from: string; readonly to: string }): Promise<boolean> {
  const target = await readlink(path);
  const led = within(target, from, to);
  if (led === target) return false;
  const times = await lstat(path);
  await rm(path);
  await symlink(led, path);
  await lutimes(path, times.atime, times.mtime);
  return true;
}

function within(target: string, from: string, to: string): string {
  return isAbsolute(target) && isInside(from, target) ? join(to, relative(from, target)) : target;
}

/** Copies by the functions of Node alone. Folders stay open to us until everything is in them. */
async function copyByWalk({ from, to, signal }: CopyOrder): Promise<CopyOutcome> {
  const missing: string[] = [];
  const folders: { readonly path: string; readonly like: Stats }[] = [];
  await pooled(AT_ONCE, [''], async (path, add) => {
    if (signal?.aborted === true) return;
    const [source, copy] = [join(from, path), join(to, path)];
    try {
      const like = await lstat(source);
      if (like.isDirectory()) {
        const entries = await readdir(source);
        await mkdir(copy, { mode: 0o700, recursive: path === '' });
        folders.push({ path: copy, like });
        for (const name of entries) add(join(path, name));
      } else if (like.isSymbolicLink()) {
        await symlink(within(await readlink(source), from, to), copy);
        await lutimes(copy, like.atime, like.mtime);
      } else if (like.isFile()) {
        await copyFile(source, copy, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
        await dress(copy, like);
      }
    } catch (error) {
      if (!['EACCES', 'EPERM', 'ENOENT'].includes(errnoOf(error) ?? '')) throw error;
      missing.push(`${source}: ${errnoOf(error) ?? ''}`);
    }
  });
  // Inner folders first: filling a folder changes its times, and a closed one cannot be filled.
  for (const { path, like } of folders.reverse()) await dress(path, like);
  return { failure: null, missing };
}

async function dress(path: string, like: Stats): Promise<void> {
  if (process.geteuid?.() === 0) await chown(path, like.uid, like.gid);
  await chmod(path, like.mode & 0o7777);
  await utimes(path, like.atime, like.mtime);
}

async function listing(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    // A folder that its owner may not list: `cp` copied it empty and has said so.
    if (['EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) return [];
    throw error;
  }
}
