/**
 * Ends everything a run has started. In a PID namespace the kernel does it; elsewhere members are known by their group, their
 * session, the id of the run in their environment, or our output file as their stdout or stderr. Never signals anything else.
 */
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { captureOutput } from './process.ts';

export const RUN_ID_VARIABLE = 'SUREPATCH_RUN_ID';

export interface ProcessTree {
  readonly kind: 'pid_namespace' | 'process_group';
  /** The process this server started; head of the group and session. */
  readonly leader: number;
  readonly runId: string;
  readonly outputPath: string;
}

const PAUSE_MS = 5;

/** Asks the tree to end. The first process of a namespace is deaf to this; the command below it is not. */
export function askToEnd(tree: ProcessTree): void {
  if (process.platform === 'win32') return;
  // A second SIGTERM means "at once" to some programs, so who got it through the group does not get it again.
  const elsewhere = tree.kind === 'process_group' ? markedMembers(tree) : [];
  const outsideGroup = elsewhere.filter((pid) => statOf(pid)?.group !== tree.leader);
  send(-tree.leader, 'SIGTERM');
  for (const pid of outsideGroup) send(pid, 'SIGTERM');
}

/** Kills the tree in one pass and returns at once; `confirmEnded` says when it is over. */
export function killTree(tree: ProcessTree): void {
  if (process.platform === 'win32') {
    // Not run anywhere yet: written from the documentation of taskkill.
    void captureOutput(['C:\\Windows\\System32\\taskkill.exe', '/PID', `${tree.leader}`, '/T', '/F'], {
      env: {},
      timeoutMs: 5_000,
    });
    return;
  }
  const firstProcesses = tree.kind === 'pid_namespace' ? childrenOf(tree.leader) : [];
  // Killing only the first process lets its parent outlive the namespace, so that its exit proves the namespace empty.
  if (firstProcesses.length > 0) for (const pid of firstProcesses) send(pid, 'SIGKILL');
  else send(-tree.leader, 'SIGKILL');
  if (tree.kind === 'process_group') for (const pid of markedMembers(tree)) send(pid, 'SIGKILL');
}

/** Kills, and looks again, until no member is left or `limitMs` is over; returns the ids of those left. */
export async function confirmEnded(tree: ProcessTree, limitMs: number): Promise<readonly number[]> {
  if (process.platform !== 'linux') {
    send(-tree.leader, 'SIGKILL');
    return [];
  }
  const start = performance.now();
  for (;;) {
    send(-tree.leader, 'SIGKILL');
    const members = markedMembers(tree);
    if (members.length === 0 || performance.now() - start > limitMs) return members;
    for (const pid of members) send(pid, 'SIGKILL');
    await delay(PAUSE_MS);
  }
}

/** Lists the processes that bear a mark of the run; a dead process that is not yet reaped bears none. */
function markedMembers(tree: ProcessTree): number[] {
  return process.platform === 'linux' ? allProcesses().filter((pid) => isMember(pid, tree)) : [];
}

function isMember(pid: number, tree: ProcessTree): boolean {
  const environ = attempt(() => readFileSync(`/proc/${pid}/environ`));
  if (environ === null) return false;
  if (environ.includes(`${RUN_ID_VARIABLE}=${tree.runId}\0`)) return true;
  if ([1, 2].some((fd) => attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) === tree.outputPath)) return true;
  const stat = statOf(pid);
  return stat !== null && !stat.dead && stat.session === tree.leader;
}

function childrenOf(parent: number): number[] {
  return allProcesses().filter((pid) => statOf(pid)?.parent === parent);
}

/** Lists all processes but the first one and this server. */
function allProcesses(): number[] {
  const names = attempt(() => readdirSync('/proc')) ?? [];
  return names.map(Number).filter((pid) => pid > 1 && pid !== process.pid);
}

interface ProcessStat {
  readonly dead: boolean;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/** Reads /proc/PID/stat, whose second field may hold anything, so the others are counted from its end. */
function statOf(pid: number): ProcessStat | null {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  if (stat === null) return null;
  const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const dead = state === 'Z' || state === 'X';
  return { dead, parent: Number(parent), group: Number(group), session: Number(session) };
}

/** Sends a signal; a process that is gone, or was never ours to signal, is not an error. */
function send(pid: number, signal: NodeJS.Signals): void {
  attempt(() => process.kill(pid, signal));
}

/** Returns null for what cannot be read: processes come and go while they are looked at, and some belong to others. */
function attempt<Value>(look: () => Value): Value | null {
  try {
    return look();
  } catch {
    return null;
  }
}
