/** Finds tools of the system that hold a run together. Only where nobody but root can have put them, never through PATH. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { realPathOf } from './real-path.ts';

const SYSTEM_FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** Returns the absolute path of a system tool whose file and folder belong to root alone; null when there is none. */
export function findSystemProgram(name: string): string | null {
  for (const folder of SYSTEM_FOLDERS) {
    const real = realPathOf(path.join(folder, name));
    if (real !== null && isRootsAlone(real) && isRootsAlone(path.dirname(real))) return path.join(folder, name);
  }
  return null;
}

function isRootsAlone(place: string): boolean {
  const { uid, mode } = statSync(place);
  return uid === 0 && (mode & 0o022) === 0;
}
