/** A regular file kept open while its name is given to another, so that a foreign write in between is noticed and kept. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errnoOf } from './disk-error.ts';
import type { DirectoryHandle } from './directory-handle.ts';

const READ_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const BLOCK = 1 << 20;

/** What `fstat` says of a file; equal facts mean that nobody has replaced or changed it. */
export interface FileFacts {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly mode: bigint;
  readonly uid: bigint;
  readonly gid: bigint;
  readonly nlink: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

export interface HeldFile {
  readonly descriptor: number;
  readonly facts: FileFacts;
  /** SHA-256 of the content at this moment, hexadecimal. */
  digest(): string;
  /** True when the content was written to since the file was opened, by whatever name. */
  changed(): boolean;
  /** The content at this moment, in blocks. */
  blocks(): Generator<Uint8Array>;
  close(): void;
}

/** Opens the regular file `name`; null where there is none (nothing, a link, a folder, a device, a socket). */
export function holdFile(folder: DirectoryHandle, name: string): HeldFile | null {
  const descriptor = openExisting(folder.at(name));
  if (descriptor === null) return null;
  const facts = factsOf(descriptor);
  if (facts === null) {
    closeSync(descriptor);
    return null;
  }
  return {
    descriptor,
    facts,
    digest: () => {
      const hash = createHash('sha256');
      for (const block of blocksOf(descriptor)) hash.update(block);
      return hash.digest('hex');
    },
    changed: () => !sameContent(facts, fstatSync(descriptor, { bigint: true })),
    blocks: () => blocksOf(descriptor),
    close: () => {
      closeSync(descriptor);
    },
  };
}

/** Runs `use` on the file held open, or on null where there is none, and lets go of it in every case. */
export function withFile<Value>(folder: DirectoryHandle, name: string, use: (held: HeldFile | null) => Value): Value {
  const held = holdFile(folder, name);
  try {
    return use(held);
  } finally {
    held?.close();
  }
}

/** SHA-256 of the regular file `name`, or null where there is none. */
export function digestOf(folder: DirectoryHandle, name: string): string | null {
  return withFile(folder, name, (held) => held?.digest() ?? null);
}

/** True when both are the same file and its content was not written to in between. */
export function sameContent(one: FileFacts, other: FileFacts): boolean {
  return one.dev === other.dev && one.ino === other.ino && one.size === other.size && one.mtimeNs === other.mtimeNs;
}

function factsOf(descriptor: number): FileFacts | null {
  try {
    const stat = fstatSync(descriptor, { bigint: true });
    const { dev, ino, mode, uid, gid, nlink, size, mtimeNs, ctimeNs } = stat;
    return stat.isFile() ? { dev, ino, mode, uid, gid, nlink, size, mtimeNs, ctimeNs } : null;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function openExisting(path: string): number | null {
  try {
    return openSync(path, READ_FILE);
  } catch (error) {
    // A link (ELOOP), a socket (ENXIO) or nothing at all: in no case the regular file that was asked for.
    if (['ENOENT', 'ELOOP', 'ENXIO', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return null;
    throw error;
  }
}

function* blocksOf(descriptor: number): Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(BLOCK);
  for (let position = 0; ;) {
    const count = readSync(descriptor, buffer, 0, buffer.length, position);
    if (count === 0) return;
    position += count;
    yield buffer.subarray(0, count);
  }
}
