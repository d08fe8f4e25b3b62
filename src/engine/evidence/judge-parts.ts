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
 *   any   | marked by its author as not to be covered   | excluded, whatever else
 *   yes   | a probe was hit, the coverage source says   | contradicted
 *         |   that the line never ran                   |
 */
import type { CoverageWitness, ProbeHit, TestReport } from '../../model/suite.ts';
import type { Part } from './place-probes.ts';

export type PartStatus = 'exercised' | 'import_only' | 'missed' | 'excluded' | 'not_measurable' | 'contradicted';

export interface JudgedPart {
  readonly part: Part;
  readonly status: PartStatus;
  /** Tests that ran it, where the runner tells; at most those that passed. */
  readonly tests: readonly string[];
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
  const notPassed = new Set(run.tests.tests.filter(({ outcome }) => outcome !== 'passed').map(({ id }) => id));
  const witnessOf = new Map(run.witnesses.map((witness) => [witness.path, witness]));
  return parts.map((part): JudgedPart => {
    const witness = witnessOf.get(part.file);
    const executed = witness?.isMeasured === true ? (witness.executed[part.statement] ?? null) : null;
    if (part.isExcluded) return { part, status: 'excluded', tests: [] };
    if (part.probe === null || !run.hasProbes) return { part, status: byWitness(part, executed), tests: [] };
    const hits = run.hits.get(part.probe) ?? [];
    const good = hits.filter(({ phase, testId }) => phase === 'test' && !notPassed.has(testId));
    const tests = [...new Set(good.map(({ testId }) => testId).filter((id) => id !== ''))].sort();
    const counts = part.timing === 'definition' ? hits : good;
    if (counts.length > 0 && executed === false && !part.isArm) return { part, status: 'contradicted', tests };
    if (counts.length > 0) return { part, status: 'exercised', tests };
    return { part, status: hits.some(({ phase }) => phase === 'load') ? 'import_only' : 'missed', tests };
  });
}

function byWitness({ isArm }: Part, executed: boolean | null): PartStatus {
  if (executed === false) return 'missed';
  return executed === true && !isArm ? 'exercised' : 'not_measurable';
}
