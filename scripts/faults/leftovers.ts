/** Looks for processes that a run left behind. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { errnoOf } from '../../src/io/disk-error.ts';

/** A line for every living process, but this one, that has `name=value` in its environment or works below `value`. */
export function processesOf(name: string, value: string): readonly string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/u.test(pid) && pid !== String(process.pid))
    .filter((pid) => environmentOf(pid).includes(`${name}=${value}`) || folderOf(pid).startsWith(value))
    .map((pid) => `process ${pid} is left: ${readOr(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`);
}

function environmentOf(pid: string): readonly string[] {
  return readOr(`/proc/${pid}/environ`).split('\0');
}

function folderOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) return '';
    throw error;
  }
}
