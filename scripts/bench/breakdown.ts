/** Where the time of one write_fix call goes: the use-case in its own process, step by step. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureProcess } from './measured-process.ts';
import { commitAll } from './repository.ts';
import { NODE, type Rig } from './rig.ts';
import type { Section } from './section.ts';
import { makeSmallFile, SMALL_FILE } from './small-file.ts';
import { median, percentile } from './statistics.ts';
import { showMs, table } from './table.ts';
import type { TimedCall } from './timed-calls.ts';

const WARM_UP = 10;
const BOUND_MS = 120_000;

/** Times the steps in a repository with a clean file and in a plain folder; medians over the calls. */
export async function measureBreakdown(rig: Rig, calls: number): Promise<Section> {
  const { before } = makeSmallFile();
  const columns = [];
  for (const git of [true, false]) {
    const folder = rig.folder(git ? 'steps-git' : 'steps-plain');
    writeFileSync(join(folder, SMALL_FILE), before);
    if (git) commitAll(folder, rig.env);
    columns.push(mediansOf((await timedCalls(rig, folder, calls + WARM_UP)).slice(WARM_UP)));
  }
  const [inGit, inPlain] = columns;
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const sum = (column: ReadonlyMap<string, Step> | undefined): Step => {
    const steps = [...(column?.values() ?? [])];
    const add = (of: 'ms' | 'quietMs'): number => steps.reduce((total, step) => total + step[of], 0);
    return { ms: add('ms'), quietMs: add('quietMs'), times: 1 };
  };
  names.sort((one, other) => (inGit?.get(other)?.ms ?? 0) - (inGit?.get(one)?.ms ?? 0));
  const rows = names.map((name) => [name, ...cells(inGit?.get(name)), ...cells(inPlain?.get(name))]);
  return {
    title: `Where one call goes, medians of ${String(calls)} calls of the use-case`,
    body: [
      table(
        ['step (without the steps in it)', 'git, clean file', 'quiet', 'plain folder', 'quiet'],
        [...rows, ['all of it', ...cells(sum(inGit)), ...cells(sum(inPlain))]],
      ),
    ],
    targets: [],
  };
}

interface Step {
  /** Median. */
  readonly ms: number;
  /** The tenth percentile: nearer to what the step takes on a machine that does nothing else. */
  readonly quietMs: number;
  readonly times: number;
}

function mediansOf(calls: readonly TimedCall[]): ReadonlyMap<string, Step> {
  const names = new Set(calls.flatMap((call) => Object.keys(call)));
  return new Map(
    [...names].map((name) => [
      name,
      {
        ms: median(calls.map((call) => call[name]?.ms ?? 0)),
        quietMs: percentile(
          calls.map((call) => call[name]?.ms ?? 0),
          10,
        ),
        times: median(calls.map((call) => call[name]?.times ?? 0)),
      },
    ]),
  );
}

async function timedCalls(rig: Rig, folder: string, count: number): Promise<readonly TimedCall[]> {
  const { stdout, stderr } = await measureProcess({
    command: [NODE, rig.bench, '--child', 'calls', folder, rig.folder('state-of-steps'), String(count)],
    cwd: folder,
    env: rig.env,
    scratch: rig.scratch,
    boundMs: BOUND_MS,
  });
  const calls: unknown = JSON.parse(stdout === '' ? 'null' : stdout);
  if (!Array.isArray(calls)) throw new Error(`the timed calls broke down: ${stderr.slice(-2000)}`);
  return calls.filter(isTimedCall);
}

function isTimedCall(value: unknown): value is TimedCall {
  return typeof value === 'object' && value !== null;
}

function cells(step: Step | undefined): readonly string[] {
  if (step === undefined) return ['-', '-'];
  return [step.times > 1 ? `${showMs(step.ms)} (${String(step.times)}x)` : showMs(step.ms), showMs(step.quietMs)];
}
