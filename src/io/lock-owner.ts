/**
 * The file that says who holds a lock. It is for messages and for noticing a holder that this machine's kernel cannot
 * see (another container or machine on one mount); it never decides whether a lock is free.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** Identity of the machine's present boot; null where the system has none. */
  readonly boot: string | null;
  /** Network namespace, within which abstract socket names are unique; null where the system has none. */
  readonly network: string | null;
  /** Tells one holding from another. */
  readonly token: string;
}

const LARGEST_FILE = 4096;
const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } = constants;

/** Describes a new holding by this process. */
export function thisOwner(): LockOwner {
  return {
    pid: process.pid,
    host: hostname(),
    boot: orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()),
    network: orNull(() => readlinkSync('/proc/self/ns/net')),
    token: randomBytes(16).toString('hex'),
  };
}

/** Reads an owner file; null when there is none or it cannot be understood. */
export function readOwner(path: string): LockOwner | null {
  return orNull(() => {
    const descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const found = fstatSync(descriptor);
      return found.isFile() && found.size <= LARGEST_FILE ? parse(readFileSync(descriptor, 'utf8')) : null;
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Writes an owner file over whatever an earlier holder left. Throws where the disk refuses. */
export function writeOwner(path: string, owner: LockOwner): void {
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    writeFileSync(descriptor, `${JSON.stringify(owner)}\n`);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes an owner file unless another holding has been written over it. Never throws. */
export function removeOwner(path: string, owner: LockOwner): void {
  orNull(() => {
    if (readOwner(path)?.token === owner.token) rmSync(path);
  });
}

/**
 * Says who else may be at work, when the owner file found after taking the lock is not simply that of a process that
 * died: a holder in this boot and namespace would have kept us out, and one of an earlier boot is gone.
 */
export function unseenOwner(found: LockOwner | null, mine: LockOwner): string | undefined {
  if (found === null) return undefined;
  const isSeenByKernel = found.boot === mine.boot && found.network === mine.network && found.host === mine.host;
  const isEarlierBoot = found.boot !== mine.boot && found.host === mine.host;
  if (isSeenByKernel || isEarlierBoot) return undefined;
  return (
    `Process ${found.pid} on ${found.host}, in another container or on another machine, was writing to this repository ` +
    'and has not said that it ended; the two cannot keep each other out.'
  );
}

function parse(text: string): LockOwner | null {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return null;
  if (!('pid' in value && 'host' in value && 'boot' in value && 'network' in value && 'token' in value)) return null;
  const { pid, host, boot, network, token } = value;
  if (typeof pid !== 'number' || typeof host !== 'string' || typeof token !== 'string') return null;
  return { pid, host, token, boot: textOrNull(boot), network: textOrNull(network) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
