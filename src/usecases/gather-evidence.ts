/** What the examiners and the runs found → the evidence that the verdict is folded from. Decides nothing. */
import { compareRuns } from '../engine/evidence/compare-runs.ts';
import { judgeParts, passing, weighHits, type JudgedPart } from '../engine/evidence/judge-parts.ts';
import { withoutArmsOfTests, type DeletedPart, type MeasuredFile } from '../engine/evidence/measured-files.ts';
import { unseenFiles } from '../engine/evidence/unseen-files.ts';
import { languages } from '../engine/languages/index.ts';
import type { Evidence } from '../engine/verdict.ts';
import type { ChangedFile } from '../model/proposal.ts';
import type { Suite } from './choose-suite.ts';
import type { ChangeExamination } from './examine-change.ts';
import type { SuiteRun } from './run-suite.ts';
import type { BaselineRun, Trial } from './trial.ts';

/** Everything but whether the tree stood still. */
export type EvidenceSoFar = Omit<Evidence, 'isTreeStill'>;

/** What is known before any test has run. */
export function evidenceWithoutRun(
  examination: ChangeExamination,
  proposal: readonly ChangedFile[],
  ending: 'no_command' | 'not_started' | 'not_run',
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
    removed: removedFiles(proposal),
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
  proposal: readonly ChangedFile[];
  suite: Pick<Suite, 'scope'>;
  trial: Trial;
}): EvidenceSoFar {
  // What ran is read off the run with the probes alone; the tests are those of the last.
  const [probed] = trial.candidates;
  const decisive = trial.candidates.at(-1) ?? probed;
  const gone = removedFiles(proposal);
  const files = withoutArmsOfTests(trial.files, probed.tests);
  const { bypassed, unmeasured, probesAlone, absent } = unseenFiles(
    files.filter(({ examined }) => !gone.includes(examined.path)),
    probed,
  );
  return {
    ...compareRuns(trial.candidates, trial.baselines, trial.apart),
    syntax: examination.syntax,
    imports: examination.imports,
    passed: decisive.tests.runner === null ? null : passedOf(decisive),
    scope: decisive.tests.deselected > 0 && suite.scope === 'full' ? 'narrowed' : suite.scope,
    changedTests: changedTests(proposal),
    bypassed,
    unmeasured: [...examination.unexamined, ...unmeasured],
    probesAlone,
    parts: judgedParts(files, probed, absent),
    files: proposal.map(({ path }) => ({ path, toJudge: toJudge(path, files) })),
    removed: gone,
    deleted: deletedParts(trial.deleted, trial.baselines[0]),
  };
}

function passedOf({ tests }: SuiteRun): number {
  return tests.tests.filter(({ outcome }) => outcome === 'passed').length;
}

function judgedParts(
  files: readonly MeasuredFile[],
  run: SuiteRun,
  absent: ReadonlySet<string>,
): readonly JudgedPart[] {
  const parts = files.flatMap(({ probed }) => probed.parts);
  const witnesses = run.coverage
    .flatMap((reading) => reading.files)
    .map((file) => {
      // Of a file that was never loaded nothing ran, whether it has a probe or not.
      return absent.has(file.path) ? { ...file, isMeasured: true, executed: file.executed.map(() => false) } : file;
    });
  return judgeParts(parts, { hits: run.hits, isWhole: isWhole(run), tests: run.tests, witnesses });
}

/** What was not seen in a run that was cut short may have come later. */
function isWhole({ ending }: BaselineRun | SuiteRun): boolean {
  return ending === 'green' || ending === 'red';
}

function toJudge(path: string, files: readonly MeasuredFile[]): number | null {
  const changed = files.find(({ examined }) => examined.path === path)?.changed;
  if (changed === undefined || changed.isUnreadable) return null;
  const { statements, arms, deleted, deletedArms } = changed;
  return statements.length + arms.length + deleted.length + deletedArms.length;
}

function removedFiles(proposal: readonly ChangedFile[]): readonly string[] {
  return proposal.filter(({ after }) => after === null).map(({ path }) => path);
}

/** Tests that are new are evidence; tests that were changed, and whatever steers tests, may be what makes them pass. */
function changedTests(proposal: readonly ChangedFile[]): readonly string[] {
  return proposal
    .filter(({ path, before }) => {
      const isTest = languages.some((language) => language.isTestFile(path));
      return languages.some((language) => language.steersTests(path)) || (isTest && before !== null);
    })
    .map(({ path }) => path);
}

function deletedParts(deleted: readonly DeletedPart[], baseline: BaselineRun | undefined): Evidence['deleted'] {
  const isPassing = baseline === undefined ? null : passing(baseline.tests);
  const wasRun = (probe: number | null): boolean | null => {
    if (probe === null || baseline === undefined || isPassing === null) return null;
    // That a definition was made says nothing about who needs it, so only a test that ran it counts here.
    const { isExercised } = weighHits('body', baseline.hits.get(probe) ?? [], isPassing);
    return isExercised === true || isWhole(baseline) ? isExercised : null;
  };
  return deleted.map(({ file, line, probe }) => ({ file, line, isExercised: wasRun(probe) }));
}
