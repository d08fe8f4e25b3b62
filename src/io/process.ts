/**
 * Starts processes: the only place that does so for the test command (sole owner of execa). Never through a shell, never with
 * a terminal or an open stdin, never with more environment than it is handed. What ends them is in `process-tree.ts`.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Options } from 'execa';

export interface ProcessStart {
  /** What is put in front of the command to contain it; may be empty. */
  readonly prefix: readonly string[];
  /** The absolute program, then its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** An open file that receives stdout and stderr as they are written; nothing of them passes through this process. */
  readonly outputFd: number;
  /** Whether the prefix takes the output on descriptor 3, and itself reports on stdout and complains on stderr. */
  readonly reportsStatus: boolean;
}

export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** What the prefix reported, and what it complained of; both empty when there was nothing to say. */
  readonly status: string;
  readonly complaint: string;
  /** The system's word for a program that could not be started; null otherwise. */
  readonly startError: string | null;
}

export interface StartedProcess {
  /** Also the id of the new process group and session; undefined when nothing started. */
  readonly pid: number | undefined;
  /** Settles when the process itself has ended, at most 250 ms later, whatever its descendants hold open. */
  readonly ended: Promise<ProcessEnd>;
}

const PLAIN = {
  extendEnv: false,
  shell: false,
  preferLocal: false,
  reject: false,
  cleanup: false,
  stripFinalNewline: false,
  windowsHide: true,
} as const satisfies Options;

const MOST_REPORT_BYTES = 4_096;
const SETTLE_MS = 250;

/** Starts a process at the head of a process group and session of its own. */
export type StartProcess = (start: ProcessStart) => StartedProcess;

/** Loads what starts processes, which a server that runs no test does without. */
export async function processStarter(): Promise<StartProcess> {
  const { execa } = await import('execa');
  return (start) => startProcess(execa, start);
}

function startProcess(execa: typeof import('execa').execa, start: ProcessStart): StartedProcess {
  const [program = start.command[0], ...args] = [...start.prefix, ...start.command];
  // Execa's types take no descriptor above 9; a stream that only carries one is handed to the child as it is.
  const output = createWriteStream('', { fd: start.outputFd, autoClose: false });
  const subprocess = execa(program, args, {
    ...PLAIN,
    cwd: start.cwd,
    env: start.env,
    detached: process.platform !== 'win32',
    stdio: start.reportsStatus ? ['ignore', 'pipe', 'pipe', output] : ['ignore', output, output],
    maxBuffer: MOST_REPORT_BYTES,
  });
  const result = subprocess.then((end): ProcessEnd => {
    const { exitCode = null, signal = null, stdout = '', stderr = '' } = end;
    const startError = exitCode === null && signal === null ? (end.originalMessage ?? 'unknown') : null;
    return { exitCode, signal, status: stdout, complaint: stderr, startError };
  });
  const ended = subprocess.pid === undefined ? result : Promise.race([result, exitOf(subprocess)]);
  return { pid: subprocess.pid, ended };
}

/** Waits for the process alone, then a moment more in which the fuller result usually arrives first. */
async function exitOf(subprocess: ChildProcess): Promise<ProcessEnd> {
  await once(subprocess, 'exit');
  await delay(SETTLE_MS, undefined, { ref: false });
  return { exitCode: subprocess.exitCode, signal: subprocess.signalCode, status: '', complaint: '', startError: null };
}

const MOST_CAPTURED = 65_536;

export interface CapturedRun {
  readonly succeeded: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a short, trusted command to its end and returns what it printed; takes at most `timeoutMs`. */
export async function captureOutput(
  command: readonly [string, ...string[]],
  {
    env,
    timeoutMs,
    signal,
    most = MOST_CAPTURED,
    encoding = 'utf8',
  }: {
    readonly env: Readonly<Record<string, string>>;
    readonly timeoutMs: number;
    readonly signal?: AbortSignal | undefined;
    /** Bytes of output at which the command is ended; 64 KiB when absent. */
    readonly most?: number;
    /** `latin1` makes each byte a character, for output that holds names of files. */
    readonly encoding?: 'utf8' | 'latin1';
  },
): Promise<CapturedRun> {
  const { execa } = await import('execa');
  const [program, ...args] = command;
  const { failed, stdout, stderr } = await execa(program, args, {
    ...PLAIN,
    env,
    stdin: 'ignore',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    ...(signal === undefined ? {} : { cancelSignal: signal }),
    maxBuffer: most,
    encoding,
  });
  return { succeeded: !failed, stdout, stderr };
}
