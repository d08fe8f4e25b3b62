/** The history of a root → the files that Surepatch wrote there and that no commit has taken up since. */
import type { HistoryRecord } from '../model/history.ts';

export interface WrittenFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly sha256: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

type StandingWrite = WrittenFile & { readonly id: string };

/** Reads the records in their order; of several writes to one file the last one that stands counts. */
export function writtenFiles(records: readonly HistoryRecord[]): ReadonlyMap<string, WrittenFile> {
  const takenBack = new Set(records.flatMap(({ kind, id, of }) => (kind === 'rollback' ? [of ?? id] : [])));
  const standing = new Map<string, readonly StandingWrite[]>();
  for (const { kind, id, of, files, atMs } of records) {
    for (const { path, sha256After: sha256 } of files) {
      if (kind === 'commit') standing.delete(path);
      if ((kind !== 'write' && kind !== 'undo') || sha256 === null || takenBack.has(id)) continue;
      const earlier = standing.get(path) ?? [];
      standing.set(path, after(earlier, { id, path, sha256, atMs }, of));
    }
  }
  const last = [...standing].flatMap(([path, writes]): [string, WrittenFile][] => {
    const write = writes.at(-1);
    return write === undefined ? [] : [[path, { path, sha256: write.sha256, atMs: write.atMs }]];
  });
  return new Map(last);
}

/** A write that is undone before it was committed leaves nothing of itself; what is left has the bytes of the undo. */
function after(earlier: readonly StandingWrite[], write: StandingWrite, of: string | null): readonly StandingWrite[] {
  const others = earlier.filter(({ id }) => id !== of);
  if (others.length === earlier.length) return [...earlier, write];
  const last = others.at(-1);
  return last === undefined ? [] : [...others.slice(0, -1), { ...last, sha256: write.sha256, atMs: write.atMs }];
}
