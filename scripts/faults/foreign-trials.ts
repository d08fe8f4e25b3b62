/** Somebody else edits, replaces or removes the target between two steps, or between a crash and its recovery. */
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { at, imageOf, newBackups, othersAreSame, recoveryIsStable, settle, journalOf, type Outcome } from './judge.ts';
import { stopAfter, type Playground } from './playground.ts';
import { openSteps, type Step } from './trace.ts';
import type { Picture } from './tree.ts';
import type { Trial, Verdict } from './trial.ts';

const FOREIGN = 'bytes of somebody else';

interface Mutation {
  readonly name: string;
  /** Writes into the file that is there, so nothing excuses losing it. */
  readonly isInPlace: boolean;
  /** Puts foreign bytes somewhere; a removal does not. */
  readonly hasBytes: boolean;
  apply(target: string): void;
}

const MUTATIONS: readonly Mutation[] = [
  {
    name: 'append',
    isInPlace: true,
    hasBytes: true,
    apply: (target) => {
      appendFileSync(target, FOREIGN);
    },
  },
  { name: 'overwrite', isInPlace: true, hasBytes: true, apply: overwriteStart },
  {
    name: 'replace',
    isInPlace: false,
    hasBytes: true,
    apply: (target) => {
      const aside = join(dirname(dirname(dirname(target))), 'aside');
      writeFileSync(aside, FOREIGN);
      renameSync(aside, target);
    },
  },
  {
    name: 'delete',
    isInPlace: false,
    hasBytes: false,
    apply: (target) => {
      rmSync(target);
    },
  },
  {
    name: 'link',
    isInPlace: false,
    hasBytes: true,
    apply: (target) => {
      rmSync(target);
      symlinkSync(FOREIGN, target);
    },
  },
  {
    name: 'folder',
    isInPlace: false,
    hasBytes: true,
    apply: (target) => {
      rmSync(target);
      mkdirSync(target);
      writeFileSync(join(target, 'inside'), FOREIGN);
    },
  },
];

/** Same length as before: only the time of the change and the bytes tell. */
function overwriteStart(target: string): void {
  const descriptor = openSync(target, 'r+');
  writeSync(descriptor, FOREIGN, 0);
  closeSync(descriptor);
}

/** Stops the writing process after each step, lets somebody else at the target, and lets the process go on. */
export function foreignTrials(name: string, playground: Playground, steps: readonly Step[]): readonly Trial[] {
  const places = openSteps(steps).filter(({ isAfterRead }) => isAfterRead);
  return places.flatMap((step) =>
    MUTATIONS.map((mutation) => ({
      id: `${name}/${mutation.name}@${step.index}-${step.call}`,
      fault: 'foreign edit',
      run: () => interfere(playground, step, mutation, isUnwatched(steps, step, playground)),
    })),
  );
}

/** True between the last look at the target's name and the rename over it. */
function isUnwatched(steps: readonly Step[], { index }: Step, { scenario }: Playground): boolean {
  const rename = steps.findIndex((step) => step.index > index && /^rename/u.test(step.call) && isOver(step.line));
  if (rename < 0 || scenario.writer !== 'surepatch') return false;
  const look = steps
    .slice(0, rename)
    .findLastIndex(({ call, line }) => call === 'openat' && line.includes('/app.txt"'));
  return index >= look;
}

function isOver(line: string): boolean {
  return line.includes('/app.txt") = 0');
}

async function interfere(
  playground: Playground,
  step: Step,
  mutation: Mutation,
  isUnwatched: boolean,
): Promise<Verdict> {
  const done: number[] = [];
  const run = await playground.run('write', stopAfter(step), playground.start, (log, pid) => {
    if (!log.includes('stopped by SIGSTOP')) return false;
    mutation.apply(playground.targetPath);
    process.kill(pid, 'SIGCONT');
    done.push(pid);
    return true;
  });
  if (done.length === 0 || !run.wasStruck) return { violations: [], isMissed: true };
  if (run.wasTimedOut) return { violations: ['the process did not end'] };
  const violations = judgeForeign(playground, settle(playground, run.answer), mutation);
  const isLost = violations.some((line) => line.startsWith('I7'));
  if (isLost && isUnwatched && !mutation.isInPlace) {
    return { violations: violations.filter((line) => !line.startsWith('I7')), isResidual: true };
  }
  return { violations, isKeptInWindow: isUnwatched && mutation.isInPlace && !isLost };
}

/** The same mutations, each between a crash and its recovery. */
export function foreignAfterCrash(id: string, playground: Playground, left: Picture): readonly Trial[] {
  return MUTATIONS.map((mutation) => ({
    id: `${id}/${mutation.name}`,
    fault: 'foreign edit after a crash',
    run: () => {
      playground.putUp(left);
      mutation.apply(playground.targetPath);
      return Promise.resolve({ violations: judgeForeign(playground, settle(playground, null), mutation) });
    },
  }));
}

function judgeForeign(playground: Playground, outcome: Outcome, { name, hasBytes }: Mutation): readonly string[] {
  const { answer, recovered, recovery } = outcome;
  const words = `${answer?.words ?? ''} ${JSON.stringify(recovery)}`;
  const faults: string[] = [];
  const places = recovered.filter(({ bytes }) => bytes.includes(FOREIGN)).map(({ path }) => path);
  const isAtTarget = places.some((path) => path === playground.target || path.startsWith(`${playground.target}/`));
  if (hasBytes && places.length === 0) faults.push(`I7: the bytes of the foreign ${name} are gone`);
  if (hasBytes && !isAtTarget && !places.some((path) => words.includes(nameOf(path)))) {
    faults.push(`I7: the bytes of the foreign ${name} are only in ${places.join(', ')}, which no answer names`);
  }
  // A write that had ended before the process died leaves a backup that nobody has to name again.
  const isOver = playground.scenario.keepBackup && answer === null && journalOf(outcome.left) === '';
  for (const { path } of newBackups(playground, recovered)) {
    if (!isOver && !words.includes(nameOf(path))) faults.push(`I4: ${path} is left and no answer names it`);
  }
  for (const { path } of recovered) if (path.endsWith('.tmp')) faults.push(`I4: ${path} is left`);
  if (journalOf(recovered) !== '' && recovery.unresolved.length === 0) faults.push('I4: a record is left');
  if (!hasBytes && at(recovered, playground.target) !== undefined && imageOf(playground, recovered) === 'neither') {
    faults.push('I1: after a removal the target is neither image');
  }
  return [...faults, ...othersAreSame(playground, recovered, 'I6'), ...recoveryIsStable(outcome)];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
