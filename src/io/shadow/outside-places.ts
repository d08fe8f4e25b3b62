/**
 * Finds what a tree leads to outside itself: where its links end (a shared virtual environment, packages of a store), the
 * folder of git of a linked worktree, and what is mounted inside it. Looks only.
 */
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../../model/inside.ts';
import { errnoOf } from '../disk-error.ts';
import { nearRepository } from '../near-repository.ts';

/** A link, relative to the root, and the real folder or regular file that it leads to. */
export interface OutsideLink {
  readonly path: string;
  readonly target: string;
}

export interface OutsidePlaces {
  /** Real folders, none inside another, none of which holds the root. */
  readonly folders: readonly string[];
  /** Real regular files outside those folders. */
  readonly files: readonly string[];
  /** The links, relative to the root, that lead to these folders and files. */
  readonly links: readonly OutsideLink[];
  /** Places inside the root at which something else is mounted. */
  readonly mounts: readonly string[];
  /** Where a link leads that cannot be kept from a suite, because too much is in it. */
  readonly tooBroad: readonly string[];
}

/** A mount each: more than this many folders are taken together by what they have in common; more files, by their folders. */
const MOST_FOLDERS = 16;
const MOST_FILES = 16;
const SYSTEM = ['/bin', '/boot', '/dev', '/etc', '/lib', '/lib64', '/proc', '/run', '/sbin', '/sys', '/usr'];

/**
 * Looks at one root (a real path); `kept` are folders that must stay as they are, with all that holds them. `known` are the
 * links of the whole tree.
 */
export function outsidePlaces(root: string, kept: readonly string[], known: readonly OutsideLink[]): OutsidePlaces {
  const isBroad = (path: string): boolean => [root, ...kept].some((place) => isInside(path, place));
  const isOutside = (path: string): boolean => !isInside(root, path) && !isOfSystem(path);
  const links = known.filter(({ target }) => isOutside(target)).sort(byPath);
  const outside = [...new Set([...links.map(({ target }) => target), ...gitFolders(root).filter(isOutside)])];
  const places = outside.flatMap((path) => placeAt(path));
  const named = places.filter(({ isFolder }) => isFolder).map(({ path }) => path);
  const files = places.filter(({ isFolder }) => !isFolder).map(({ path }) => path);
  const isClosed = (above: string): boolean => isBroad(above) || isOfSystem(above);
  const gathered =
    files.length > MOST_FILES ? files.map((path) => dirname(path)).filter((path) => !isClosed(path)) : [];
  const folders = takeTogether([...named.filter((path) => !isBroad(path)), ...gathered], isClosed);
  return {
    folders: folders.kept,
    files: files.filter((path) => !folders.kept.some((folder) => isInside(folder, path))),
    links,
    mounts: mountsInside(root),
    tooBroad: [...named.filter(isBroad), ...folders.left],
  };
}

function byPath(one: OutsideLink, other: OutsideLink): number {
  return one.path < other.path ? -1 : 1;
}

/** Nothing where the place went away meanwhile. */
function placeAt(path: string): readonly { readonly path: string; readonly isFolder: boolean }[] {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? [] : [{ path, isFolder: found.isDirectory() }];
}

/** The real folder or regular file that a link leads to in the end; null for anything else and for nothing. */
export function leadsTo(link: string | Buffer): string | null {
  try {
    const target = realpathSync.native(link);
    const found = statSync(target, { throwIfNoEntry: false });
    // A name that is not UTF-8 cannot be looked at by this text of it; the caller sees that it is none.
    return found === undefined || found.isDirectory() || found.isFile() ? target : null;
  } catch (error) {
    // A dangling link leads nowhere, and one that cannot be followed does not lead a suite of this user anywhere.
    if (errnoOf(error) === null) throw error;
    return null;
  }
}

/** The folders of git outside the root: of a linked worktree, of a submodule, of a repository that the root is part of. */
function gitFolders(root: string): readonly string[] {
  const repository = nearRepository(root);
  if (repository === null) return [];
  const entry = join(repository, '.git');
  if (lstatSync(entry).isDirectory()) return realFolders(entry);
  const named = /^gitdir: (.+)$/mu.exec(textOf(entry))?.[1];
  if (named === undefined) return realFolders(entry);
  const own = resolve(repository, named.trim());
  const common = textOf(join(own, 'commondir')).trim();
  return [own, ...(common === '' ? [] : [resolve(own, common)])].flatMap(realFolders);
}

function realFolders(path: string): readonly string[] {
  const real = leadsTo(path);
  return real === null ? [] : [real];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Drops what is inside another, and takes the deepest together until few enough are left. */
function takeTogether(folders: readonly string[], isClosed: (path: string) => boolean) {
  const left: string[] = [];
  let kept = outermost(folders);
  while (kept.length > MOST_FOLDERS) {
    const [deepest = '', ...rest] = [...kept].sort((one, other) => depthOf(other) - depthOf(one));
    const above = dirname(deepest);
    if (isClosed(above)) {
      left.push(deepest);
      kept = rest;
    } else kept = outermost([above, ...rest]);
  }
  return { kept, left };
}

function outermost(folders: readonly string[]): readonly string[] {
  const unique = [...new Set(folders)];
  return unique.filter((path) => !unique.some((other) => other !== path && isInside(other, path))).sort();
}

function depthOf(path: string): number {
  return path.split('/').length;
}

function isOfSystem(path: string): boolean {
  return path === '/' || SYSTEM.some((folder) => isInside(folder, path));
}

/** The kernel writes blanks and the like as three octal digits. */
function mountsInside(root: string): readonly string[] {
  const lines = textOf('/proc/self/mountinfo').trimEnd().split('\n');
  const points = lines.map((line) => (line.split(' ')[4] ?? '').replace(/\\([0-7]{3})/gu, unescapeOctal));
  return [...new Set(points)].filter((point) => point !== root && isInside(root, point)).sort();
}

function unescapeOctal(_escape: string, digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 8));
}
