/** Holds the names in a patch's headers against the one file that was asked for. Names are compared, never opened. */
import { failure } from '../../model/failure.ts';
import type { Patch } from '../../model/patch.ts';
import { fail, ok, type Result } from '../../model/result.ts';
import { showText } from './show.ts';

/**
 * Checks that some name of the patch means `relativePath` (from the root, with `/`). The shorter of the two must be the
 * end of the longer one, whole components only: the root can be a folder of the repository the diff was made in, and a
 * diff can be made in a folder of the root. Fails with PATCH_WRONG_FILE.
 */
export function matchTarget(patch: Patch, relativePath: string): Result<Patch> {
  const target = components(relativePath);
  if (patch.names.length === 0 || patch.names.some((name) => means(name, target))) return ok(patch);
  const named = [...new Set(patch.names)].map((name) => `\`${showText(name)}\``).join(' and ');
  const message = `The patch is for ${named}, but the file to patch is \`${showText(relativePath)}\`.`;
  return fail(failure('PATCH_WRONG_FILE', message));
}

function means(name: string, target: readonly string[]): boolean {
  const plain = components(name);
  return fits(plain, target) || (/^[a-z]$/i.test(plain[0] ?? '') && plain.length > 1 && fits(plain.slice(1), target));
}

function fits(name: readonly string[], target: readonly string[]): boolean {
  const length = Math.min(name.length, target.length);
  if (length === 0) return false;
  return name.slice(-length).join('/') === target.slice(-length).join('/');
}

function components(path: string): readonly string[] {
  return path
    .trimEnd()
    .normalize('NFC')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
}
