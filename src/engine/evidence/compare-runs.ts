/**
 * The runs with the change beside those without it. A failure counts only if it came again and never came without the
 * change; one that was there before is nobody's fault; whatever comes and goes is flaky, be it a test or the command. A run
 * that did not end green is forgiven by no other: what it lacks is named, or the ending of all of them is not green.
 */
import type { TestCase, TestReport } from '../../model/suite.ts';
import type { SuiteEnding } from '../verdict.ts';

/** One run of the suite on one tree. */
export interface ComparedRun {
  readonly ending: SuiteEnding;
  readonly tests: TestReport;
}

export interface ComparedBaseline extends ComparedRun {
  /** True where parts that the change deletes were probed, which may be what breaks it. */
  readonly isProbed: boolean;
}

export interface Comparison {
  /** Of all runs with the change: the one of each, or the worse where no failing test tells them apart. */
  readonly ending: SuiteEnding;
  /** Of the first run without the change that counts; null where there is none. */
  readonly baselineEnding: SuiteEnding | null;
  readonly newFailures: readonly string[];
  readonly preexistingFailures: readonly string[];
  readonly flaky: readonly string[];
  /** Null where no baseline says which tests there are. */
  readonly lost: readonly string[] | null;
  readonly newlySkipped: readonly string[] | null;
}

/** Stands for the command itself where it does not end green and no test of it says why. */
export const COMMAND = '(the command)';

/** The tests that failed twice, run apart from all others on both trees. */
export interface ApartRuns {
  readonly candidate: ComparedRun;
  readonly baseline: ComparedRun;
}

/** Compares the runs with the change (one, or two after one that did not end green) with those without it. */
export function compareRuns(
  candidates: readonly ComparedRun[],
  baselines: readonly ComparedBaseline[],
  apart: ApartRuns | null = null,
): Comparison {
  const failures = candidates.map(failing);
  const counted = withoutDisturbed(baselines);
  const ended = counted.filter(hasEnded);
  const earlier = ended.map(failing);
  const isKnown = earlier.length > 0;
  // Where there is nothing to compare with at all, what fails has nobody else to be blamed on.
  const isBlamable = (id: string): boolean =>
    id === COMMAND ? isKnown && candidates.every(hasEnded) : isKnown || baselines.length === 0;
  const always = [...(failures[0] ?? [])].filter((id) => failures.every((failed) => failed.has(id))).filter(isBlamable);
  const decisive = candidates.at(-1)?.tests.tests ?? [];
  const reference = ended.find(({ tests }) => tests.runner !== null)?.tests.tests;
  const found = new Map(decisive.map((test) => [test.id, test]));
  const passedBefore = reference?.filter(({ outcome }) => outcome === 'passed');
  const unblamed = always.filter((id) => earlier.every((failed) => !failed.has(id)));
  const unsteady = apart === null ? [] : unblamed.filter((id) => id !== COMMAND && !isConfirmed(id, apart));
  return {
    ending: endingOf(candidates, isKnown),
    baselineEnding: counted[0]?.ending ?? null,
    newFailures: unblamed.filter((id) => !unsteady.includes(id)).sort(),
    preexistingFailures: always.filter((id) => isKnown && earlier.every((failed) => failed.has(id))).sort(),
    flaky: [...new Set([...sometimes(failures), ...sometimes(earlier), ...unsteady])].sort(),
    lost: idsOf(passedBefore?.filter(({ id, times }) => (found.get(id)?.times ?? 0) < times)),
    newlySkipped: idsOf(passedBefore?.filter(({ id }) => isSkipped(found.get(id)?.outcome))),
  };
}

/** A baseline that is not green with its probes says nothing where there is one without. */
function withoutDisturbed(baselines: readonly ComparedBaseline[]): readonly ComparedBaseline[] {
  const clean = baselines.filter(({ ending, isProbed }) => !isProbed || ending === 'green');
  return clean.length > 0 ? clean : baselines;
}

/**
 * A suite that hung, was cut short or failed without a name in one of its runs may do so again, so a green run after it
 * does not make it green. A timeout counts as one only if it came again.
 */
function endingOf(candidates: readonly ComparedRun[], isBaselineKnown: boolean): SuiteEnding {
  const last = candidates.at(-1)?.ending ?? 'incomplete';
  if (candidates.some(({ ending }) => ending === 'incomplete')) return 'incomplete';
  const isTold = candidates.every(
    (run) => run.ending === last || (last === 'green' && run.ending === 'red' && !failing(run).has(COMMAND)),
  );
  const ending = isTold ? last : 'red';
  return ending === 'red' && !isBaselineKnown ? 'incomplete' : ending;
}

/** Also by itself it fails with the change, and does not without it (where a new test is not found at all). */
function isConfirmed(id: string, { candidate, baseline }: ApartRuns): boolean {
  return failing(candidate).has(id) && !failing(baseline).has(id);
}

/** The tests that failed, as far as a run came; where none did and it did not end green, the command. */
function failing({ ending, tests }: ComparedRun): ReadonlySet<string> {
  const ids = [
    ...tests.tests.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id),
    ...tests.errors.map(({ id }) => id),
  ];
  return new Set(ids.length === 0 && ending !== 'green' ? [COMMAND] : ids);
}

/** What is in some of the sets and not in all. */
function sometimes(sets: readonly ReadonlySet<string>[]): readonly string[] {
  return sets.flatMap((set) => [...set]).filter((id) => sets.some((set) => !set.has(id)));
}

function hasEnded({ ending }: ComparedRun): boolean {
  return ending === 'green' || ending === 'red';
}

function idsOf(tests: readonly TestCase[] | undefined): readonly string[] | null {
  return tests?.map(({ id }) => id).sort() ?? null;
}

function isSkipped(outcome: string | undefined): boolean {
  return outcome === 'skipped' || outcome === 'expected_failure';
}
