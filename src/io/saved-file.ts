/** Reads a file that somebody else saved, to judge it: whatever it is, no link followed out of the root, nothing changed. */
import { lstatSync, readlinkSync } from 'node:fs';
import { openDirectory } from './directory-handle.ts';
import { errnoOf } from './disk-error.ts';
import { withFile } from './held-file.ts';
import { followLinks } from './worktree.ts';

export type SavedFile =
  | {
      readonly kind: 'file';
      /** Of the real path. */
      readonly components: readonly string[];
      readonly bytes: Buffer;
      readonly isExecutable: boolean;
    }
  | {
      readonly kind: 'link';
      /** Where it leads, as it says. */
      readonly bytes: Buffer;
    }
  | { readonly kind: 'absent' | 'folder' | 'other' | 'too_large' | 'outside' };

const MAY_RUN = 0o111n;
const NOTHING_THERE = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

/**
 * Where a normalised path really lies, the links of its folders followed; itself where nothing is there, null where one of
 * them leads out of the root or nowhere.
 */
export function realSavedPath(root: string, path: string): string | null {
  if (path === '.') return path;
  const named = path.split('/');
  const parents = followLinks(root, named.slice(0, -1));
  if (parents.ok) return [...parents.value.components, ...named.slice(-1)].join('/');
  return parents.failure.code === 'FILE_NOT_FOUND' ? path : null;
}

/** Reads a normalised path; a larger file than `mostBytes` is not read. Throws where the disk refuses. */
export function readSavedFile(root: string, path: string, mostBytes: number): SavedFile {
  const named = path.split('/');
  const parents = followLinks(root, named.slice(0, -1));
  if (!parents.ok) return { kind: parents.failure.code === 'FILE_NOT_FOUND' ? 'absent' : 'outside' };
  const { components: above } = parents.value;
  const name = named.at(-1) ?? '';
  try {
    const folder = openDirectory(root, above);
    try {
      const entry = lstatSync(folder.at(name));
      if (entry.isDirectory()) return { kind: 'folder' };
      if (entry.isSymbolicLink()) {
        return { kind: 'link', bytes: readlinkSync(folder.at(name), { encoding: 'buffer' }) };
      }
      return withFile(folder, name, (held): SavedFile => {
        if (held === null) return { kind: 'other' };
        if (held.facts.size > BigInt(mostBytes)) return { kind: 'too_large' };
        const pieces: Buffer[] = [];
        // A block may be overwritten by the next one.
        for (const block of held.blocks()) pieces.push(Buffer.from(block));
        const bytes = Buffer.concat(pieces);
        const isExecutable = (held.facts.mode & MAY_RUN) !== 0n;
        return { kind: 'file', components: [...above, name], bytes, isExecutable };
      });
    } finally {
      folder.close();
    }
  } catch (error) {
    if (!NOTHING_THERE.includes(errnoOf(error) ?? '')) throw error;
    return { kind: 'absent' };
  }
}
