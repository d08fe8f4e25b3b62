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
 *   none  | the coverage source saw a passing test run  | exercised (not for an arm: it cannot see arms)
 *         |   the statement                             |
 *   none  | it saw that none did                        | missed
 *   none  | it cannot tell                              | not_measurable
 *   any   | nothing shows it, in a run that was cut     | not_measurable
 *         |   short                                     |
 *   any   | marked by its author as not to be covered   | excluded, unless it was exercised
 *   yes   | a probe was hit, the coverage source says   | contradicted
 *         |   that the line never ran                   |
 *   yes   | a test that nothing is known of, or that is | not_measurable
 *         |   told by its file only, in which not all   |
 *         |   tests passed                              |
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

/** Judges every part of the change by the run in which its probes were placed. */
export function judgeParts(
  parts: readonly Part[],
  run: {
    readonly hits: ReadonlyMap<number, readonly ProbeHit[]>;
    /** True where the suite came to its end, so that what was not seen did not run. */
    readonly isWhole: boolean;
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
      part.probe === null
        ? { status: byWitness(part, executed), tests: [], isLoadedOnly: part.timing === 'definition' }
        : byProbe(part, executed, run.hits.get(part.probe) ?? [], isPassing);
    const seen = judged.status === 'exercised' || run.isWhole ? judged.status : 'not_measurable';
    const status = part.isExcluded && seen !== 'exercised' ? 'excluded' : seen;
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

/**
 * Whether what a witness names is a passing test. A file stands for all its tests and the empty name for all of the run:
 * null where not all of them passed, and for a name that nothing is known of.
 */
export type Passing = (testId: string) => boolean | null;

/** Reads a report once, for all that was seen in its run. */
export function passing({ tests }: TestReport): Passing {
  const outcomes = new Map(tests.map(({ id, outcome }) => [id, outcome]));
  const files = new Set(tests.map(({ file }) => file));
  // One that skips itself may have run something before, and nobody looked at what came of it.
  const badFiles = new Set(tests.filter(({ outcome }) => outcome !== 'passed').map(({ file }) => file));
  return (testId) => {
    const outcome = outcomes.get(testId);
    if (outcome !== undefined) return outcome === 'passed';
    if (testId === '') return tests.length > 0 && badFiles.size === 0 ? true : null;
    return files.has(testId) && !badFiles.has(null) && !badFiles.has(testId) ? true : null;
  };
}

function byWitness({ isArm }: Part, executed: boolean | null): PartStatus {
  if (executed === false) return 'missed';
  return executed === true && !isArm ? 'exercised' : 'not_measurable';
}
