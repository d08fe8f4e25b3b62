/** Compares places by their components, never by string prefix: `/srv/app2` is not inside `/srv/app`. */
import { isAbsolute, relative, sep } from 'node:path';

/** Says whether an absolute path is the folder itself or lies below it; looks at no disk and follows no link. */
export function isInside(folder: string, place: string): boolean {
  const path = relative(folder, place);
  return path === '' || (path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path));
}
