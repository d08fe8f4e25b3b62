/**
 * Surepatch's own folder outside every repository: private to the user, one folder in it per root, and the key that
 * tells our journal records from planted ones.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { errnoOf } from './disk-error.ts';
import type { RealFolder } from './worktree.ts';
import { syncFolder, writeNewFile } from './write-file.ts';

const PRIVATE_FOLDER = 0o700;
const OTHERS = 0o077;
const KEY_BYTES = 32;

export interface StateFolder {
  readonly path: string;
  /** Key of the journal's message authentication codes. */
  readonly key: Buffer;
}

/** Opens (creates) `<stateHome>/surepatch`. Refuses `STATE_UNAVAILABLE` when it cannot be made private or written. */
export function openStateFolder(stateHome: string): Result<StateFolder> {
  try {
    makeFolder(stateHome);
    const path = join(realpathSync.native(stateHome), 'surepatch');
    const problem = makePrivate(path);
    if (problem !== null) return fail(failure('STATE_UNAVAILABLE', problem));
    return ok({ path, key: readKey(path) });
  } catch (error) {
    return fail(failure('STATE_UNAVAILABLE', `The state folder in ${stateHome} is not usable (${reason(error)}).`));
  }
}

/**
 * Opens (creates) the folder of one root, known by its inode and real path: devices are numbered anew at each start of
 * the system, and a journal must be found again after one.
 */
export function openRootFolder(state: StateFolder, root: RealFolder): Result<string> {
  const name = createHash('sha256').update(`${root.ino}:${root.path}`).digest('hex');
  try {
    for (const folder of [join(state.path, 'roots'), rootFolderPath(state, name)]) {
      const problem = makePrivate(folder);
      if (problem !== null) return fail(failure('STATE_UNAVAILABLE', problem));
    }
    return ok(rootFolderPath(state, name));
  } catch (error) {
    return fail(failure('STATE_UNAVAILABLE', `The state folder ${state.path} is not usable (${reason(error)}).`));
  }
}

function rootFolderPath(state: StateFolder, name: string): string {
  return join(state.path, 'roots', name);
}

function makePrivate(path: string): string | null {
  makeFolder(path);
  const found = lstatSync(path);
  if (!found.isDirectory()) return `${path} is not a folder.`;
  const user = process.geteuid?.();
  if (user === undefined) return null;
  if (found.uid !== user) return `${path} belongs to another user.`;
  if ((found.mode & OTHERS) !== 0) chmodSync(path, PRIVATE_FOLDER);
  return null;
}

/**
 * Makes what is missing of a path durably: a journal in a folder that a power loss takes away is no journal. Not by the
 * system library's recursive form, which never ends where a folder cannot hold another (Node 20, `/proc/x/y`).
 */
function makeFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER });
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return;
    throw error;
  }
  syncFolder(dirname(path));
}

function readKey(folder: string): Buffer {
  const path = join(folder, 'key');
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) createKey(path);
  // What a process that died while it made the key has left; whoever makes one right now finds that it is there.
  for (const name of readdirSync(folder)) if (isKeyInTheMaking(name)) rmSync(join(folder, name), { force: true });
  const descriptor = openSync(path, 'r');
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Links a complete key into place, so that of two processes starting at once both read the same whole one. */
function createKey(path: string): void {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    writeNewFile(temporary, [randomBytes(KEY_BYTES)], null);
    linkSync(temporary, path);
    syncFolder(dirname(path));
  } catch (error) {
    if (!['EEXIST', 'ENOENT'].includes(errnoOf(error) ?? '')) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function isKeyInTheMaking(name: string): boolean {
  return /^key\.[0-9a-f]{16}\.tmp$/u.test(name);
}

function reason(error: unknown): string {
  return errnoOf(error) ?? (error instanceof Error ? error.message : 'unknown reason');
}
