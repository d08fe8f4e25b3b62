/** Finds the real name of a file inside a root: links above it followed as far as they exist, and never out of the root. */
import { failure } from '../../model/failure.ts';
import { fail, ok, type Result } from '../../model/result.ts';
import { followLinks } from '../worktree.ts';

/** Splits a path into real components; parts that do not exist yet stay as they are. Fails where it leaves the root. */
export function realComponents(root: string, path: string): Result<readonly string[]> {
  const parts = path.split('/');
  if (parts.some((part) => ['', '.', '..'].includes(part))) {
    return fail(failure('PATH_OUTSIDE_REPO', `${path} is not the plain name of a file in the root.`));
  }
  for (let known = parts.length; known > 0; known -= 1) {
    const followed = followLinks(root, parts.slice(0, known));
    if (followed.ok) return ok([...followed.value.components, ...parts.slice(known)]);
    if (followed.failure.code !== 'FILE_NOT_FOUND') return followed;
  }
  return ok(parts);
}
