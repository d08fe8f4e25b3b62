/** Faults of one writing process: killed, refused by the system, or lied to, at every step of a write and its ending. */
import { judge, settle } from './judge.ts';
import {
  failAt,
  killAt,
  lieAt,
  makePlayground,
  type Fault,
  type Playground,
  type PlaygroundOptions,
} from './playground.ts';
import { foreignTrials } from './foreign-trials.ts';
import type { Scenario } from './scenario.ts';
import { openSteps, type Step } from './trace.ts';
import type { Suite, Trial, Verdict } from './trial.ts';

const ERRORS = ['ENOSPC', 'EIO', 'EDQUOT', 'EROFS', 'EMFILE', 'EACCES', 'EINTR'];
const READ_ERRORS = ['EIO', 'EMFILE', 'EACCES', 'EINTR'];
/** Closing is not a step that can be refused: the descriptor is gone whatever the system says. */
const NOT_REFUSED = new Set(['close']);
const MARK = 'surepatch-mark';

/** The suite of a scenario's write: every fault at every step, and foreign edits in between. */
export function ioSuite(scenario: Scenario, options: PlaygroundOptions): Suite {
  const name = `io/${scenario.name}`;
  const isControl = scenario.writer !== 'surepatch';
  let playground: Playground | undefined;
  return {
    name,
    isControl,
    plan: async () => {
      playground = makePlayground(scenario, options);
      const { steps } = await playground.run('write', null);
      const verdict = judgeClean(playground, steps);
      const clean: Trial = { id: `${name}/clean`, fault: 'none', run: () => Promise.resolve(verdict) };
      const trials = [clean, ...killTrials(name, playground, steps), ...errorTrials(name, playground, steps)];
      if (isControl) return trials;
      return [...trials, ...foreignTrials(name, playground, steps)];
    },
    close: async () => {
      await playground?.close();
    },
  };
}

function judgeClean(playground: Playground, steps: readonly Step[]): Verdict {
  const violations = steps.length < 3 ? ['the clean run shows no steps'] : [];
  return {
    violations: [...violations, ...judge(playground, settle(playground, { outcome: expected(playground), words: '' }))],
  };
}

function expected({ scenario }: Playground): 'kept' | 'put_back' {
  return scenario.passes ? 'kept' : 'put_back';
}

/** Before and after each call that changes something: between two others nothing on disk can differ. */
export function killSteps(steps: readonly Step[]): readonly Step[] {
  return openSteps(steps.filter((step, index) => step.isChange || steps[index - 1]?.isChange === true));
}

function killTrials(name: string, playground: Playground, steps: readonly Step[]): readonly Trial[] {
  return killSteps(steps).map((step) => ({
    id: `${name}/kill@${step.index}-${step.call}`,
    fault: 'kill',
    run: () => writeUnder(playground, killAt(step)),
  }));
}

function errorTrials(name: string, playground: Playground, steps: readonly Step[]): readonly Trial[] {
  return faultsOf(steps).map(({ id, column, fault }) => ({
    id: `${name}/${id}`,
    fault: column,
    run: () => writeUnder(playground, fault),
  }));
}

export interface NamedFault {
  readonly id: string;
  readonly column: string;
  readonly fault: Fault;
}

/** Every error at every step, once and (but for EINTR, which a program must repeat) for good; and every lying write. */
export function faultsOf(steps: readonly Step[]): readonly NamedFault[] {
  const faults: NamedFault[] = [];
  for (const step of openSteps(steps)) {
    if (step.line.includes(MARK) || NOT_REFUSED.has(step.call)) continue;
    const place = `${step.index}-${step.call}`;
    for (const errno of step.isChange ? ERRORS : READ_ERRORS) {
      faults.push({ id: `${errno}@${place}`, column: 'error', fault: failAt(step, errno, false) });
      if (errno === 'EINTR') continue;
      faults.push({ id: `${errno}+@${place}`, column: 'error, persistent', fault: failAt(step, errno, true) });
    }
    if (step.call !== 'write' && step.call !== 'pwrite64') continue;
    const length = Number(/= (\d+)$/u.exec(step.line)?.[1] ?? '2');
    for (const count of new Set([0, 1, Math.floor(length / 2), length])) {
      faults.push({ id: `lost${count}@${place}`, column: 'lost write', fault: lieAt(step, count) });
    }
  }
  return faults;
}

async function writeUnder(playground: Playground, fault: Fault): Promise<Verdict> {
  const run = await playground.run('write', fault);
  if (!run.wasStruck) return { violations: [], isMissed: true };
  if (run.wasTimedOut) return { violations: ['the process did not end'] };
  const leaks = run.leaked > 0 ? [`${run.leaked} descriptors stay open`] : [];
  return { violations: [...leaks, ...judge(playground, settle(playground, run.answer))] };
}
