/**
 * The process under test, kept warm from trial to trial: strace is attached for each job anew, so that it counts from
 * one and node's start is never injected into. A process that a trial kills is started again.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import { TRACED_CALLS } from './trace.ts';

export interface Injection {
  /** strace's own words: `fsync:error=EIO:when=3`. */
  readonly inject: readonly string[];
  /** Only calls on these files are seen, counted and injected into; all where there are none. */
  readonly paths: readonly string[];
  /** Called with the log, again and again until it returns true, while the job is done. */
  readonly meanwhile?: (log: string, pid: number) => boolean;
}

export interface Done {
  /** The line that the process answered; null when it died first. */
  readonly line: string | null;
  /** strace's log of the job. */
  readonly log: string;
  readonly wasTimedOut: boolean;
  /** Descriptors that the process has open once it has answered. */
  readonly descriptors: number;
}

export interface Subject {
  run(job: string, injection: Injection): Promise<Done>;
  close(): Promise<void>;
}

interface Warm {
  readonly child: ChildProcess;
  readonly lines: Interface;
  readonly pid: number;
  isDead: boolean;
}

const LIMIT_MS = 10_000;
const LOOK_AGAIN_MS = 2;

/** Prepares a subject; its process starts with the first job. `log` is where strace writes. */
export function createSubject(command: readonly string[], env: Readonly<Record<string, string>>, log: string): Subject {
  let warm: Warm | undefined;
  return {
    run: async (job, { inject, paths, meanwhile }) => {
      warm = warm === undefined || warm.isDead ? await start(command, env) : warm;
      const { pid, child, lines } = warm;
      rmSync(log, { force: true });
      const tracer = await attach(pid, log, inject, paths);
      const watch =
        meanwhile === undefined
          ? undefined
          : setInterval(() => {
              if (existsSync(log) && meanwhile(readFileSync(log, 'utf8'), pid)) clearInterval(watch);
            }, LOOK_AGAIN_MS);
      let wasTimedOut = false;
      const limit = setTimeout(() => {
        wasTimedOut = true;
        child.kill('SIGKILL');
      }, LIMIT_MS);
      const line = await answerTo(warm, job);
      clearTimeout(limit);
      clearInterval(watch);
      const descriptors = line === null ? 0 : descriptorsOf(pid);
      await detach(tracer);
      if (line === null) lines.close();
      return { line, log: readFileSync(log, 'utf8'), wasTimedOut, descriptors };
    },
    close: async () => {
      if (warm === undefined || warm.isDead) return;
      const closed = once(warm.child, 'close');
      warm.child.kill('SIGKILL');
      await closed;
    },
  };
}

async function start(command: readonly string[], env: Readonly<Record<string, string>>): Promise<Warm> {
  const [program = '', ...words] = command;
  const child = spawn(program, words, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout });
  const warm: Warm = { child, lines, pid: child.pid ?? 0, isDead: false };
  child.on('exit', () => {
    warm.isDead = true;
  });
  child.stdin.on('error', () => undefined);
  await once(lines, 'line');
  return warm;
}

function answerTo({ child, lines }: Warm, job: string): Promise<string | null> {
  return new Promise((resolve) => {
    const onLine = (line: string): void => {
      child.off('close', onClose);
      resolve(line);
    };
    const onClose = (): void => {
      lines.off('line', onLine);
      resolve(null);
    };
    lines.once('line', onLine);
    child.once('close', onClose);
    child.stdin?.write(`${job}\n`);
  });
}

async function attach(
  pid: number,
  log: string,
  inject: readonly string[],
  paths: readonly string[],
): Promise<ChildProcess> {
  const faults = inject.flatMap((fault) => ['-e', `inject=${fault}`]);
  const words = [
    '-y',
    '-s',
    '200',
    '-o',
    log,
    '-p',
    String(pid),
    '-e',
    `trace=${TRACED_CALLS}`,
    ...faults,
    ...paths.flatMap((path) => ['-P', path]),
  ];
  const tracer = spawn('strace', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const said = await new Promise<string>((resolve, reject) => {
    let text = '';
    tracer.on('error', reject);
    tracer.on('close', () => {
      resolve(text);
    });
    tracer.stderr.on('data', (piece: Buffer) => {
      text += piece.toString('utf8');
      if (text.includes('attached')) resolve(text);
    });
  });
  if (!said.includes('attached')) {
    throw new Error(
      `strace cannot attach to a process of our own (see docs/faults.md, "What it needs"): ${said.trim()}`,
    );
  }
  return tracer;
}

async function detach(tracer: ChildProcess): Promise<void> {
  if (tracer.exitCode !== null || tracer.signalCode !== null) return;
  const closed = once(tracer, 'close');
  tracer.kill('SIGINT');
  await closed;
}

function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
