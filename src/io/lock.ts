/**
 * One holder per key over all processes of this machine. Who holds a key is decided by the kernel alone; this module
 * adds the order of arrival inside the process, the bound on waiting, and the words for who is in the way.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { failure, type Failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { errnoOf } from './disk-error.ts';
import { exclusiveFile } from './exclusive-file.ts';
import { exclusiveSocket } from './exclusive-socket.ts';
import type { HeldLock, KernelLock } from './kernel-lock.ts';
import { readOwner, removeOwner, thisOwner, unseenOwner, writeOwner, type LockOwner } from './lock-owner.ts';
import { pause, takePlace, turnComes, type Lines, type Place } from './waiting.ts';

export interface LocksOptions {
  /** Folder that is private to the user; owner files go into `locks` below it. */
  readonly stateFolder: string;
  readonly platform?: NodeJS.Platform;
}

export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined;
  /** Longest wait in milliseconds; ten minutes when left out, a few test runs. */
  readonly waitMs?: number | undefined;
  /** Called once, when somebody else holds the key; the owner is null when it is not known. */
  readonly onWait?: ((owner: LockOwner | null) => void) | undefined;
}

export interface Lease {
  /** One sentence, when somebody whom the kernel cannot see may hold the same key. */
  readonly note?: string;
  /** Lets go; does nothing the second time. */
  release(): Promise<void>;
}

export interface Locks {
  /** Waits for the key. Fails with CANCELLED, REPOSITORY_LOCKED after `waitMs`, or STATE_UNAVAILABLE. */
  acquire(key: string, options?: AcquireOptions): Promise<Result<Lease>>;
}

const DEFAULT_WAIT_MS = 600_000;
// All of a Linux address: libuv before 1.48 pads a shorter abstract name with zero bytes, which makes it another name.
const ADDRESS_BYTES = 108;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
// A wait that ends sooner than this although the name is still held says nothing; some in a row are slowed down.
const TELLING_WAIT_MS = 5;
const QUICK_WAITS = 3;
const SLOWEST_RETRY_MS = 50;

/** Makes the locks of one process; two of them on one state folder still exclude each other. */
export function createLocks({ stateFolder, platform = process.platform }: LocksOptions): Locks {
  const folder = join(stateFolder, 'locks');
  const lines: Lines = new Map();
  let proof: Promise<boolean> | undefined;

  return {
    async acquire(key, { signal, waitMs = DEFAULT_WAIT_MS, onWait } = {}) {
      const ownerPath = join(folder, `${lockDigest(key)}.json`);
      const stop = new AbortController();
      const giveUp = (): void => {
        stop.abort();
      };
      const timer = setTimeout(giveUp, Math.min(waitMs, LONGEST_TIMER_MS));
      signal?.addEventListener('abort', giveUp, { once: true });
      if (signal?.aborted === true) giveUp();
      let hasSaid = false;
      const say = (): void => {
        if (!hasSaid) onWait?.(readOwner(ownerPath));
        hasSaid = true;
      };
      const place = takePlace(lines, key);
      try {
        if (place.previous !== undefined) say();
        await turnComes(place, stop.signal);
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const held = await hold(kernelLock(platform, folder, key), stop.signal, say);
        if (held === null) {
          return refuse(place, signal?.aborted === true ? cancelled() : locked(readOwner(ownerPath), waitMs));
        }
        proof ??= proveExclusive(platform, folder, key).catch(() => false);
        if (await proof) return ok(lease(held, ownerPath, place.leave));
        proof = undefined;
        await held.letGo();
        return refuse(place, unavailable('locks on this machine or disk do not keep anybody out'));
      } catch (error) {
        const errno = errnoOf(error);
        if (errno !== null) return refuse(place, unavailable(errno));
        place.leave();
        throw error;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      }
    },
  };
}

function refuse(place: Place, why: Failure): Result<Lease> {
  place.leave();
  return fail(why);
}

/** The lock of one key, by what this kind of system gives to one process at a time. */
function kernelLock(platform: NodeJS.Platform, folder: string, key: string): KernelLock {
  const name = `surepatch-${lockDigest(key)}`;
  if (platform === 'linux') return exclusiveSocket(`\0${name}`.padEnd(ADDRESS_BYTES, '.'));
  if (platform === 'win32') return exclusiveSocket(`\\\\.\\pipe\\${name}`);
  return exclusiveFile(join(folder, `${name}.lock`));
}

/** The digest that stands for a key in the names of sockets and files: 64 hexadecimal digits. */
export function lockDigest(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Takes the name as soon as it is free; null when the signal is aborted first. */
async function hold(lock: KernelLock, signal: AbortSignal, say: () => void): Promise<HeldLock | null> {
  for (let quick = 0; !signal.aborted;) {
    const held = await lock.tryHold();
    if (held !== null) return held;
    say();
    const since = performance.now();
    await lock.holderGone(signal);
    quick = performance.now() - since < TELLING_WAIT_MS ? quick + 1 : 0;
    if (quick > QUICK_WAITS) await pause(Math.min(2 ** (quick - QUICK_WAITS), SLOWEST_RETRY_MS), signal);
  }
  return null;
}

/**
 * Proves once, with the lock just taken, that a held name is refused and (on Linux) that another name is not: a system
 * may ignore the flag that locks a file, and Node before 20.8 cuts every abstract name down to the same one.
 */
async function proveExclusive(platform: NodeJS.Platform, folder: string, key: string): Promise<boolean> {
  const again = await kernelLock(platform, folder, key).tryHold();
  await again?.letGo();
  if (again !== null || platform !== 'linux') return again === null;
  const other = await kernelLock(platform, folder, `${key} ${thisOwner().token}`).tryHold();
  await other?.letGo();
  return other !== null;
}

function lease(held: HeldLock, ownerPath: string, leave: () => void): Lease {
  const mine = thisOwner();
  const unseen = unseenOwner(readOwner(ownerPath), mine);
  const unwritten = announce(ownerPath, mine);
  const note = unseen ?? unwritten;
  let released: Promise<void> | undefined;
  const letGo = async (): Promise<void> => {
    removeOwner(ownerPath, mine);
    try {
      await held.letGo();
    } finally {
      leave();
    }
  };
  return { ...(note === undefined ? {} : { note }), release: () => (released ??= letGo()) };
}

function announce(ownerPath: string, mine: LockOwner): string | undefined {
  try {
    writeOwner(ownerPath, mine);
    return undefined;
  } catch (error) {
    return `The file that names the holder of the lock could not be written (${errnoOf(error) ?? String(error)}).`;
  }
}

function unavailable(why: string): Failure {
  return failure('STATE_UNAVAILABLE', `The lock of this repository cannot be taken: ${why}.`);
}

function cancelled(): Failure {
  return failure('CANCELLED', 'The call was cancelled while it waited for its turn; nothing was touched.');
}

function locked(owner: LockOwner | null, waitMs: number): Failure {
  const holder = owner === null ? 'a process that is not known' : `process ${owner.pid} on ${owner.host}`;
  return failure(
    'REPOSITORY_LOCKED',
    `The repository is still held by ${holder} after ${waitMs} ms; nothing was touched.`,
  );
}
