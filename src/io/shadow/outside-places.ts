/**
 * Finds what a tree leads to outside itself: links of its upper levels to folders and files elsewhere (a shared virtual
 * environment, packages of a store), the folder of git of a linked worktree, and what is mounted inside it. Looks only.
 */
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isInside } from '../../model/inside.ts';
import { nearRepository } from '../near-repository.ts';

export interface OutsidePlaces {
  /** Real folders, none inside another, none of which holds the root. */
  readonly folders: readonly string[];
  /** Real regular files outside those folders. */
  readonly files: readonly string[];
  /** The links, relative to the root, that lead to these folders and files. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** Places inside the root at which something else is mounted. */
  readonly mounts: readonly string[];
  /** Where a link leads that cannot be kept from a suite, because too much is in it. */
  readonly tooBroad: readonly string[];
}

/** A mount each: more than this many folders are taken together by what they have in common. */
const MOST_FOLDERS = 16;
const SYSTEM = ['/bin', '/boot', '/dev', '/etc', '/lib', '/lib64', '/proc', '/run', '/sbin', '/sys', '/usr'];

/** Looks at one root (a real path); `kept` are folders that must stay as they are, with all that holds them. */
export function outsidePlaces(root: string, kept: readonly string[]): OutsidePlaces {
  const isBroad = (path: string): boolean => [root, ...kept].some((place) => isInside(path, place));
  const isOutside = (path: string): boolean => !isInside(root, path) && !isOfSystem(path);
  const links = linksOf(root)
    .flatMap((link) => realTarget(link).map((target) => ({ path: relative(root, link), target })))
    .filter(({ target }) => isOutside(target));
  const outside = [...new Set([...links.map(({ target }) => target), ...gitFolders(root).filter(isOutside)])];
  const isFolder = (path: string): boolean => statSync(path).isDirectory();
  const broad = outside.filter((path) => isFolder(path) && isBroad(path));
  const folders = gather(
    outside.filter((path) => isFolder(path) && !isBroad(path)),
    isBroad,
  );
  const files = outside.filter(
    (path) => statSync(path).isFile() && !folders.kept.some((folder) => isInside(folder, path)),
  );
  return { folders: folders.kept, files, links, mounts: mountsInside(root), tooBroad: [...broad, ...folders.left] };
}

/** Links of the two upper levels, and of the scopes of `node_modules`. */
function linksOf(root: string): readonly string[] {
  const found: string[] = [];
  const look = (folder: string, deeper: (name: string) => boolean, next: (path: string) => void): void => {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) found.push(path);
      else if (entry.isDirectory() && deeper(entry.name)) next(path);
    }
  };
  const all = (): boolean => true;
  const none = (): boolean => false;
  const isScope = (name: string): boolean => name.startsWith('@');
  look(root, all, (folder) => {
    const isPackages = folder === join(root, 'node_modules');
    look(folder, isPackages ? isScope : none, (scope) => {
      look(scope, none, () => undefined);
    });
  });
  return found;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // What this user cannot list, a suite of this user cannot follow either.
    return [];
  }
}

function realTarget(link: string): readonly string[] {
  try {
    const target = realpathSync.native(link);
    const found = statSync(target);
    return found.isDirectory() || found.isFile() ? [target] : [];
  } catch {
    // A dangling link leads nowhere.
    return [];
  }
}

/** The folders of git outside the root: of a linked worktree, of a submodule, of a repository that the root is part of. */
function gitFolders(root: string): readonly string[] {
  const repository = nearRepository(root);
  if (repository === null) return [];
  const entry = join(repository, '.git');
  if (lstatSync(entry).isDirectory()) return realTarget(entry);
  const named = /^gitdir: (.+)$/mu.exec(textOf(entry))?.[1];
  if (named === undefined) return realTarget(entry);
  const own = resolve(repository, named.trim());
  const common = textOf(join(own, 'commondir')).trim();
  return [...realTarget(own), ...(common === '' ? [] : realTarget(resolve(own, common)))];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Drops what is inside another, and takes the deepest together until few enough are left. */
function gather(folders: readonly string[], isBroad: (path: string) => boolean) {
  const left: string[] = [];
  let kept = outermost(folders);
  while (kept.length > MOST_FOLDERS) {
    const [deepest = '', ...rest] = [...kept].sort((one, other) => depthOf(other) - depthOf(one));
    const above = dirname(deepest);
    if (isBroad(above) || isOfSystem(above)) {
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
