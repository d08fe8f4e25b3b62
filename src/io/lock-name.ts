/** Turns the key of a lock into the name that this kind of system knows how to give to one process at a time. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { exclusiveFile } from './exclusive-file.ts';
import { exclusiveSocket } from './exclusive-socket.ts';
import type { KernelLock } from './kernel-lock.ts';

// All of a Linux address: libuv before 1.48 pads a shorter abstract name with zero bytes, which makes it another name.
const ADDRESS_BYTES = 108;

/** Makes the lock of one key. `folder` is used only where the system has no names without files. */
export function kernelLock(platform: NodeJS.Platform, folder: string, key: string): KernelLock {
  const name = `surepatch-${lockDigest(key)}`;
  if (platform === 'linux') return exclusiveSocket(`\0${name}`.padEnd(ADDRESS_BYTES, '.'));
  if (platform === 'win32') return exclusiveSocket(`\\\\.\\pipe\\${name}`);
  return exclusiveFile(join(folder, `${name}.lock`));
}

/** The digest that stands for a key in the names of sockets and files: 64 hexadecimal digits. */
export function lockDigest(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
