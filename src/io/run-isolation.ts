/**
 * Decides how the processes of a run are held together, by really trying it once. A PID namespace ends with its first process,
 * so nothing can escape it; where none can be had the process group is used, and the result says so. Never changes mid-run.
 */
import type { RunWrapper } from '../model/run.ts';
import { captureOutput, type CapturedRun } from './process.ts';
import { findSystemProgram } from './system-program.ts';

export type Containment = RunWrapper;

/**
 * The first process of the namespace. The command is its child, because signals without a handler are not delivered to a first
 * process; a shell also reaps what is orphaned. The command gets descriptor 3 as its stdout and stderr; stdout and stderr of the
 * wrapper, which carry the exit status and complaints of the wrapper, it does not get.
 */
export const FIRST_PROCESS = ['-c', '(exec "$@" >&3 2>&3 3>&-); echo $?', 'sh'];

/** A PID namespace, and a mount namespace for its own /proc; both end with the process that was told to make them. */
export const NAMESPACES = ['--pid', '--fork', '--kill-child=KILL', '--mount-proc'];

/** What the probe runs: its own id and the ids that /proc shows; in a namespace both are small. */
const LOOK_AROUND = ['-c', 'echo $$ /proc/[0-9]*'];
const MOST_IDS = 6;
const PROBE_LIMIT_MS = 5_000;

/** Finds out what this machine allows; runs up to three harmless processes. Never throws: the answer is always usable. */
export async function probeContainment(): Promise<Containment> {
  if (process.platform !== 'linux') return groupContainment(`no PID namespaces on ${process.platform}`);
  const shell = findSystemProgram('sh');
  const unshare = findSystemProgram('unshare');
  if (shell === null || unshare === null) return groupContainment('unshare was not found in the system folders');
  const guard = serverGuard();
  const found: string[] = [];
  for (const asUser of process.geteuid?.() === 0 ? [false, true] : [true]) {
    const user = asUser ? ['--user', '--map-current-user'] : [];
    const namespace = [unshare, ...user, ...NAMESPACES, '--'];
    const prefix = [...guard, ...namespace, shell, ...FIRST_PROCESS];
    const trouble = await tryOut(prefix, shell);
    if (trouble === null) return { kind: 'pid_namespace', prefix, probe: describe(asUser, guard.length > 0) };
    found.push(trouble);
  }
  return groupContainment(found.join('; '));
}

/** Makes the containment that works everywhere: a process group, and on Linux a search for what has left it. */
export function groupContainment(reason: string): Containment {
  const net =
    process.platform === 'linux' ? 'a process group, and a search of /proc for what leaves it' : 'a process group';
  return { kind: 'process_group', prefix: serverGuard(), probe: `${net} (${reason})` };
}

/** Lets the kernel kill the leading process when this server dies, even by SIGKILL; empty where that cannot be had. */
export function serverGuard(): readonly string[] {
  const setpriv = process.platform === 'linux' ? findSystemProgram('setpriv') : null;
  return setpriv === null ? [] : [setpriv, '--pdeathsig', 'KILL', '--'];
}

/** Returns null when the prefix works, else what is wrong with it. */
async function tryOut(prefix: readonly string[], shell: string): Promise<string | null> {
  const run = await captureWrapped(prefix, [shell, ...LOOK_AROUND], shell);
  const [seen = '', status] = run.stdout.split('\n');
  const [pid, ...ids] = seen.split(' ');
  if (run.succeeded && status === '0' && pid !== '1' && ids.length > 0 && ids.length <= MOST_IDS) return null;
  const complaint = run.stderr.split('\n', 1)[0];
  return complaint === undefined || complaint === '' ? 'the probe of a PID namespace failed' : complaint;
}

/** Runs a short command behind a prefix that reports its status; stdout holds the output, then that report. */
export function captureWrapped(
  prefix: readonly string[],
  command: readonly string[],
  shell: string,
): Promise<CapturedRun> {
  // In a run descriptor 3 is the output file; here both outputs are read together.
  const script = ['-c', 'exec 3>&1; exec "$@"', 'sh', ...prefix, ...command];
  return captureOutput([shell, ...script], { env: { LC_ALL: 'C' }, timeoutMs: PROBE_LIMIT_MS });
}

function describe(asUser: boolean, endsWithServer: boolean): string {
  const how = asUser ? 'a PID namespace in a user namespace' : 'a PID namespace';
  return endsWithServer
    ? `${how}; ends with the server`
    : `${how}; setpriv is missing, so a killed server leaves it running`;
}
