/**
 * Carries access control lists and extended attributes over to the file that takes another's place. Node cannot reach
 * them, so the system's own `cp` does it, on descriptors that are already open.
 */
import { spawnSync } from 'node:child_process';

const SYSTEM_CP = '/bin/cp';
const ARGUMENTS = ['--attributes-only', '--preserve=mode,ownership,xattr', '--', '/proc/self/fd/3', '/proc/self/fd/4'];
const LIMIT_MS = 5000;

/** Returns null once `to` has the attributes of `from` (both open descriptors), else a note for the caller. */
export function carryAttributes(from: number, to: number): string | null {
  if (process.platform !== 'linux') return 'Access control lists and extended attributes were not carried over.';
  const outcome = spawnSync(SYSTEM_CP, ARGUMENTS, {
    stdio: ['ignore', 'ignore', 'pipe', from, to],
    env: { LC_ALL: 'C' },
    timeout: LIMIT_MS,
  });
  if (outcome.status === 0) return null;
  const why = outcome.error?.message ?? outcome.stderr.toString('utf8').trim().slice(0, 200);
  return `Access control lists and extended attributes were not carried over (${why}).`;
}
