/** Runs one process and measures it from outside: wall time, peak memory, and an end at a bound. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface MeasuredProcess {
  /** From the start to the end of the process, in milliseconds. */
  readonly ms: number;
  /** Processor time of it and its children in milliseconds, in steps of 10; null where the machine has no GNU time. */
  readonly cpuMs: number | null;
  /** Largest resident set in KiB; null where the machine has no GNU time. */
  readonly peakKiB: number | null;
  /** Null when it was ended at its bound. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessOrder {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Folder for the figures of `time`. */
  readonly scratch: string;
  readonly boundMs: number;
}

// A process inherits the peak of whoever started it (Linux keeps it across exec), and Node's is large: a small program
// in between starts it anew.
const TIME = '/usr/bin/time';

/** Runs the command without a shell; at the bound its whole group is killed. */
export async function measureProcess({ command, cwd, env, scratch, boundMs }: ProcessOrder): Promise<MeasuredProcess> {
  const figures = join(scratch, 'peak');
  rmSync(figures, { force: true });
  const prefix = existsSync(TIME) ? [TIME, '--quiet', '-f', '%M %U %S', '-o', figures] : [];
  const [program = '', ...argv] = [...prefix, ...command];
  const started = performance.now();
  const child = spawn(program, argv, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  const late = new AbortController();
  const bound = setTimeout(() => {
    late.abort();
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, boundMs);
  let ms = Number.NaN;
  child.once('exit', () => (ms = performance.now() - started));
  await once(child, 'close');
  clearTimeout(bound);
  const isLate = late.signal.aborted;
  const exitCode = isLate ? null : child.exitCode;
  if (isLate || !existsSync(figures)) return { ms, cpuMs: null, peakKiB: null, exitCode, ...said };
  const [peakKiB = 0, user = 0, system = 0] = readFileSync(figures, 'utf8').split(' ').map(Number);
  return { ms, cpuMs: (user + system) * 1000, peakKiB, exitCode, ...said };
}
