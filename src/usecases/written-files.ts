/** The history of a root → the files that Surepatch wrote there and that no commit has taken up since. */
import type { HistoryRecord } from '../model/history.ts';

export interface WrittenFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly sha256: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** Reads the records in their order; of several writes to one file the last one that stands counts. */
export function writtenFiles(records: readonly HistoryRecord[]): ReadonlyMap<string, WrittenFile> {
  const standing = new Map<string, readonly (WrittenFile & { readonly id: string })[]>();
  for (const { kind, id, of, files, atMs } of records) {
    for (const { path, sha256After } of files) {
      const earlier = standing.get(path) ?? [];
      if (kind === 'commit') standing.delete(path);
      if (kind === 'rollback') {
        standing.set(
          path,
          earlier.filter((write) => write.id !== (of ?? id)),
        );
      }
      if ((kind === 'write' || kind === 'undo') && sha256After !== null) {
        standing.set(path, [...earlier, { id, path, sha256: sha256After, atMs }]);
      }
    }
  }
  const last = [...standing].flatMap(([path, writes]): [string, WrittenFile][] => {
    const write = writes.at(-1);
    return write === undefined ? [] : [[path, { path, sha256: write.sha256, atMs: write.atMs }]];
  });
  return new Map(last);
}
