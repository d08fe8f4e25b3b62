/** Reads from strace's log which system calls a process made on our files. */
import { MARKS } from './job.ts';

export const TRACED_CALLS =
  'openat,read,pread64,write,pwrite64,fsync,fdatasync,link,linkat,rename,renameat,renameat2,unlink,unlinkat,' +
  'chmod,fchmod,fchmodat,chown,fchown,fchownat,ftruncate,mkdir,mkdirat,rmdir,close,statx,newfstatat,lseek,' +
  'copy_file_range,ioctl,getdents64,readlink,access,faccessat,faccessat2';

const CHANGING =
  /^(write|pwrite64|fsync|fdatasync|link|linkat|rename|renameat|renameat2|unlink|unlinkat|chmod|fchmod|fchmodat|chown|fchown|fchownat|ftruncate|mkdir|mkdirat|rmdir|copy_file_range|ioctl)$/u;

/** A file whose name differs from run to run cannot be told to strace. */
const RANDOM_NAME = /\/key\.[0-9a-f]+\.tmp$/u;

export interface Step {
  /** Place among the steps of the run, for people and for replaying. */
  readonly index: number;
  readonly call: string;
  /** The nth call of this name since strace was there: what it counts. */
  readonly nth: number;
  /**
   * For a `read`, `write` or `close`: the file behind the descriptor, and the nth such call on any file of the trial. How
   * often a process makes these calls on its own pipes is a matter of timing. Null for other calls.
   */
  readonly through: { readonly path: string; readonly nth: number } | null;
  readonly line: string;
  /** Changes something on disk, or orders changes. */
  readonly isChange: boolean;
  /** Made after the target was read. */
  readonly isAfterRead: boolean;
}

/**
 * The calls between the marks that mention a path below `area`, or go through an open folder. `area` is where the
 * trial takes place; a process that sets no marks counts as a whole.
 */
export function stepsIn(log: string, area: string, isUnmarked = false): readonly Step[] {
  const counts = new Map<string, number>();
  const onFiles = new Map<string, number>();
  const steps: Step[] = [];
  let isOpen = isUnmarked;
  let isAfterRead = false;
  for (const line of log.split('\n')) {
    const call = /^(?:\d+ +)?(\w+)\(/u.exec(line)?.[1];
    if (call === undefined) continue;
    const nth = (counts.get(call) ?? 0) + 1;
    counts.set(call, nth);
    const path = /^(?:\d+ +)?(?:read|write|close)\(\d+<([^>]+)>(?:\(deleted\))?[,)]/u.exec(line)?.[1];
    if (line.includes(MARKS.begin)) isOpen = true;
    else if (line.includes(MARKS.read)) isAfterRead = true;
    else if (!isOpen || !isOurs(line, area)) continue;
    const isChange = CHANGING.test(call) || (call === 'openat' && line.includes('O_CREAT'));
    const isOurFile = path?.startsWith(area) === true && !RANDOM_NAME.test(path);
    const through = isOurFile ? { path, nth: (onFiles.get(call) ?? 0) + 1 } : null;
    if (through !== null) onFiles.set(call, through.nth);
    steps.push({ index: steps.length, call, nth, through, line, isChange, isAfterRead });
    if (line.includes(MARKS.end)) break;
  }
  return steps;
}

function isOurs(line: string, area: string): boolean {
  return line.includes(area) || line.includes('"/proc/self/fd/') || line.includes(MARKS.end);
}

/** Tells whether the run took the planned step where it was planned, so that a fault set for it struck there. */
export function tookStep(steps: readonly Step[], { index, call, nth }: Step): boolean {
  const step = steps[index];
  return step !== undefined && step.call === call && step.nth === nth;
}

/** Steps that a fault can be set for: not the links that a scenario without hard links refuses already. */
export function openSteps(steps: readonly Step[]): readonly Step[] {
  return steps.filter(({ call, line }) => !(call === 'link' && line.includes('(INJECTED)')));
}

/** The paths that the links of a run were made with, as strace compares them. */
export function linkedPaths(steps: readonly Step[]): readonly string[] {
  return steps.flatMap(({ line }) => {
    const [, from, to] = /^link\("([^"]+)", "([^"]+)"/u.exec(line) ?? [];
    return from === undefined || to === undefined ? [] : [from, to];
  });
}
