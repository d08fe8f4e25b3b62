/**
 * Reads the small files by which a project says what it is, and lists its folders. A link counts as what it leads to
 * inside the root; of one that leaves it only the name is said. What cannot be opened or is no text is as if not there.
 */
import { isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { openDirectory, type DirectoryHandle } from './directory-handle.ts';
import { errnoOf } from './disk-error.ts';
import { withFile, type HeldFile } from './held-file.ts';
import { followLinks } from './worktree.ts';

const LARGEST = 1 << 20;
const NOT_THERE = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'ENAMETOOLONG'];

/** Text of a regular UTF-8 file of at most 1 MiB, named relative to the real path `root`; a mark at its start is left out. */
export function readProjectFile(root: string, path: string): string | null {
  return unlessNotThere(null, () => {
    const components = realComponents(root, path);
    const name = components?.at(-1);
    if (components === null || name === undefined) return null;
    return withFolder(root, components.slice(0, -1), (folder) => withFile(folder, name, textOf));
  });
}

/** Names in a folder of the root in their order, those of folders with a `/` at the end; empty where there is none. */
export function listProjectFolder(root: string, folder: string): readonly string[] {
  return unlessNotThere<readonly string[]>([], () => {
    const components = realComponents(root, folder);
    if (components === null) return [];
    const entries = withFolder(root, components, (handle) =>
      readdirSync(handle.at('.'), { encoding: 'buffer', withFileTypes: true }),
    );
    return entries
      .filter(({ name }) => isUtf8(name))
      .map((entry) => {
        const name = entry.name.toString('utf8');
        const isFolder = entry.isSymbolicLink() ? leadsToFolder(root, [...components, name]) : entry.isDirectory();
        return isFolder ? `${name}/` : name;
      })
      .toSorted();
  });
}

function realComponents(root: string, path: string): readonly string[] | null {
  if (isAbsolute(path) || path.includes('\0')) return null;
  const place = followLinks(root, path.split('/'));
  return place.ok ? place.value.components : null;
}

function leadsToFolder(root: string, components: readonly string[]): boolean {
  return unlessNotThere(false, () => {
    const place = followLinks(root, components);
    if (!place.ok) return false;
    const name = place.value.components.at(-1);
    if (name === undefined) return true;
    return withFolder(root, place.value.components.slice(0, -1), (folder) => lstatSync(folder.at(name)).isDirectory());
  });
}

function textOf(held: HeldFile | null): string | null {
  if (held === null) return null;
  const blocks: Uint8Array[] = [];
  let size = 0;
  for (const block of held.blocks()) {
    size += block.length;
    if (size > LARGEST) return null;
    blocks.push(Buffer.from(block));
  }
  const bytes = Buffer.concat(blocks);
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : null;
}

function withFolder<Value>(
  root: string,
  components: readonly string[],
  use: (folder: DirectoryHandle) => Value,
): Value {
  const folder = openDirectory(root, components);
  try {
    return use(folder);
  } finally {
    folder.close();
  }
}

function unlessNotThere<Value>(otherwise: Value, look: () => Value): Value {
  try {
    return look();
  } catch (error) {
    if (NOT_THERE.includes(errnoOf(error) ?? '')) return otherwise;
    throw error;
  }
}
