/**
 * A fingerprint of what is installed for a project and not part of its repository, so that an answer found before an
 * installation is not taken for one about the state after it. Cheap, and so only a look at what installers touch.
 */
import { lstatSync, readdirSync, type BigIntStats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
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
/** Folders in which a folder of the interpreter's version holds the packages. */
const LIBRARIES = ['.venv/lib', 'venv/lib'];
const PACKAGES = ['site-packages', 'dist-packages'];

/**
 * One line for each thing that is there: its name, inode, size and times. `programs` are absolute; an environment that lies
 * elsewhere is known by its programs, which stand in `bin` beside `lib`.
 */
export function dependencyPrint(root: string, programs: readonly string[] = []): readonly string[] {
  const libraries = [...LIBRARIES, ...programs.map((program) => join(dirname(dirname(program)), 'lib'))];
  const packages = [...new Set(libraries)].flatMap((library) =>
    namesIn(resolve(root, library))
      .filter((name) => name.startsWith('python'))
      .flatMap((version) => PACKAGES.map((folder) => join(library, version, folder))),
  );
  return [...TOUCHED, ...programs, ...packages].flatMap((path) => {
    const found = lookAt(resolve(root, path));
    return found === null ? [] : [`${path} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`];
  });
}

/** What stands at a path; a file may stand where a folder is usual (`lib/python3.11.so`), and has nothing in it. */
function lookAt(path: string): BigIntStats | null {
  return ifThere(() => lstatSync(path, { bigint: true }));
}

function namesIn(folder: string): readonly string[] {
  return ifThere(() => readdirSync(folder).sort()) ?? [];
}

function ifThere<Found>(look: () => Found): Found | null {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errnoOf(error) ?? '')) return null;
    throw error;
  }
}
