/**
 * Says which process a shadow folder belongs to, and whether that one is gone for certain: only then may anybody else
 * remove the folder. In doubt it is somebody's.
 */
import { lstatSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

interface TreeOwner {
  readonly pid: number;
  /** When the process started, in the kernel's own count since boot; null where the system does not say. */
  readonly start: string | null;
  readonly host: string;
  /** Identity of the machine's boot; null where the system has none. */
  readonly boot: string | null;
  /** The PID namespace in which `pid` means something; null where the system has none. */
  readonly namespace: string | null;
}

const LARGEST_FILE = 4096;

/** Writes who this process is. */
export function writeTreeOwner(path: string): void {
  writeFileSync(path, `${JSON.stringify(thisProcess())}\n`, { flag: 'wx', mode: 0o600 });
}

/** True when the folder is this user's and the process that its owner file names is no more. */
export function isGone(folder: string, ownerFile: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return false;
  if (process.geteuid !== undefined && found.uid !== process.geteuid()) return false;
  const owner = readTreeOwner(ownerFile);
  return owner !== null && isDead(owner, thisProcess());
}

function isDead(owner: TreeOwner, here: TreeOwner): boolean {
  if (owner.host !== here.host) return false;
  if (owner.boot !== here.boot) return true;
  // The same number in another namespace is another process, which cannot be looked at from here.
  if (owner.namespace !== here.namespace) return false;
  const start = startOf(owner.pid);
  return start === 'gone' || (owner.start !== null && start !== owner.start);
}

function thisProcess(): TreeOwner {
  const start = startOf(process.pid);
  return {
    pid: process.pid,
    start: start === 'gone' ? null : start,
    host: hostname(),
    boot: orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()),
    namespace: orNull(() => readlinkSync('/proc/self/ns/pid')),
  };
}

/** When a process started, `gone` where there is none; null where this cannot be told but it is there. */
function startOf(pid: number): string | null {
  const stat = orNull(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The second field may hold anything, so the others are counted from its end; the start is the 22nd.
  if (stat !== null) return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  try {
    process.kill(pid, 0);
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH' ? 'gone' : null;
  }
}

function readTreeOwner(path: string): TreeOwner | null {
  return orNull(() => {
    const found = lstatSync(path);
    if (!found.isFile() || found.size > LARGEST_FILE) return null;
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value !== 'object' || value === null) return null;
    if (!('pid' in value && 'start' in value && 'host' in value && 'boot' in value && 'namespace' in value))
      return null;
    const { pid, start, host, boot, namespace } = value;
    if (!Number.isSafeInteger(pid) || typeof pid !== 'number' || pid < 1 || typeof host !== 'string') return null;
    if (!isTextOrNull(start) || !isTextOrNull(boot) || !isTextOrNull(namespace)) return null;
    return { pid, start, host, boot, namespace };
  });
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
