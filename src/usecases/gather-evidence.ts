/** What the examiners and the runs found → the evidence that the verdict is folded from. Decides nothing. */
import { compareRuns, type ComparedRun } from '../engine/evidence/compare-runs.ts';
import { judgeParts, weighHits, type JudgedPart } from '../engine/evidence/judge-parts.ts';
import { languages } from '../engine/languages/index.ts';
import type { Evidence } from '../engine/verdict.ts';
import type { ProposedFile } from '../model/proposal.ts';
import type { Suite } from './choose-suite.ts';
import type { ChangeExamination } from './examine-change.ts';
import type { SuiteRun } from './run-suite.ts';
import type { BaselineRun, DeletedPart, MeasuredFile, Trial } from './trial.ts';

/** Everything but whether the tree stood still. */
export type EvidenceSoFar = Omit<Evidence, 'isTreeStill'>;

/** What is known before any test has run. */
export function evidenceWithoutRun(
  examination: ChangeExamination,
  proposal: readonly ProposedFile[],
  ending: 'no_command' | 'not_started',
): EvidenceSoFar {
  return {
    syntax: examination.syntax,
    imports: examination.imports,
    ending,
    baselineEnding: null,
    newFailures: [],
    preexistingFailures: [],
    flaky: [],
    passed: null,
    scope: 'unknown',
    lost: null,
    newlySkipped: null,
    changedTests: changedTests(proposal),
    bypassed: [],
    unmeasured: examination.unexamined,
    parts: [],
    files: [],
    deleted: [],
  };
}

/** Gathers everything but whether the real tree stood still, which only the end of the verification shows. */
export function gatherEvidence({
  examination,
  proposal,
  suite,
  trial,
}: {
  examination: ChangeExamination;
  proposal: readonly ProposedFile[];
  suite: Suite;
  trial: Trial;
}): EvidenceSoFar {
  const [first, ...repeats] = trial.candidates;
  const decisive = repeats.at(-1) ?? first;
  const baseline = trial.baselines[0];
  const apart =
    trial.apart === null
      ? null
      : { candidate: comparedRun(trial.apart.candidate), baseline: comparedRun(trial.apart.baseline) };
  const compared = compareRuns(trial.candidates.map(comparedRun), trial.baselines.map(comparedRun), apart);
  const isBaselineKnown = baseline?.ending === 'green' || baseline?.ending === 'red';
  const { bypassed, unmeasured } = unseenFiles(examination, trial.files, first);
  return {
    ...compared,
    syntax: examination.syntax,
    imports: examination.imports,
    ending: decisive.ending === 'red' && !isBaselineKnown ? 'incomplete' : decisive.ending,
    baselineEnding: baseline?.ending ?? null,
    passed: decisive.tests.runner === null ? null : passedOf(decisive),
    scope: decisive.tests.deselected > 0 && suite.scope === 'full' ? 'narrowed' : suite.scope,
    changedTests: changedTests(proposal),
    bypassed,
    unmeasured,
    parts: judgedParts(trial.files, decisive, repeats.length === 0),
    files: proposal.map(({ path }) => ({ path, toJudge: toJudge(path, trial.files) })),
    deleted: trial.deleted.map((part) => ({ file: part.file, line: part.line, isExercised: wasRun(part, baseline) })),
  };
}

function comparedRun({ ending, tests }: BaselineRun): ComparedRun {
  return { hasEnded: ending === 'green' || ending === 'red', isGreen: ending === 'green', tests };
}

function passedOf({ tests }: SuiteRun): number {
  return tests.tests.filter(({ outcome }) => outcome === 'passed').length;
}

function judgedParts(files: readonly MeasuredFile[], run: SuiteRun, hasProbes: boolean): readonly JudgedPart[] {
  const parts = files.flatMap(({ probed }) => probed.parts);
  const witnesses = run.coverage.flatMap((reading) => reading.files);
  return judgeParts(parts, { hits: run.hits, hasProbes, tests: run.tests, witnesses });
}

function toJudge(path: string, files: readonly MeasuredFile[]): number | null {
  const changed = files.find(({ examined }) => examined.path === path)?.changed;
  if (changed === undefined || changed.isUnreadable) return null;
  const { statements, arms, deleted, deletedArms } = changed;
  return statements.length + arms.length + deleted.length + deletedArms.length;
}

/** Tests that are new are evidence; tests that were changed, and whatever steers tests, may be what makes them pass. */
function changedTests(proposal: readonly ProposedFile[]): readonly string[] {
  return proposal
    .filter(({ path, before }) => {
      const isTest = languages.some((language) => language.isTestFile(path));
      return languages.some((language) => language.steersTests(path)) || (isTest && before !== null);
    })
    .map(({ path }) => path);
}

/** Files of which no run can say anything: the reason why, or the copy that was loaded instead. */
function unseenFiles(examination: ChangeExamination, files: readonly MeasuredFile[], run: SuiteRun) {
  const bypassed: string[] = [];
  const unmeasured = [...examination.unexamined];
  const readings = run.coverage;
  for (const { examined, changed, probed } of files) {
    const { path } = examined;
    const witness = readings.flatMap((reading) => reading.files).find((file) => file.path === path);
    const isLoaded = witness?.isMeasured === true || (probed.loadProbe !== null && run.hits.has(probed.loadProbe));
    if (changed.isInert && !changed.isUnreadable) continue;
    if (changed.isUnreadable) {
      unmeasured.push({ path, why: 'it holds no statements that could be seen to run' });
    } else if (!isLoaded && witness !== undefined && witness.otherCopies.length > 0) {
      bypassed.push(`${path} (${witness.otherCopies[0] ?? ''} was loaded instead)`);
    } else {
      const own = readings.find((reading) => reading.files.some((file) => file.path === path));
      const why = own === undefined ? 'no coverage source reads it' : own.unavailable;
      if (why !== null) unmeasured.push({ path, why });
    }
  }
  return { bypassed, unmeasured };
}

function wasRun({ probe }: DeletedPart, baseline: BaselineRun | undefined): boolean | null {
  if (probe === null || baseline === undefined) return null;
  // That a definition was made says nothing about who needs it, so only a test that ran it counts here.
  return weighHits('body', baseline.hits.get(probe) ?? [], baseline.tests).isExercised;
}
