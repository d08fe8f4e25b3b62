/** The patch texts of the writes of one root, a file each in the state folder: what an undo makes the inverse of. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bytesIfThere, thinOut } from './kept-files.ts';
import { sha256 } from './target-file.ts';
import { syncFolder, writeNewFile } from './write-file.ts';

const ID = /^[0-9a-f]{32}$/u;
const MOST = 1_000;
const OLDEST_MS = 90 * 24 * 3600 * 1000;

export interface ChangeStore {
  /** Keeps the text durably, thins out older ones, and returns its digest. */
  add(id: string, text: Buffer, nowMs: number): string;
  /** The text, or null where none is kept that has this digest. */
  find(id: string, digest: string): Buffer | null;
}

/** Opens (creates) the folder below the state folder of a root. */
export function openChanges(rootFolder: string): ChangeStore {
  const folder = join(rootFolder, 'changes');
  const pathOf = (id: string): string => join(folder, `${id}.diff`);
  return {
    add: (id, text, nowMs) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      thinOut(folder, MOST - 1, OLDEST_MS, nowMs);
      writeNewFile(pathOf(id), [text], null);
      syncFolder(folder);
      return sha256([text]);
    },
    find: (id, digest) => {
      const text = ID.test(id) ? bytesIfThere(pathOf(id)) : null;
      return text !== null && sha256([text]) === digest ? text : null;
    },
  };
}
