/** Looks for a `.git` of any kind with the file system alone, so that most folders without git never start a process. */
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Finds the nearest folder, from `folder` (absolute) up to the file system's root, that has an entry named `.git`. */
export function nearRepository(folder: string): string | null {
  if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return folder;
  const parent = dirname(folder);
  return parent === folder ? null : nearRepository(parent);
}
