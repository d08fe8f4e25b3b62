/** What stands at one path of a root at this moment; follows no link out of the root, and hashes a link by its text. */
import { createHash } from 'node:crypto';
import { lstatSync, readlinkSync } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import type { PathState } from '../model/receipt.ts';
import { openDirectory } from './directory-handle.ts';
import { errnoOf } from './disk-error.ts';
import { holdFile } from './held-file.ts';
import { followLinks } from './worktree.ts';

/** A larger file has no digest: a receipt must be answered soon. */
const MOST_BYTES = 256n << 20n;
/** Other calls have their turn after so much. */
const BYTES_AT_ONCE = 8 << 20;
const NOTHING_THERE = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

/** Looks at a normalised path (`.` for the root). Whatever the file system refuses is an answer too. */
export async function pathState(root: string, path: string): Promise<PathState> {
  if (path === '.') return { kind: 'dir' };
  try {
    return await look(root, path.split('/'));
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    return { kind: NOTHING_THERE.includes(errno) ? 'absent' : 'unreadable' };
  }
}

async function look(root: string, components: readonly string[]): Promise<PathState> {
  const parents = followLinks(root, components.slice(0, -1));
  if (!parents.ok) return { kind: parents.failure.code === 'FILE_NOT_FOUND' ? 'absent' : 'unreadable' };
  const folder = openDirectory(root, parents.value.components);
  try {
    const name = components.at(-1) ?? '';
    const found = lstatSync(folder.at(name), { bigint: true });
    if (found.isDirectory()) return { kind: 'dir' };
    if (found.isSymbolicLink()) return { kind: 'symlink', sha256: digestOfLink(folder.at(name)) };
    const held = found.isFile() ? holdFile(folder, name) : null;
    if (held === null) return { kind: 'unreadable' };
    try {
      if (held.facts.size > MOST_BYTES) return { kind: 'file' };
      return { kind: 'file', sha256: await digestOfBlocks(held.blocks()) };
    } finally {
      held.close();
    }
  } finally {
    folder.close();
  }
}

/** SHA-256 of what a link says. */
export function digestOfLink(path: string | Buffer): string {
  return createHash('sha256')
    .update(readlinkSync(path, { encoding: 'buffer' }))
    .digest('hex');
}

/** SHA-256 of blocks as they come; lets others have their turn in between. */
export async function digestOfBlocks(blocks: Iterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  let since = 0;
  for (const block of blocks) {
    hash.update(block);
    since += block.byteLength;
    if (since < BYTES_AT_ONCE) continue;
    since = 0;
    await breathe();
  }
  return hash.digest('hex');
}
