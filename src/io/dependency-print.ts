/**
 * A fingerprint of what is installed for a project and not part of its repository, so that an answer found before an
 * installation is not taken for one about the state after it. Cheap, and so only a look at what installers touch.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from './disk-error.ts';

const TOUCHED = [
  'node_modules',
  'node_modules/.package-lock.json',
  'node_modules/.modules.yaml',
  'node_modules/.yarn-state.yml',
  'node_modules/.bin',
  '.venv/pyvenv.cfg',
  'venv/pyvenv.cfg',
  'vendor',
  '.env',
  '.env.local',
  '.env.test',
];
/** Folders in which a folder of the interpreter's version holds `site-packages`. */
const LIBRARIES = ['.venv/lib', 'venv/lib'];

/** One line for each thing that is there: its name, inode, size and times. */
export function dependencyPrint(root: string): readonly string[] {
  const packages = LIBRARIES.flatMap((library) =>
    namesIn(join(root, library)).map((version) => `${library}/${version}/site-packages`),
  );
  return [...TOUCHED, ...packages].flatMap((path) => {
    const found = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
    return found === undefined ? [] : [`${path} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`];
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errnoOf(error) ?? '')) return [];
    throw error;
  }
}
