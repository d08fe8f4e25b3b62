/** Runs the suites side by side, gathers their verdicts, and makes sure that nothing is left of them. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ioSuite } from './io-suite.ts';
import { cliSuite } from './cli-suite.ts';
import { fullDiskSuite, limitSuite } from './full-disk.ts';
import type { PlaygroundOptions } from './playground.ts';
import { powerLossSuite } from './power-loss.ts';
import { recoverySuite } from './recovery-trials.ts';
import { processesOf } from './leftovers.ts';
import { choose, readOptions, type Options } from './options.ts';
import { createTally, type Tally } from './tally.ts';
import { CLI_SCENARIOS, NAIVE_SCENARIOS, POWER_LOSS_SCENARIOS, SCENARIOS } from './scenario.ts';
import type { Suite, Trial, Verdict } from './trial.ts';

const LANES = 2;
const RUN_NAME = 'SUREPATCH_FAULT_RUN';

/** Runs the harness; resolves with the exit code: 1 on a violation, or when a control was not caught. */
export async function runHarness(words: readonly string[]): Promise<number> {
  const options = readOptions(words);
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'surepatch-faults-')));
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', UV_USE_IO_URING: '0', LC_ALL: 'C', [RUN_NAME]: base };
  const suites = listSuites({ base, env });
  const tally = createTally(options);
  try {
    const queue = suites.filter(
      ({ name }) => options.only === null || options.only.startsWith(name) || name.startsWith(options.only),
    );
    const share = options.sample === null ? null : Math.ceil(options.sample / queue.length);
    await Promise.all(Array.from({ length: LANES }, () => runLane(queue, share, options, tally)));
    for (const line of processesOf(RUN_NAME, base)) tally.leftover(line);
  } finally {
    for (const suite of suites) await suite.close();
    rmSync(base, { recursive: true, force: true });
  }
  return tally.report();
}

function listSuites(options: PlaygroundOptions): readonly Suite[] {
  const failing = SCENARIOS.filter(({ passes }) => !passes);
  return [
    ...NAIVE_SCENARIOS.map((scenario) => ioSuite(scenario, options)),
    ...SCENARIOS.map((scenario) => ioSuite(scenario, options)),
    ...SCENARIOS.map((scenario) => recoverySuite(scenario, options)),
    ...failing.filter(({ isLarge }) => !isLarge).map((scenario) => fullDiskSuite(scenario, options)),
    ...SCENARIOS.map((scenario) => limitSuite(scenario, options)),
    ...CLI_SCENARIOS.map((scenario) => cliSuite(scenario, options)),
    ...POWER_LOSS_SCENARIOS.map((scenario) => powerLossSuite(scenario, options)),
  ];
}

async function runLane(queue: Suite[], share: number | null, options: Options, tally: Tally): Promise<void> {
  for (let suite = queue.shift(); suite !== undefined; suite = queue.shift()) {
    const all = (await suite.plan()).filter(({ id }) => options.only === null || id.startsWith(options.only));
    // Of a sampled control it is enough to know that it is caught.
    const count = share === null || suite.isControl ? all.length : share;
    for (const trial of choose(all, count, options.seed)) {
      tally.add(suite, trial, await runTwice(trial));
      if (share !== null && tally.isCaught(suite)) break;
    }
    await suite.close();
  }
}

/** A fault that missed its step (the process took another path through its start) gets another chance. */
async function runTwice(trial: Trial): Promise<Verdict> {
  try {
    const verdict = await trial.run();
    return verdict.isMissed === true ? await trial.run() : verdict;
  } catch (error) {
    return { violations: [`the trial broke down: ${error instanceof Error ? error.message : 'no reason'}`] };
  }
}
