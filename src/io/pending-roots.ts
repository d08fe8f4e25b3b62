/** Finds the roots whose journal is not empty, without changing anything. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openJournal } from './journal.ts';
import type { StateFolder } from './state-folder.ts';

/** Real paths of the roots with a write that its process did not settle (or is settling right now). */
export function pendingRoots(state: StateFolder): readonly string[] {
  const folder = join(state.path, 'roots');
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  const roots = readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => (statSync(join(path, 'journal'), { throwIfNoEntry: false })?.size ?? 0) > 0)
    .flatMap((path) => rootsIn(path, state.key));
  return [...new Set(roots)];
}

function rootsIn(path: string, key: Buffer): readonly string[] {
  const journal = openJournal(path, key);
  try {
    return (journal.pending() ?? []).map(({ intent }) => intent.root);
  } finally {
    journal.close();
  }
}
