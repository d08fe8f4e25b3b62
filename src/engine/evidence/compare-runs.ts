/**
 * The tests of a run with the change beside those of a run without it. A failure counts only if it came again and never
 * came without the change; one that was there before is nobody's fault; one that comes and goes is flaky.
 */
import type { TestCase, TestReport } from '../../model/suite.ts';

/** One run of the suite on one tree. */
export interface ComparedRun {
  /** True where the command ended by itself, whatever its exit code. */
  readonly hasEnded: boolean;
  readonly isGreen: boolean;
  readonly tests: TestReport;
}

export interface Comparison {
  readonly newFailures: readonly string[];
  readonly preexistingFailures: readonly string[];
  readonly flaky: readonly string[];
  /** Null where no baseline says which tests there are. */
  readonly lost: readonly string[] | null;
  readonly newlySkipped: readonly string[] | null;
}

/** Stands for the command itself where it fails and no test of it does. */
export const COMMAND = '(the command)';

/** The tests that failed twice, run apart from all others on both trees. */
export interface ApartRuns {
  readonly candidate: ComparedRun;
  readonly baseline: ComparedRun;
}

/** Compares the runs with the change (one, or two after a failure) with those without it. */
export function compareRuns(
  candidates: readonly ComparedRun[],
  baselines: readonly ComparedRun[],
  apart: ApartRuns | null = null,
): Comparison {
  const failures = candidates.map(failing);
  const earlier = baselines.filter(({ hasEnded }) => hasEnded).map(failing);
  const always = [...(failures[0] ?? [])].filter((id) => failures.every((failed) => failed.has(id)));
  const isKnown = earlier.length > 0;
  const decisive = candidates.at(-1)?.tests.tests ?? [];
  const reference = baselines.find(({ hasEnded, tests }) => hasEnded && tests.runner !== null)?.tests.tests;
  const found = new Map(decisive.map((test) => [test.id, test]));
  const passedBefore = reference?.filter(({ outcome }) => outcome === 'passed');
  // Where there is nothing to compare with at all, what fails has nobody else to be blamed on.
  const unblamed = always.filter((id) =>
    isKnown ? earlier.every((failed) => !failed.has(id)) : baselines.length === 0 && id !== COMMAND,
  );
  const unsteady = apart === null ? [] : unblamed.filter((id) => id !== COMMAND && !isConfirmed(id, apart));
  return {
    newFailures: unblamed.filter((id) => !unsteady.includes(id)).sort(),
    preexistingFailures: always.filter((id) => isKnown && earlier.every((failed) => failed.has(id))).sort(),
    flaky: [...new Set([...sometimes(failures), ...sometimes(earlier), ...unsteady])].sort(),
    lost: idsOf(passedBefore?.filter(({ id, times }) => (found.get(id)?.times ?? 0) < times)),
    newlySkipped: idsOf(passedBefore?.filter(({ id }) => isSkipped(found.get(id)?.outcome))),
  };
}

/** Also by itself it fails with the change, and does not without it (where a new test is not found at all). */
function isConfirmed(id: string, { candidate, baseline }: ApartRuns): boolean {
  return failing(candidate).has(id) && !failing(baseline).has(id);
}

/** A run that did not end by itself names the tests that had failed until then, and says nothing of the command. */
function failing({ hasEnded, isGreen, tests }: ComparedRun): ReadonlySet<string> {
  const ids = [
    ...tests.tests.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id),
    ...tests.errors.map(({ id }) => id),
  ];
  return new Set(ids.length === 0 && hasEnded && !isGreen ? [COMMAND] : ids);
}

/** What is in some of the sets and not in all. */
function sometimes(sets: readonly ReadonlySet<string>[]): readonly string[] {
  return sets.flatMap((set) => [...set]).filter((id) => id !== COMMAND && sets.some((set) => !set.has(id)));
}

function idsOf(tests: readonly TestCase[] | undefined): readonly string[] | null {
  return tests?.map(({ id }) => id).sort() ?? null;
}

function isSkipped(outcome: string | undefined): boolean {
  return outcome === 'skipped' || outcome === 'expected_failure';
}
