/** Compares places by their components. Never by string prefix: `/srv/app2` is not inside `/srv/app`. */
import { realpathSync } from 'node:fs';
import path from 'node:path';

/** Says whether an absolute path is the folder itself or lies below it; no link is followed. */
export function isInside(folder: string, place: string): boolean {
  const relative = path.relative(folder, place);
  return relative === '' || !(relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative));
}

/** Resolves every link of an existing path; null when it cannot be resolved. */
export function realPathOf(place: string): string | null {
  try {
    return realpathSync.native(place);
  } catch {
    return null;
  }
}
