/**
 * What is on disk of a root at one moment, by content: tracked files, untracked ones that are not ignored, and paths that
 * somebody declared although they are ignored. Reads every file once and again only when it may have changed.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { isOwnFileName } from '../model/own-file-names.ts';
import { entriesOf, PASSED_OVER } from './changed-paths.ts';
import { errnoOf } from './disk-error.ts';
import { digestOfBlocks, digestOfLink, pathState } from './path-state.ts';
import { fingerprint, listTree, nameOf, placeOf, type DigestSettings } from './tree-digest.ts';

export interface TreeState {
  /** Sums up `entries`; the same bytes and modes give the same id, whatever HEAD is. */
  readonly stateId: string;
  /** The commit that HEAD names; null without git or before the first commit. */
  readonly head: string | null;
  /** Path relative to the root → kind, mode and digest. */
  readonly entries: ReadonlyMap<string, string>;
  /** The same for declared paths that are not among the entries; a folder stands before what is in it. */
  readonly declared: ReadonlyMap<string, string>;
  /** False where the tree is larger than one look takes in. */
  readonly isComplete: boolean;
}

/** Looks at one root; `declared` are normalised paths. */
export type CaptureState = (root: string, declared: readonly string[], settings: DigestSettings) => Promise<TreeState>;

interface Known {
  readonly print: string;
  readonly hashedAtMs: number;
  readonly sha256: string;
}

const READ_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const BLOCK = 1 << 20;
const AT_ONCE = 200;
const MOST_DECLARED = 10_000;
/** A file that was written so shortly before it was read may be written again within the same tick of its time stamps. */
const RACY_MS = 2000;

/** Makes the captures of one process, which remember the digests of files that have not changed since. */
export function createCaptures(now: () => number = () => Date.now()): CaptureState {
  const memories = new Map<string, Map<string, Known>>();
  return async (root, declared, settings) => {
    const { head, files, isComplete } = await listTree(root, settings);
    const before = memories.get(root);
    const memory = new Map<string, Known>();
    const entries = new Map<string, string>();
    let seen = 0;
    for (const [latin1, found] of files) {
      seen += 1;
      if (seen % AT_ONCE === 0) await breathe();
      const known = found === null ? null : await digest(placeOf(root, latin1), found, before?.get(latin1), now);
      if (known !== null) memory.set(latin1, known);
      entries.set(nameOf(latin1), lineOf(found, known));
    }
    memories.set(root, memory);
    const others = await lookAtDeclared(root, declared, entries);
    return {
      stateId: sumOf(entries),
      head,
      entries,
      declared: others.lines,
      isComplete: isComplete && others.isComplete,
    };
  };
}

async function digest(
  path: Buffer,
  found: BigIntStats,
  known: Known | undefined,
  now: () => number,
): Promise<Known | null> {
  const print = fingerprint(found);
  if (known?.print === print && !isRacy(found, known.hashedAtMs)) return known;
  const hashedAtMs = now();
  try {
    const sha256 = found.isSymbolicLink() ? digestOfLink(path) : await digestOfFile(path);
    return sha256 === null ? null : { print, hashedAtMs, sha256 };
  } catch (error) {
    // Gone or locked since it was listed: that is what stands there now.
    if (errnoOf(error) === null) throw error;
    return null;
  }
}

function isRacy({ mtimeMs, ctimeMs }: BigIntStats, hashedAtMs: number): boolean {
  return Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs) > hashedAtMs - RACY_MS;
}

async function digestOfFile(path: Buffer): Promise<string | null> {
  const descriptor = openSync(path, READ_FILE);
  try {
    return fstatSync(descriptor).isFile() ? await digestOfBlocks(blocksOf(descriptor)) : null;
  } finally {
    closeSync(descriptor);
  }
}

function* blocksOf(descriptor: number): Generator<Uint8Array> {
  const block = Buffer.allocUnsafe(BLOCK);
  for (let count = readSync(descriptor, block); count > 0; count = readSync(descriptor, block)) {
    yield block.subarray(0, count);
  }
}

function lineOf(found: BigIntStats | null, known: Known | null): string {
  if (found === null) return 'absent';
  const kind = found.isSymbolicLink() ? 'symlink' : found.isFile() ? 'file' : 'other';
  return `${kind} ${found.mode.toString(8)} ${known?.sha256 ?? 'unreadable'}`;
}

/** What was declared and is not listed: it is ignored, or in a folder that is passed over. A folder stands for its files. */
async function lookAtDeclared(
  root: string,
  declared: readonly string[],
  listed: ReadonlyMap<string, string>,
): Promise<{ readonly lines: ReadonlyMap<string, string>; readonly isComplete: boolean }> {
  const lines = new Map<string, string>();
  // Everything that is not ignored is listed; a receipt for `.` declares nothing that is ignored.
  const ahead = declared.filter((path) => path !== '.');
  for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
    if (listed.has(path) || lines.has(path)) continue;
    if (lines.size >= MOST_DECLARED) return { lines, isComplete: false };
    const { kind, sha256 } = await pathState(root, path);
    lines.set(path, `${kind} ${sha256 ?? ''}`);
    if (kind !== 'dir') continue;
    const names = entriesOf(join(root, path)).map(({ name }) => name);
    // What suites write by their nature counts only where it is declared by name.
    const counted = names.filter((name) => !PASSED_OVER.has(name) && !isOwnFileName(name));
    ahead.push(...counted.map((name) => `${path}/${name}`));
  }
  return { lines, isComplete: true };
}

function sumOf(lines: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  for (const path of [...lines.keys()].sort()) hash.update(`${path}\0${lines.get(path) ?? ''}\n`);
  return hash.digest('hex');
}
