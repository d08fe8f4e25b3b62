/** Real runs in a real temporary folder, and ways to see what they left alive. Linux only. */
import { randomInt } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunOutcome, RunRequest } from '../../src/model/run.ts';
import type { Runner } from '../../src/io/runner.ts';

const PLAIN_ENV = { PATH: '/usr/bin:/bin' };

export interface RunRig {
  readonly folder: string;
  /** Runs a line of shell as the test command. */
  shell(line: string, options?: Partial<RunRequest>): Promise<RunOutcome>;
  remove(): void;
}

/** Makes a temporary folder and binds a runner to it. */
export function runRig(runner: Runner): RunRig {
  const folder = mkdtempSync(path.join(tmpdir(), 'surepatch-run-'));
  let count = 0;
  return {
    folder,
    shell: (line, options = {}) => {
      const outputPath = path.join(folder, `output-${count++}`);
      return runner.run({ command: ['/bin/sh', '-c', line], cwd: folder, env: PLAIN_ENV, outputPath, ...options });
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A sleep that no other process of the machine has, so that it can be found by its command line. */
export function uniqueSleep(): string {
  return `sleep ${1_000_000 + randomInt(1_000_000_000)}`;
}

/** Counts the processes whose command line is exactly the given words. */
export function countAlive(commandLine: string): number {
  const wanted = `${commandLine.split(' ').join('\0')}\0`;
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1') === wanted;
    } catch {
      return false;
    }
  }).length;
}

/** Waits until as many such processes are there; throws after five seconds. */
export async function waitForAlive(commandLine: string, count: number): Promise<void> {
  for (let tries = 0; tries < 250; tries += 1) {
    if (countAlive(commandLine) === count) return;
    await delay(20);
  }
  throw new Error(`expected ${count} of "${commandLine}", found ${countAlive(commandLine)}`);
}
