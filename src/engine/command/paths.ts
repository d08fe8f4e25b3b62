/** Decides by spelling alone whether a word names a place outside the root. Follows no link and reads no disk. */

const SEPARATOR = /[=:,;@]/u;
const DRIVE_PATH = /^[A-Za-z]:[\\/]/u;
const DRIVE = /^[A-Za-z]:/u;

/**
 * Finds the part of a word that leaves the root (an absolute path elsewhere, a parent path, a home folder), or null.
 * A part is the word itself, and what stands after any of `= : , ; @` or after a short flag's letter.
 */
export function partOutsideRoot(word: string, root: string): string | null {
  const joined = /^-[^-]/u.test(word) ? firstOutside(word.slice(2), root) : null;
  return joined ?? firstOutside(word, root);
}

/** Tells whether a relative path climbs above where it starts, at its end or on the way. */
export function climbs(path: string): boolean {
  let depth = 0;
  for (const segment of path.split(/[\\/]/u)) {
    if (segment === '..') depth -= 1;
    else if (segment !== '' && segment !== '.') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

/** Tells whether a path is absolute, here or on another system. */
export function isAbsolute(path: string): boolean {
  return /^[\\/]/u.test(path) || DRIVE_PATH.test(path);
}

function firstOutside(word: string, root: string): string | null {
  let part = word;
  for (;;) {
    const named = part;
    // The root's own name may hold a separator, so it is taken off before the part is split further.
    part = belowRoot(part, root) ?? part;
    if (leaves(part, root)) return named;
    const at = part.search(SEPARATOR);
    if (at < 0) return null;
    part = part.slice(at + 1);
  }
}

function leaves(part: string, root: string): boolean {
  return part.startsWith('~') || isAbsolute(part) || (DRIVE.test(root) && DRIVE.test(part)) || climbs(part);
}

/** Spells an absolute path that lies in the root as a relative one; null for every other word. */
export function belowRoot(path: string, root: string): string | null {
  const folder = root.replaceAll('\\', '/').replace(/\/+$/u, '');
  const spelled = path.replaceAll('\\', '/');
  if (spelled === folder) return '.';
  return spelled.startsWith(`${folder}/`) ? `./${spelled.slice(folder.length + 1)}` : null;
}
