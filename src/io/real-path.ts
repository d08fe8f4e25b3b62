/** The real path of an existing place; knows nothing of what may be done there. */
import { realpathSync } from 'node:fs';

/** Resolves every link of an existing path; null when it cannot be resolved. */
export function realPathOf(place: string): string | null {
  try {
    return realpathSync.native(place);
  } catch {
    return null;
  }
}
