/** Finds the writes that are not settled, in the journals of all roots, without changing anything. */
import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { peekJournal } from './journal.ts';
import type { StateFolder } from './state-folder.ts';

export interface UnsettledWrite {
  /** Real path of the root that it was made in. */
  readonly root: string;
  /** Absolute paths. */
  readonly file: string;
  readonly backup: string;
  /** False once somebody has decided: moved the backup over the file, or deleted it. */
  readonly hasBackup: boolean;
}

/** Lists the writes that their processes did not settle, or are settling right now. */
export function unsettledWrites(state: StateFolder): readonly UnsettledWrite[] {
  const folder = join(state.path, 'roots');
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => (statSync(join(path, 'journal'), { throwIfNoEntry: false })?.size ?? 0) > 0)
    .flatMap((path) => peekJournal(path, state.key))
    .map(({ intent: { root, folder: components, name, backup } }) => ({
      root,
      file: join(root, ...components, name),
      backup: join(root, ...components, backup),
    }))
    .map((write) => ({ ...write, hasBackup: lstatSync(write.backup, { throwIfNoEntry: false }) !== undefined }));
}
