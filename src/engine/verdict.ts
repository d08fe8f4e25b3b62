/**
 * The verdict: a fold over evidence. The first row that holds decides; SAFE is the row that is left when no other holds,
 * and every row above it is a way in which evidence can be missing. So weaker evidence never leads to SAFE.
 *
 *   row                | holds when                                                          | verdict
 *   -------------------+---------------------------------------------------------------------+---------
 *   tree_moved         | the repository changed while it was measured                        | UNPROVEN
 *   syntax_error       | a syntax error that was not there before                            | UNSAFE
 *   import_broken      | an import that does not resolve now and did before                  | UNSAFE
 *   no_test_command    | no command was given and the project names none                     | UNPROVEN
 *   runner_missing     | the runner could not be started                                     | UNPROVEN
 *   tests_failed       | a test fails with the change, again when repeated, and not without  | UNSAFE
 *   timeout_introduced | the suite does not end with the change, and does without            | UNSAFE
 *   timed_out          | it does not end without it either, or that is not known             | UNPROVEN
 *   run_incomplete     | a run was cut short, its results cannot be read, or none was begun  | UNPROVEN
 *   baseline_red       | tests fail, and they fail without the change as well                | UNPROVEN
 *   tests_flaky        | a test, or the command, failed and passed on the same tree          | UNPROVEN
 *   tests_not_counted  | the command succeeded and no runner said what it ran                | UNPROVEN
 *   no_tests_ran       | no test passed                                                      | UNPROVEN
 *   suite_narrowed     | the command selects a part of the suite                             | UNPROVEN
 *   scope_unknown      | it is not known whether it does                                     | UNPROVEN
 *   tests_lost         | tests that ran without the change do not run with it, or are not    | UNPROVEN
 *                      |   known to                                                          |
 *   tests_skipped      | tests that ran without the change are skipped with it               | UNPROVEN
 *   tests_changed      | tests, or what steers them, are part of the change                  | UNPROVEN
 *   nothing_changed    | nothing in question differs from what it is compared with            | UNPROVEN
 *   file_deleted       | a whole file is gone, and nothing shows that nobody needs it        | UNPROVEN
 *   shadow_bypassed    | another copy of a changed file was loaded instead                   | UNPROVEN
 *   coverage_unknown   | nothing measured the changed code                                   | UNPROVEN
 *   not_exercised      | a changed part was not run by a passing test                        | UNPROVEN
 *   not_measurable     | whether a changed part was run cannot be told, or its author        | UNPROVEN
 *                      |   excluded it from coverage                                         |
 *   only_excluded      | the same, where nothing else that changed was run                   | UNPROVEN
 *   verified           | none of these                                                       | SAFE
 */
import type { JudgedPart } from './evidence/judge-parts.ts';
import type { Finding } from '../model/examination.ts';
import type { ReasonCode, Verdict } from '../model/verdict.ts';

/** How the command ended on one tree. */
export type SuiteEnding =
  | 'green'
  | 'red'
  | 'timed_out'
  | 'incomplete'
  /** An earlier gate failed, or the call was cancelled. */
  | 'not_run'
  /** The program could not be found or started. */
  | 'not_started'
  /** There is no command. */
  | 'no_command';

/** Everything the verdict is made from. What is null was not measured. */
export interface Evidence {
  readonly isTreeStill: boolean | null;
  /** Findings that the change introduced; files that could not be examined are unmeasured. */
  readonly syntax: readonly Finding[];
  readonly imports: readonly Finding[];
  /** Of all runs with the change: green only if no other ending came without a test that tells of it. */
  readonly ending: SuiteEnding;
  /** How the same command ends without the change; null where that is not known. */
  readonly baselineEnding: SuiteEnding | null;
  /** Tests that fail with the change, again when repeated, and do not without it. */
  readonly newFailures: readonly string[];
  readonly preexistingFailures: readonly string[];
  readonly flaky: readonly string[];
  /** Tests that passed with the change; null where no runner said. */
  readonly passed: number | null;
  readonly scope: 'full' | 'narrowed' | 'unknown';
  /** Tests of the baseline that are gone or newly skipped; null where the baseline's tests are not known. */
  readonly lost: readonly string[] | null;
  readonly newlySkipped: readonly string[] | null;
  /** Changed files that steer the tests, and are not new tests. */
  readonly changedTests: readonly string[];
  /** Changed files of which another copy was loaded. */
  readonly bypassed: readonly string[];
  /** Changed files of which nothing is known about what ran, and why. */
  readonly unmeasured: readonly { readonly path: string; readonly why: string }[];
  /** Files that only their probes tell of, and why no coverage source does; the probes are placed at every changed part. */
  readonly probesAlone: readonly { readonly path: string; readonly why: string }[];
  readonly parts: readonly JudgedPart[];
  /**
   * Every changed file, and how many parts and deleted parts of it have to be judged: none where only comments, layout
   * or types changed; null where that is not known.
   */
  readonly files: readonly { readonly path: string; readonly toJudge: number | null }[];
  /** Files that the change deletes whole. */
  readonly removed: readonly string[];
  /** Deleted statements and arms: whether the baseline's tests ran them. */
  readonly deleted: readonly { readonly file: string; readonly line: number; readonly isExercised: boolean | null }[];
}

type Row = readonly [ReasonCode, Exclude<Verdict, 'SAFE'>, (evidence: Evidence) => boolean];

const ROWS: readonly Row[] = [
  ['tree_moved', 'UNPROVEN', ({ isTreeStill }) => isTreeStill !== true],
  ['syntax_error', 'UNSAFE', ({ syntax }) => some(syntax)],
  ['import_broken', 'UNSAFE', ({ imports }) => some(imports)],
  ['no_test_command', 'UNPROVEN', ({ ending }) => ending === 'no_command'],
  ['runner_missing', 'UNPROVEN', ({ ending }) => ending === 'not_started'],
  ['tests_failed', 'UNSAFE', ({ newFailures }) => some(newFailures)],
  ['timeout_introduced', 'UNSAFE', ({ ending, baselineEnding }) => ending === 'timed_out' && hasEnded(baselineEnding)],
  ['timed_out', 'UNPROVEN', ({ ending }) => ending === 'timed_out'],
  ['run_incomplete', 'UNPROVEN', ({ ending }) => ending === 'incomplete' || ending === 'not_run'],
  ['baseline_red', 'UNPROVEN', ({ preexistingFailures }) => some(preexistingFailures)],
  ['tests_flaky', 'UNPROVEN', ({ flaky, ending }) => some(flaky) || ending === 'red'],
  ['tests_not_counted', 'UNPROVEN', ({ passed }) => passed === null],
  ['no_tests_ran', 'UNPROVEN', ({ passed }) => passed === 0],
  ['suite_narrowed', 'UNPROVEN', ({ scope }) => scope === 'narrowed'],
  ['scope_unknown', 'UNPROVEN', ({ scope }) => scope === 'unknown'],
  ['tests_lost', 'UNPROVEN', ({ lost, baselineEnding }) => lost === null || some(lost) || !hasEnded(baselineEnding)],
  ['tests_skipped', 'UNPROVEN', ({ newlySkipped }) => newlySkipped === null || some(newlySkipped)],
  ['tests_changed', 'UNPROVEN', ({ changedTests }) => some(changedTests)],
  ['nothing_changed', 'UNPROVEN', ({ files, unmeasured }) => files.length + unmeasured.length === 0],
  ['file_deleted', 'UNPROVEN', ({ removed }) => some(removed)],
  ['shadow_bypassed', 'UNPROVEN', ({ bypassed }) => some(bypassed)],
  ['coverage_unknown', 'UNPROVEN', (evidence) => some(evidence.unmeasured) || isUnseen(evidence)],
  [
    'not_exercised',
    'UNPROVEN',
    ({ parts, deleted }) =>
      has(parts, 'missed', 'import_only') || deleted.some(({ isExercised }) => isExercised === false),
  ],
  [
    'not_measurable',
    'UNPROVEN',
    ({ parts, deleted }) =>
      has(parts, 'not_measurable', 'contradicted') ||
      (has(parts, 'excluded') && has(parts, 'exercised')) ||
      deleted.some(({ isExercised }) => isExercised === null),
  ],
  ['only_excluded', 'UNPROVEN', ({ parts }) => has(parts, 'excluded')],
];

/** Folds evidence into a verdict and the code of the row that decided. */
export function judge(evidence: Evidence): { readonly verdict: Verdict; readonly reasonCode: ReasonCode } {
  const row = ROWS.find(([, , holds]) => holds(evidence));
  return row === undefined ? { verdict: 'SAFE', reasonCode: 'verified' } : { verdict: row[1], reasonCode: row[0] };
}

function some(list: readonly unknown[] | null): boolean {
  return list !== null && list.length > 0;
}

function has(parts: readonly JudgedPart[], ...statuses: readonly JudgedPart['status'][]): boolean {
  return parts.some(({ status }) => statuses.includes(status));
}

/** True where something that runs was changed, and nothing was judged of it. */
function isUnseen({ files, parts, deleted }: Evidence): boolean {
  const judged = [...parts.map(({ part }) => part.file), ...deleted.map(({ file }) => file)];
  const isJudged = (path: string, count: number): boolean => judged.filter((file) => file === path).length >= count;
  return files.length === 0 || files.some(({ path, toJudge }) => toJudge === null || !isJudged(path, toJudge));
}

function hasEnded(ending: SuiteEnding | null): boolean {
  return ending === 'green' || ending === 'red';
}
