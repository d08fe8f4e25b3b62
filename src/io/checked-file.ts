/** Writes whole new files and reads them back, so that a disk which loses bytes is noticed before it matters. */
import type { DirectoryHandle } from './directory-handle.ts';
import { digestOf, type HeldFile } from './held-file.ts';
import { writeNewFile, type NewFileOwner } from './write-file.ts';

export interface NewContent {
  readonly pieces: Iterable<Uint8Array>;
  /** SHA-256 of all pieces, hexadecimal. */
  readonly sha256: string;
  /** Owner and mode. */
  readonly owner: NewFileOwner;
}

/**
 * Creates the durable file `name` and compares it with what was to be written. `beforeSync` gets the open descriptor.
 * Throws the system's error (EEXIST where the name is taken), or EIO where other bytes are read back.
 */
export function writeChecked(
  folder: DirectoryHandle,
  name: string,
  { pieces, sha256, owner }: NewContent,
  beforeSync?: (descriptor: number) => void,
): void {
  writeNewFile(folder.at(name), pieces, owner, beforeSync);
  compare(folder, name, sha256);
}

/** Creates a durable copy of an open file, with its owner and mode; throws as `writeChecked` does. */
export function copyChecked(folder: DirectoryHandle, name: string, held: HeldFile): void {
  writeNewFile(folder.at(name), held.blocks(), held.facts);
  compare(folder, name, held.digest());
}

function compare(folder: DirectoryHandle, name: string, sha256: string): void {
  if (digestOf(folder, name) === sha256) return;
  throw Object.assign(new Error('the bytes read back are not those written'), { code: 'EIO' });
}
