/** Writes whole files durably: new names only, every byte, then fsync. */
import { closeSync, constants, fchmodSync, fchownSync, fsyncSync, openSync, writeSync } from 'node:fs';

const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const PRIVATE = 0o600;
const MODE_BITS = 0o7777;

export interface NewFileOwner {
  readonly mode: bigint;
  readonly uid: bigint;
  readonly gid: bigint;
}

/**
 * Creates `path`, writes the pieces, gives the file its owner and mode, and syncs it. `beforeSync` gets the open
 * descriptor. Throws the system's error (EEXIST where the name is taken) and leaves removing the file to the caller.
 */
export function writeNewFile(
  path: string,
  pieces: Iterable<Uint8Array>,
  owner: NewFileOwner | null,
  beforeSync: (descriptor: number) => void = () => undefined,
): void {
  const descriptor = openSync(path, CREATE, PRIVATE);
  try {
    for (const piece of gathered(pieces)) writeAll(descriptor, piece);
    if (owner !== null) setOwner(descriptor, owner);
    beforeSync(descriptor);
    // Last, because changing the owner and copying attributes may both take set-id bits away.
    if (owner !== null) fchmodSync(descriptor, Number(owner.mode) & MODE_BITS);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the entries of a folder durable; does nothing where the system cannot. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes every byte at the current position. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  let done = 0;
  while (done < bytes.byteLength) done += writeSync(descriptor, bytes, done, bytes.byteLength - done);
}

function setOwner(descriptor: number, owner: NewFileOwner): void {
  if (process.geteuid === undefined) return;
  try {
    fchownSync(descriptor, Number(owner.uid), Number(owner.gid));
  } catch (error) {
    // Only the group can differ here (another owner is refused beforehand): a group that the user is not in.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error;
  }
}

const BLOCK = 1 << 18;
/** A piece of this size is written by itself, without being copied. */
const LARGE = 1 << 15;

/**
 * Joins small neighbours into blocks, so that ten thousand hunks are not twenty thousand system calls. Each block is
 * valid until the next one is asked for.
 */
function* gathered(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  const block = Buffer.allocUnsafe(BLOCK);
  let used = 0;
  for (const piece of pieces) {
    const isLarge = piece.byteLength >= LARGE;
    if (used > 0 && (isLarge || used + piece.byteLength > BLOCK)) {
      yield block.subarray(0, used);
      used = 0;
    }
    if (isLarge) yield piece;
    else {
      block.set(piece, used);
      used += piece.byteLength;
    }
  }
  if (used > 0) yield block.subarray(0, used);
}

/**
 * Closes a descriptor whose content is synced or was only read. A failure of it says nothing about the file any more,
 * and must not turn a settled write into an answer that it failed.
 */
export function closeDescriptor(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code !== 'EBADF')) throw error;
  }
}
