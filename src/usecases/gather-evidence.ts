/** What the examiners and the runs found → the evidence that the verdict is folded from. Decides nothing. */
import { compareRuns, type ComparedRun } from '../engine/evidence/compare-runs.ts';
import { judgeParts, passing, weighHits, type JudgedPart } from '../engine/evidence/judge-parts.ts';
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
    probesAlone: [],
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
  const hasProbes = repeats.length === 0;
  const { bypassed, unmeasured, probesAlone, absent } = unseenFiles(examination, trial.files, first, hasProbes);
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
    probesAlone,
    parts: judgedParts(trial.files, decisive, hasProbes, absent),
    files: proposal.map(({ path }) => ({ path, toJudge: toJudge(path, trial.files) })),
    deleted: deletedParts(trial.deleted, baseline),
  };
}

function comparedRun({ ending, tests }: BaselineRun): ComparedRun {
  return { hasEnded: ending === 'green' || ending === 'red', isGreen: ending === 'green', tests };
}

function passedOf({ tests }: SuiteRun): number {
  return tests.tests.filter(({ outcome }) => outcome === 'passed').length;
}

function judgedParts(
  files: readonly MeasuredFile[],
  run: SuiteRun,
  hasProbes: boolean,
  absent: ReadonlySet<string>,
): readonly JudgedPart[] {
  const parts = files.flatMap(({ probed }) => probed.parts);
  const witnesses = run.coverage
    .flatMap((reading) => reading.files)
    .map((file) => {
      // Of a file that was never loaded nothing ran, whether it has a probe or not.
      return absent.has(file.path) ? { ...file, isMeasured: true, executed: file.executed.map(() => false) } : file;
    });
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

/**
 * Files of which no run can say anything: the reason why, or the copy that was loaded instead. Where no coverage source is
 * there, probes at every changed part are witness enough of a file that was loaded; and a file whose load is probed, of
 * which our agents saw neither this nor another copy, was not loaded.
 */
function unseenFiles(
  examination: ChangeExamination,
  files: readonly MeasuredFile[],
  run: SuiteRun,
  hasProbes: boolean,
) {
  const bypassed: string[] = [];
  const unmeasured = [...examination.unexamined];
  const probesAlone: { readonly path: string; readonly why: string }[] = [];
  const absent = new Set<string>();
  for (const { examined, changed, probed } of files) {
    const { path } = examined;
    const own = run.coverage.find((reading) => reading.files.some((file) => file.path === path));
    const witness = own?.files.find((file) => file.path === path);
    const probes = [probed.loadProbe, ...probed.parts.map(({ probe }) => probe)];
    const isHit = probes.some((probe) => probe !== null && run.hits.has(probe));
    // Some sources report a file that nobody loaded; its probe does not.
    const isSilent = !isHit && (probed.loadProbe !== null || witness?.isMeasured !== true);
    const why = own === undefined ? 'no coverage source reads it' : own.unavailable;
    if (changed.isInert && !changed.isUnreadable) continue;
    if (changed.isUnreadable) {
      unmeasured.push({ path, why: 'it holds no statements that could be seen to run' });
    } else if (isSilent && witness !== undefined && witness.otherCopies.length > 0) {
      bypassed.push(`${path} (${witness.otherCopies[0] ?? ''} was loaded instead)`);
    } else if (isSilent && probed.parts.length === 0) {
      // What is left of it may not even load.
      unmeasured.push({ path, why: 'no process of the run loaded what the change leaves of it' });
    } else if (why === null) {
      continue;
    } else if (isHit && hasProbes && own?.gap === 'no_source' && !probes.slice(1).includes(null)) {
      probesAlone.push({ path, why });
    } else if (
      hasProbes &&
      isSilent &&
      probed.loadProbe !== null &&
      own?.gap !== 'broken' &&
      run.tests.runner !== null
    ) {
      probesAlone.push({ path, why: 'no process of the run loaded it' });
      absent.add(path);
    } else {
      unmeasured.push({ path, why });
    }
  }
  return { bypassed, unmeasured, probesAlone, absent };
}

function deletedParts(deleted: readonly DeletedPart[], baseline: BaselineRun | undefined): Evidence['deleted'] {
  const isPassing = baseline === undefined ? null : passing(baseline.tests);
  const wasRun = (probe: number | null): boolean | null => {
    if (probe === null || baseline === undefined || isPassing === null) return null;
    // That a definition was made says nothing about who needs it, so only a test that ran it counts here.
    return weighHits('body', baseline.hits.get(probe) ?? [], isPassing).isExercised;
  };
  return deleted.map(({ file, line, probe }) => ({ file, line, isExercised: wasRun(probe) }));
}
