/** The names that Surepatch itself gives to files beside a target, and how they are known again. */

const BACKUP_SUFFIX = '.reforge-bak';
const TEMP_PREFIX = '.reforge-';
const TEMP_SUFFIX = '.tmp';

/** Name of the nth backup of a file: `<file>.reforge-bak`, then `.2`, `.3`, … */
export function backupName(fileName: string, n: number): string {
  return n === 1 ? `${fileName}${BACKUP_SUFFIX}` : `${fileName}${BACKUP_SUFFIX}.${n}`;
}

/** Name of a temporary file that is renamed over the target; `random` is 128 bits in hexadecimal. */
export function temporaryName(random: string): string {
  return `${TEMP_PREFIX}${random}${TEMP_SUFFIX}`;
}

/** True for a backup's or a temporary file's name, in any letter case. */
export function isOwnFileName(name: string): boolean {
  const folded = name.toLowerCase();
  const isTemporary = folded.startsWith(TEMP_PREFIX) && folded.endsWith(TEMP_SUFFIX);
  return isTemporary || /\.reforge-bak(\.[0-9]+)?$/u.test(folded);
}
