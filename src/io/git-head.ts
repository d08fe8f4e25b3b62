/**
 * What HEAD holds of a root, asked of `git cat-file` alone, so that no filter, attribute or hook of the repository is run.
 * Changes nothing. See docs/decisions/0004.
 */
import { createCatFile, type GitProcessOptions } from './git-process.ts';
import { nameOf } from './tree-digest.ts';

export interface HeadEntry {
  /** `link` is a symbolic one; `repository` another repository, of which only the commit is known. */
  readonly kind: 'file' | 'link' | 'repository';
  readonly isExecutable: boolean;
  /** Name of the blob. */
  readonly id: string;
}

export interface HeadOfRoot {
  /** Name of the commit. */
  readonly commit: string;
  /** Entries below the root, by path, of the folders that were asked for. */
  readonly entries: ReadonlyMap<string, HeadEntry>;
  /** Reads blobs by their names, all or none. */
  readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>;
}

export interface HeadOptions {
  /** Absolute path of the git program; null where there is none. */
  readonly gitProgram: string | null;
  readonly env: GitProcessOptions['env'];
}

interface GitObject {
  readonly id: string;
  readonly bytes: Buffer;
}

interface TreeEntry {
  readonly mode: string;
  readonly name: string;
  readonly id: string;
}

const KINDS: Readonly<Record<string, HeadEntry['kind']>> = { '120000': 'link', '160000': 'repository' };
const FOLDER = '40000';
/** More blobs than these are asked for in several goes. */
const MOST_AT_ONCE = 500;

/**
 * Lists what HEAD holds below a root; `isWanted` says which folders to look into. Null where HEAD names no commit. Throws
 * what git says where it does not work here.
 */
export async function headOfRoot(
  root: string,
  isWanted: (folder: string) => boolean,
  { gitProgram, env }: HeadOptions,
): Promise<HeadOfRoot | null> {
  if (gitProgram === null) return null;
  const catFile = createCatFile({ gitProgram, env });
  const ask = async (names: readonly string[]): Promise<ReadonlyMap<string, GitObject>> => {
    const found = new Map<string, GitObject>();
    for (let at = 0; at < names.length; at += MOST_AT_ONCE) {
      const some = names.slice(at, at + MOST_AT_ONCE);
      const input = Buffer.from(some.map((name) => `${name}\n`).join(''));
      const objects = objectsOf(await catFile(root, ['--batch'], input));
      some.forEach((name, index) => {
        const object = objects[index] ?? null;
        if (object !== null) found.set(name, object);
      });
    }
    return found;
  };
  const read = async (names: readonly string[]): Promise<ReadonlyMap<string, Buffer>> =>
    new Map([...(await ask(names))].map(([name, { bytes }]) => [name, bytes]));
  // `./` is the root, wherever it lies in its worktree; a root of which HEAD knows nothing has no tree.
  const [commit, top] = ['HEAD^{commit}', 'HEAD:./'];
  const start = await ask([commit, top]);
  const named = start.get(commit);
  if (named === undefined) return null;
  const entries = new Map<string, HeadEntry>();
  let level = new Map<string, Buffer>([['', start.get(top)?.bytes ?? Buffer.alloc(0)]]);
  const idLength = named.id.length;
  while (level.size > 0) {
    const folders = new Map<string, string>();
    for (const [folder, bytes] of level) {
      for (const { mode, name, id } of treeEntries(bytes, idLength)) {
        const path = folder === '' ? name : `${folder}/${name}`;
        if (mode === FOLDER) {
          if (isWanted(path)) folders.set(path, id);
        } else entries.set(path, { kind: KINDS[mode] ?? 'file', isExecutable: mode === '100755', id });
      }
    }
    const trees = await read([...new Set(folders.values())]);
    level = new Map();
    for (const [path, id] of folders) {
      const bytes = trees.get(id);
      if (bytes === undefined) throw new Error(`git does not hold the tree of ${path}`);
      level.set(path, bytes);
    }
  }
  return { commit: named.id, entries, read };
}

/** Answers of `cat-file --batch`, in order; null for an object that is missing. */
function objectsOf(output: Buffer): readonly (GitObject | null)[] {
  const objects: (GitObject | null)[] = [];
  for (let at = 0; at < output.length;) {
    const end = output.indexOf('\n', at);
    const line = output.toString('latin1', at, end);
    const [, id, size] = /^([0-9a-f]+) [a-z]+ ([0-9]+)$/u.exec(line) ?? [];
    if (id === undefined || size === undefined) {
      if (end < 0 || !line.endsWith(' missing')) throw new SyntaxError('git gave an answer that is not understood');
      objects.push(null);
      at = end + 1;
      continue;
    }
    objects.push({ id, bytes: output.subarray(end + 1, end + 1 + Number(size)) });
    at = end + 1 + Number(size) + 1;
  }
  return objects;
}

/** `mode SP name NUL id`, over and over, the id as bytes. */
function treeEntries(tree: Buffer, idLength: number): readonly TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < tree.length;) {
    const blank = tree.indexOf(' ', at);
    const nul = tree.indexOf(0, blank);
    const end = nul + 1 + idLength / 2;
    if (blank < 0 || nul < 0) throw new SyntaxError('git gave a tree that is not understood');
    entries.push({
      mode: tree.toString('latin1', at, blank),
      name: nameOf(tree.toString('latin1', blank + 1, nul)),
      id: tree.toString('hex', nul + 1, end),
    });
    at = end;
  }
  return entries;
}
