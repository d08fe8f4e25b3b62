/** Finds what changed between looks at a tree without anybody's word, also of paths that not every look declares. */
import { posix } from 'node:path';
import { isWithin } from '../engine/repository-path.ts';
import type { TreeState } from '../io/capture.ts';

/** What is remembered of the looks at one root. */
export interface Seen {
  /** Touched, with the revisions of the first touch that no result has seen and of the last one. */
  readonly dirty: Map<string, { readonly first: number; readonly last: number }>;
  lastLook: { readonly tree: TreeState; readonly atMs: number; readonly revision: number } | null;
  /** What the last look that declared a path saw there; a look declares only what its own call names. */
  readonly declared: Map<string, { readonly line: string; readonly revision: number }>;
}

/** More than these count as everything. */
const MOST_DETECTED = 1000;

/** What differs between two looks and was not touched, as far as anybody said, after the first of them. */
export function untold({ dirty, declared, lastLook: last }: Seen, tree: TreeState): readonly string[] {
  if (last === null) return [];
  const isTold = (path: string, since: number): boolean =>
    [...dirty].some(([folder, touched]) => touched.last > since && isWithin(folder, path));
  if ((dirty.get('.')?.last ?? 0) > last.revision) return [];
  const { tree: before } = last;
  if (before.head !== tree.head) return ['.'];
  const names = new Set([...before.entries.keys(), ...tree.entries.keys()]);
  const moved = [...names].filter((path) => before.entries.get(path) !== tree.entries.get(path));
  const gone = [...declared].filter(([path]) => isSeen(tree, path) && !tree.declared.has(path));
  const other = [...tree.declared].flatMap(([path, line]) => {
    const known = declared.get(path) ?? absentIn(declared, path);
    return known === undefined || known.line === line ? [] : [{ path, since: known.revision }];
  });
  const all = [
    ...moved.map((path) => ({ path, since: last.revision })),
    ...gone.map(([path, { revision }]) => ({ path, since: revision })),
    ...other,
  ];
  if (all.length > MOST_DETECTED) return ['.'];
  const detected = all.filter(({ path, since }) => !isTold(path, since)).map(({ path }) => path);
  return [...new Set(detected)].sort();
}

/** A look that declares a folder sees everything below it that it does not list anyway. */
export function isSeen({ entries, declared }: TreeState, path: string): boolean {
  if (entries.has(path)) return false;
  for (let at = path; at !== '.'; at = posix.dirname(at)) if (declared.has(at)) return true;
  return false;
}

/** What was not in a folder when it was seen whole was not there. */
function absentIn(declared: Seen['declared'], path: string) {
  const folder = declared.get(posix.dirname(path));
  return folder?.line.startsWith('dir ') === true ? { line: 'absent ', revision: folder.revision } : undefined;
}
