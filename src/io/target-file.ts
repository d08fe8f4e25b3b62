/** Reads the one file that a write is about and says why it may not be written; never follows a link. */
import { readSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { failure, type Failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { DirectoryHandle } from './directory-handle.ts';
import { withFile, type FileFacts } from './held-file.ts';

const OWNER_MAY_WRITE = 0o200n;
const MODE_BITS = 0o7777n;
const GROWTH = 65_536;

export interface TargetFile {
  readonly bytes: Buffer;
  readonly facts: FileFacts;
  /** SHA-256 of the bytes, hexadecimal. */
  readonly sha256: string;
}

/** SHA-256 of some bytes, hexadecimal. */
export function sha256(pieces: Iterable<Uint8Array>): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

/**
 * Reads a target that may be written. Refuses `NOT_A_FILE`, `HARD_LINKED`, `FILE_READ_ONLY`, `OWNER_DIFFERS` and, over
 * `mostBytes`, `FILE_TOO_LARGE` before reading.
 */
export function readTarget(folder: DirectoryHandle, name: string, mostBytes: number): Result<TargetFile> {
  return withFile(folder, name, (held) => {
    if (held === null) return fail(failure('NOT_A_FILE', `${name} is not a regular file.`));
    const refusal = refusalOf(name, held.facts, mostBytes);
    if (refusal !== null) return fail(refusal);
    const bytes = readAll(held.descriptor, Number(held.facts.size));
    return ok({ bytes, facts: held.facts, sha256: sha256([bytes]) });
  });
}

function refusalOf(name: string, facts: FileFacts, mostBytes: number): Failure | null {
  if (facts.nlink > 1n) {
    return failure('HARD_LINKED', `${name} has ${facts.nlink.toString()} hard links, and a write would split them.`);
  }
  if ((facts.mode & OWNER_MAY_WRITE) === 0n) {
    return failure('FILE_READ_ONLY', `${name} is read-only (mode ${(facts.mode & MODE_BITS).toString(8)}).`);
  }
  const user = process.geteuid?.();
  if (user !== undefined && user !== 0 && facts.uid !== BigInt(user)) {
    return failure('OWNER_DIFFERS', `${name} belongs to the user with id ${facts.uid.toString()}, not to you.`);
  }
  if (facts.size > BigInt(mostBytes)) {
    return failure('FILE_TOO_LARGE', `${name} has ${facts.size.toString()} bytes, the limit is ${mostBytes}.`);
  }
  return null;
}

function readAll(descriptor: number, size: number): Buffer {
  const pieces: Buffer[] = [];
  let ahead = Buffer.allocUnsafe(size + 1);
  for (;;) {
    const count = readSync(descriptor, ahead, 0, ahead.length, null);
    if (count === 0) break;
    pieces.push(ahead.subarray(0, count));
    ahead = ahead.length > count ? ahead.subarray(count) : Buffer.allocUnsafe(GROWTH);
  }
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}
