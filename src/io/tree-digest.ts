/**
 * Sums up a whole tree by what the file system says of each file, so that a tree that moves while it is being judged is
 * noticed, and what moved is named. Reads no content and changes nothing.
 */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { lstatSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { isOwnFileName } from '../model/own-file-names.ts';
import { entriesOf, PASSED_OVER } from './changed-paths.ts';
import { errnoOf } from './disk-error.ts';
import { askAll, readAnswers } from './git-answer.ts';
import { listWorktree } from './git-listing.ts';
import { createCatFile } from './git-process.ts';
import { makeShadowFolder } from './shadow/shadow-folder.ts';

export interface TreeDigest {
  readonly digest: string;
  /** The commit that HEAD names; null without git or before the first commit. */
  readonly head: string | null;
  /** Path relative to the root → mode, size, times and inode. */
  readonly entries: ReadonlyMap<string, string>;
  /** False where the tree is larger than one look takes in. */
  readonly isComplete: boolean;
}

export interface DigestSettings {
  /** Absolute path of git; null where there is none. */
  readonly gitProgram: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder in which a private folder for git is made. */
  readonly base: string;
}

/** Of a folder that git knows nothing of; a repository may hold any number. */
const MOST_WALKED = 50_000;
const MOST_NAMED = 10;
const AT_ONCE = 2_000;
/** In place of a fingerprint. */
const MISSING = 'missing';
/** Which word of a fingerprint is the time of the last change. */
const CTIME = 3;

/** The files of a tree, each name a string of its bytes (`latin1`), with what `lstat` says; null for one that is gone. */
export interface TreeListing {
  readonly head: string | null;
  readonly files: ReadonlyMap<string, BigIntStats | null>;
  readonly isComplete: boolean;
}

/**
 * Lists tracked files and untracked ones that are not ignored; without git every file outside the folders that suites
 * write by their nature. Caches and Surepatch's own files are left out.
 */
export async function listTree(root: string, settings: DigestSettings): Promise<TreeListing> {
  const [listed, head] = await Promise.all([listing(root, settings), headOf(root, settings)]);
  const walked = listed === null ? walk(root, '', MOST_WALKED) : { paths: listed, isComplete: true };
  let isComplete = walked.isComplete;
  const files = new Map<string, BigIntStats | null>();
  const ahead = [...walked.paths];
  for (let seen = 0, path = ahead.pop(); path !== undefined; path = ahead.pop(), seen += 1) {
    if (seen % AT_ONCE === AT_ONCE - 1) await breathe();
    const bytes = Buffer.from(path, 'latin1');
    const found = statOf(placeOf(root, path));
    if (found?.isDirectory() === true) {
      // A submodule, or a repository inside this one: git names the folder alone.
      const inner = walk(root, bytes.toString('utf8').replace(/\/$/u, ''), MOST_WALKED);
      isComplete &&= inner.isComplete;
      ahead.push(...inner.paths);
    } else files.set(path, found);
  }
  return { head, files, isComplete };
}

/** The absolute path of a listed file, in bytes. */
export function placeOf(root: string, latin1: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(latin1, 'latin1')]);
}

/** The name of a listed file as text; one that is not UTF-8 stays as its bytes. */
export function nameOf(latin1: string): string {
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : latin1;
}

/** Sums up everything that `listTree` lists. */
export async function treeDigest(root: string, settings: DigestSettings): Promise<TreeDigest> {
  const { head, files, isComplete } = await listTree(root, settings);
  const entries = new Map<string, string>();
  for (const [latin1, found] of files) entries.set(nameOf(latin1), found === null ? MISSING : fingerprint(found));
  return { digest: digestOf(head, entries), head, entries, isComplete };
}

/** Names what differs between two looks at one tree: at most ten paths, and `HEAD` where it names another commit. */
export function changedSince(before: TreeDigest, after: TreeDigest): readonly string[] {
  const names = new Set([...before.entries.keys(), ...after.entries.keys()]);
  const moved = [...names].filter((path) => before.entries.get(path) !== after.entries.get(path)).sort();
  return [...(before.head === after.head ? [] : ['HEAD']), ...moved].slice(0, MOST_NAMED);
}

/**
 * Names the files that were written, made, renamed or given another mode after a time, in milliseconds since 1970: at most
 * `most`, by the time that only the kernel sets. What is gone, or came along with a folder, does not show in it.
 */
export function changedAfter({ entries }: TreeDigest, timeMs: number, most: number): readonly string[] {
  const after = BigInt(Math.ceil(timeMs)) * 1_000_000n;
  return [...entries]
    .filter(([, found]) => found !== MISSING && BigInt(found.split(' ')[CTIME] ?? 0) >= after)
    .map(([path]) => path)
    .sort()
    .slice(0, most);
}

async function listing(root: string, { gitProgram, base }: DigestSettings): Promise<readonly string[] | null> {
  if (gitProgram === null) return null;
  const folder = await makeShadowFolder(base);
  try {
    const listed = await listWorktree(root, { gitProgram, scratch: folder.runFolder });
    return (
      listed?.filter(({ isTracked, latin1 }) => isTracked || !isPassedOver(latin1)).map(({ latin1 }) => latin1) ?? null
    );
  } finally {
    await folder.dispose();
  }
}

function isPassedOver(path: string): boolean {
  const parts = path.split('/');
  return parts.some((part) => PASSED_OVER.has(part)) || isOwnFileName(parts.at(-1) ?? '');
}

async function headOf(root: string, { gitProgram, env }: DigestSettings): Promise<string | null> {
  if (gitProgram === null) return null;
  try {
    const { args, input } = askAll(['HEAD']);
    const [head] = readAnswers(['HEAD'], await createCatFile({ gitProgram, env })(root, args, input));
    return head?.id ?? null;
  } catch {
    // git does not take this folder for a repository: there is no HEAD to move.
    return null;
  }
}

/** Lists the files below a folder by the file system alone, at most `most`; caches and Surepatch's own are left out. */
export function walk(
  root: string,
  from: string,
  most: number,
): { readonly paths: readonly string[]; readonly isComplete: boolean } {
  const paths: string[] = [];
  const ahead = [from];
  for (let folder = ahead.pop(); folder !== undefined; folder = ahead.pop()) {
    for (const { name, isDirectory } of entriesOf(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (isDirectory) {
        if (!PASSED_OVER.has(name)) ahead.push(path);
      } else if (!isOwnFileName(name)) paths.push(Buffer.from(path).toString('latin1'));
    }
    if (paths.length > most) return { paths: paths.slice(0, most), isComplete: false };
  }
  return { paths, isComplete: true };
}

function statOf(path: Buffer): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (error) {
    // A folder above it became a file, or may no longer be looked into: to us it is gone.
    if (errnoOf(error) === null) throw error;
    return null;
  }
}

/** What the file system says of a file: it changes when the content or the entry does, in time or by a rename. */
export function fingerprint({ mode, size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${mode.toString(8)} ${size} ${mtimeNs} ${ctimeNs} ${ino}`;
}

function digestOf(head: string | null, entries: ReadonlyMap<string, string>): string {
  const lines = [...entries.keys()].sort().map((path) => `${path}\0${entries.get(path) ?? ''}\n`);
  return createHash('sha256')
    .update(`${head ?? ''}\n${lines.join('')}`)
    .digest('hex');
}
