/**
 * Finds the real folder of a root and the real file behind a path in it, following only links that stay inside the
 * root. Looks at nothing outside the root: a link that leaves it is refused from its text alone.
 */
import { isUtf8 } from 'node:buffer';
import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { failure } from '../model/failure.ts';
import { isInside } from '../model/inside.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { errnoOf } from './disk-error.ts';

const MOST_LINKS = 40;

export interface RealFolder {
  readonly path: string;
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Real path and identity of a folder, or null where there is no such folder. */
export function realFolder(path: string): RealFolder | null {
  try {
    const bytes = realpathSync.native(path, { encoding: 'buffer' });
    // A name that is not UTF-8 would be read as another one.
    if (!isUtf8(bytes)) return null;
    const real = bytes.toString('utf8');
    const { dev, ino } = statSync(real, { bigint: true });
    return statSync(real).isDirectory() ? { path: real, dev, ino } : null;
  } catch {
    return null;
  }
}

export interface RealPlace {
  /** Components of the real path from the root down; the last one is the file. */
  readonly components: readonly string[];
  /** The links that were followed, relative to the root. */
  readonly links: readonly string[];
}

/**
 * Follows the links among `components` below the real path `root`.
 * Refuses `PATH_OUTSIDE_REPO` (a link that leaves the root), `FILE_NOT_FOUND` (missing or dangling), `NOT_A_FILE` (a
 * loop, or a file used as a folder).
 */
export function followLinks(root: string, components: readonly string[]): Result<RealPlace> {
  const links: string[] = [];
  const real: string[] = [];
  const ahead = [...components];
  for (let component = ahead.shift(); component !== undefined; component = ahead.shift()) {
    if (component === '' || component === '.') continue;
    if (component === '..') {
      if (real.pop() === undefined) return fail(outsideRoot());
      continue;
    }
    const path = join(root, ...real, component);
    const seen = lookAt(path);
    if (seen === 'missing') return fail(missing([...real, component, ...ahead], links));
    if (seen === 'link') {
      links.push([...real, component].join('/'));
      if (links.length > MOST_LINKS) return fail(failure('NOT_A_FILE', `The links of ${components.join('/')} loop.`));
      const bytes = readlinkSync(path, { encoding: 'buffer' });
      if (!isUtf8(bytes))
        return fail(failure('NOT_A_FILE', `The link ${links.join(', ')} leads to a name that is not UTF-8.`));
      const target = bytes.toString('utf8');
      if (isAbsolute(target)) {
        if (!isInside(root, target)) return fail(outsideRoot());
        real.length = 0;
        ahead.unshift(...relative(root, target).split(sep));
      } else {
        ahead.unshift(...target.split(sep));
      }
      continue;
    }
    if (seen === 'other' && ahead.some((next) => next !== '' && next !== '.')) {
      return fail(failure('NOT_A_FILE', `${[...real, component].join('/')} is not a folder.`));
    }
    real.push(component);
  }
  return ok({ components: real, links });
}

/** The one refusal for every place outside the root, whatever is there. */
export function outsideRoot() {
  return failure('PATH_OUTSIDE_REPO', 'The path does not lead to a file inside the root.', {
    hint:
      'Name a file inside the repository that the call works in, and that repository itself where it is not the first ' +
      '--root; a relative path starts at the first --root, else at the working folder.',
  });
}

/** True when the path names nothing at all, not even a link that leads nowhere. */
export function isNothingAt(path: string): boolean {
  return lookAt(path) === 'missing';
}

function lookAt(path: string): 'missing' | 'link' | 'folder' | 'other' {
  const found = entryAt(path);
  if (found === undefined) return 'missing';
  if (found.isSymbolicLink()) return 'link';
  return found.isDirectory() ? 'folder' : 'other';
}

function entryAt(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A name longer than the file system takes cannot be that of anything there.
    if (errnoOf(error) === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}

function missing(components: readonly string[], links: readonly string[]) {
  const by = links.length === 0 ? '' : ` (the link ${links.join(', ')} leads there)`;
  return failure('FILE_NOT_FOUND', `There is no file ${components.join('/')} in the root${by}.`);
}

/**
 * True when the folder, or one above it, is git's own by what it holds: a bare repository, or a `.git` by any name. A
 * worktree is not, although it may lie in the folder of the bare repository that it was made from.
 */
export function isInGitFolder(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (entryIn(at, '.git') !== 'missing') return false;
    const isGitFolder = ['objects', 'refs'].every((name) => ['folder', 'link'].includes(entryIn(at, name)));
    if (isGitFolder && entryIn(at, 'HEAD') !== 'missing') return true;
    if (dirname(at) === at) return false;
  }
}

function entryIn(folder: string, name: string): ReturnType<typeof lookAt> {
  try {
    return lookAt(join(folder, name));
  } catch (error) {
    // A folder above the root that may not be looked into is nobody's business here.
    if (['EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) return 'missing';
    throw error;
  }
}
