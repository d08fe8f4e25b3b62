/**
 * Was each changed part run by a passing test? Probes tell; the language's coverage source is the second witness, and
 * the only one where no probe could be placed. Whatever neither can see stays open, and an open part is no evidence.
 *
 *   probe | ran while                                   | status
 *   ------+---------------------------------------------+---------------
 *   yes   | a passing test ran (or, for a definition,   | exercised
 *         |   while the file was loaded)                |
 *   yes   | loading only, and it is part of a body      | import_only
 *   yes   | tests that did not pass, only               | missed
 *   yes   | never                                       | missed
 *   none  | the coverage source saw the statement run   | exercised (not for an arm: it cannot see arms)
 *   none  | it saw that it did not run                  | missed
 *   none  | it cannot tell                              | not_measurable
 *   any   | marked by its author as not to be covered   | excluded, unless it was exercised
 *   yes   | a probe was hit, the coverage source says   | contradicted
 *         |   that the line never ran                   |
 *   yes   | a test of a file in which some test did not | not_measurable
 *         |   pass, and the runner tells files only     |
 */
import type { CoverageWitness, ProbeHit, TestReport } from '../../model/suite.ts';
import type { Part } from './place-probes.ts';

export type PartStatus = 'exercised' | 'import_only' | 'missed' | 'excluded' | 'not_measurable' | 'contradicted';

export interface JudgedPart {
  readonly part: Part;
  readonly status: PartStatus;
  /** Tests that ran it, where the runner tells; at most those that passed. */
  readonly tests: readonly string[];
  /** True for a definition that counts as exercised though no test is known to have run it: its file was loaded. */
  readonly isLoadedOnly: boolean;
}

/** Judges every part of the change. `hasProbes` is false for a run in which none were placed (the fallback). */
export function judgeParts(
  parts: readonly Part[],
  run: {
    readonly hits: ReadonlyMap<number, readonly ProbeHit[]>;
    readonly hasProbes: boolean;
    readonly tests: TestReport;
    readonly witnesses: readonly CoverageWitness[];
  },
): readonly JudgedPart[] {
  const isPassing = passing(run.tests);
  const witnessOf = new Map(run.witnesses.map((witness) => [witness.path, witness]));
  return parts.map((part): JudgedPart => {
    const witness = witnessOf.get(part.file);
    const executed = witness?.isMeasured === true ? (witness.executed[part.statement] ?? null) : null;
    const judged =
      part.probe === null || !run.hasProbes
        ? { status: byWitness(part, executed), tests: [], isLoadedOnly: part.timing === 'definition' }
        : byProbe(part, executed, run.hits.get(part.probe) ?? [], isPassing);
    const status = part.isExcluded && judged.status !== 'exercised' ? 'excluded' : judged.status;
    return { part, status, tests: judged.tests, isLoadedOnly: status === 'exercised' && judged.isLoadedOnly };
  });
}

function byProbe(
  part: Part,
  executed: boolean | null,
  hits: readonly ProbeHit[],
  isPassing: Passing,
): Omit<JudgedPart, 'part'> {
  const { isExercised, tests, isLoadedOnly } = weighHits(part.timing, hits, isPassing);
  const as = (status: PartStatus) => ({ status, tests, isLoadedOnly });
  if (isExercised === true) return as(executed === false && !part.isArm ? 'contradicted' : 'exercised');
  if (isExercised === null) return as('not_measurable');
  return as(hits.some(({ phase }) => phase === 'load') ? 'import_only' : 'missed');
}

/**
 * Whether hits show that something was exercised: by a passing test, or, for a definition, while its file was loaded
 * outside of any test. Null where a hit names no one test and not all that it may mean passed.
 */
export function weighHits(
  timing: Part['timing'],
  hits: readonly ProbeHit[],
  isPassing: Passing,
): { readonly isExercised: boolean | null; readonly tests: readonly string[]; readonly isLoadedOnly: boolean } {
  const inTests = hits.filter(({ phase }) => phase === 'test');
  const good = inTests.filter(({ testId }) => isPassing(testId) === true);
  const tests = [...new Set(good.map(({ testId }) => testId).filter((id) => id !== ''))].sort();
  const isLoaded = timing === 'definition' && hits.some(({ phase }) => phase === 'load');
  if (isLoaded || good.length > 0) return { isExercised: true, tests, isLoadedOnly: good.length === 0 };
  const isOpen = inTests.some(({ testId }) => isPassing(testId) === null);
  return { isExercised: isOpen ? null : false, tests, isLoadedOnly: false };
}

/** Whether what a hit names is a passing test; null where it names a file of tests and not all that ran in it passed. */
export type Passing = (testId: string) => boolean | null;

/** Reads a report once, for all the hits of its run. */
export function passing({ tests }: TestReport): Passing {
  const outcomes = new Map(tests.map(({ id, outcome }) => [id, outcome]));
  const bad = tests.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped');
  const badFiles = new Set(bad.map(({ file }) => file));
  return (testId) => {
    const outcome = outcomes.get(testId);
    if (outcome !== undefined) return outcome === 'passed';
    const isOpen = testId === '' ? bad.length > 0 : badFiles.has(null) || badFiles.has(testId);
    return isOpen ? null : true;
  };
}

function byWitness({ isArm }: Part, executed: boolean | null): PartStatus {
  if (executed === false) return 'missed';
  return executed === true && !isArm ? 'exercised' : 'not_measurable';
}
