/** Which places a tool may write, judged by their names alone: inside the root, and never git's own folder. */
import { relative, sep } from 'node:path';
import { failure, type Failure } from '../model/failure.ts';
import { isInside } from '../model/inside.ts';
import { isOwnFileName } from '../model/own-file-names.ts';

/** Code points that HFS+ ignores when it compares names. */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

const LONGEST_PATH_BYTES = 4096;

/** Refuses (`INPUT_INVALID`) what no file system takes for a path, or would take for another one; null is admitted. */
export function refuseUnusable(argument: string, path: string): Failure | null {
  const why = path.includes('\0')
    ? 'holds a NUL'
    : !path.isWellFormed() || path.includes('\ufffd')
      ? 'is not well-formed Unicode, or stands for a name that is not UTF-8'
      : Buffer.byteLength(path) > LONGEST_PATH_BYTES
        ? `is longer than ${LONGEST_PATH_BYTES} bytes`
        : null;
  return why === null ? null : failure('INPUT_INVALID', `${argument} ${why}.`);
}

/** Components of an absolute path below the first of `roots` that holds it, or null where none does. */
export function componentsBelow(roots: readonly string[], absolute: string): readonly string[] | null {
  for (const root of roots) {
    const path = relative(root, absolute);
    if (path !== '' && isInside(root, absolute)) return path.split(sep);
  }
  return null;
}

/** Refuses (`PATH_PROTECTED`) a place in git's own folder, or a file that Surepatch itself made; null is admitted. */
export function refuseProtected(components: readonly string[]): Failure | null {
  const gitFolder = components.find(isGitFolderName);
  if (gitFolder !== undefined) {
    return failure('PATH_PROTECTED', `${components.join('/')} belongs to git, which alone may write there.`);
  }
  const name = components.at(-1) ?? '';
  if (isOwnFileName(name)) {
    return failure('PATH_PROTECTED', `${name} is a file that Surepatch made, not a file of the project.`);
  }
  return null;
}

/**
 * True when some file system could take this path component for `.git`: letter case, trailing dots and blanks and NTFS
 * streams (Windows), the short name `git~1`, ignored code points (macOS), compatibility forms.
 */
export function isGitFolderName(component: string): boolean {
  const stream = component.split(':', 1)[0] ?? '';
  const folded = stream
    .normalize('NFKC')
    .replace(IGNORED_BY_HFS, '')
    .toLowerCase()
    .replace(/[. ]+$/u, '');
  return folded === '.git' || folded === 'git~1';
}
