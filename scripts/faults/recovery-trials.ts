/** Recovery itself killed and refused at every step, from every state in which a killed write leaves the disk. */
import { join } from 'node:path';
import { faultsOf, killSteps } from './io-suite.ts';
import { foreignAfterCrash } from './foreign-trials.ts';
import { at, judge, settle } from './judge.ts';
import { killAt, makePlayground, type Fault, type Playground, type PlaygroundOptions } from './playground.ts';
import type { Scenario } from './scenario.ts';
import type { Step } from './trace.ts';
import { differences, type Entry, type Picture } from './tree.ts';
import type { Suite, Trial, Verdict } from './trial.ts';

/** Random: where the crash came before there was one, each recovery makes its own. */
const KEY = 'state/surepatch/key';

interface CrashState {
  readonly step: Step;
  readonly left: Picture;
  /** What undisturbed recovery makes of it. */
  readonly recovered: Picture;
}

/** The suite of a scenario's recovery. */
export function recoverySuite(scenario: Scenario, options: PlaygroundOptions): Suite {
  const name = `recovery/${scenario.name}`;
  let playground: Playground | undefined;
  return {
    name,
    isControl: false,
    plan: async () => {
      playground = makePlayground(scenario, { ...options, base: join(options.base, 'recovery') });
      return recoveryTrials(name, playground, killSteps((await playground.run('write', null)).steps));
    },
    close: async () => {
      await playground?.close();
    },
  };
}

/** Finds the crash states by killing the write at each step, and lists the trials for each distinct one. */
async function recoveryTrials(name: string, playground: Playground, steps: readonly Step[]): Promise<readonly Trial[]> {
  const states: CrashState[] = [];
  for (const step of steps) {
    const run = await playground.run('write', killAt(step));
    const left = playground.now();
    const isKnown = states.some((state) => differences(state.left, left).length === 0);
    if (!run.wasStruck || run.answer !== null || isKnown) continue;
    states.push({ step, left, recovered: settle(playground, null).recovered });
  }
  const trials: Trial[] = [];
  for (const state of states) {
    const id = `${name}/crash@${state.step.index}-${state.step.call}`;
    trials.push(...foreignAfterCrash(id, playground, state.left));
    const clean = await playground.run('recover', null, state.left);
    for (const step of killSteps(clean.steps)) {
      const fault = killAt(step);
      const run = () => recoverUnder(playground, state, fault);
      trials.push({ id: `${id}/kill@${step.index}-${step.call}`, fault: 'recovery killed', run });
    }
    for (const { id: place, fault } of faultsOf(clean.steps)) {
      const run = () => recoverUnder(playground, state, fault);
      trials.push({ id: `${id}/${place}`, fault: 'recovery refused', run });
    }
  }
  return trials;
}

async function recoverUnder(playground: Playground, state: CrashState, fault: Fault): Promise<Verdict> {
  const run = await playground.run('recover', fault, state.left);
  if (!run.wasStruck) return { violations: [], isMissed: true };
  if (run.wasTimedOut) return { violations: ['the process did not end'] };
  const isCut = differences(state.left, playground.now());
  const outcome = settle(playground, null);
  // The journal may be empty before the second recovery, so what the tests say is judged by the undisturbed recovery.
  const isCompared = ({ path }: Entry): boolean => path !== KEY || at(state.left, KEY) !== undefined;
  const violations = differences(state.recovered.filter(isCompared), outcome.recovered.filter(isCompared)).map(
    (line) => `I5: after a disturbed recovery (${isCut.join(', ')}) ${line}`,
  );
  return { violations: [...violations, ...judge(playground, { ...outcome, left: state.left })] };
}
