/** One sentence for each reason, and one on what would change the verdict. The contract's own sentences are kept word for word. */
import { COMMAND } from '../engine/evidence/compare-runs.ts';
import { languages } from '../engine/languages/index.ts';
import type { SuiteEnding } from '../engine/verdict.ts';
import type { ReasonCode } from '../model/verdict.ts';
import type { Judgement } from './judgement.ts';
import type { Trial } from './trial.ts';

export interface Explanation {
  readonly reason: string;
  readonly next: string | null;
}

type Words = (judgement: Judgement) => readonly [reason: string, next: string | null];

/** Says why, and what to do next. */
export function explain(judgement: Judgement): Explanation {
  const [reason, next] = SENTENCES[judgement.reasonCode](judgement);
  return { reason, next };
}

const SENTENCES: Readonly<Record<ReasonCode, Words>> = {
  verified: ({ trial }) => [
    trial?.files.every(({ changed }) => changed.isInert) === true
      ? 'Tests pass, and the change is to comments and layout only.'
      : 'Tests pass, and every changed statement and branch was run by a passing test or, if it is a definition, on loading its file.',
    null,
  ],
  syntax_error: ({ evidence }) => [
    `The change introduces ${count(evidence.syntax, 'syntax error')}: ${place(evidence.syntax[0])}.`,
    'Mend the syntax and verify again.',
  ],
  import_broken: ({ evidence }) => [
    `The change breaks ${count(evidence.imports, 'import')}: ${place(evidence.imports[0])}.`,
    'Mend the import, or change the files that import it in the same proposal.',
  ],
  tests_failed: ({ evidence, trial }) => [
    trial?.baselines.length === 0
      ? `${capital(count(evidence.newFailures, 'test'))} of what is on disk fail, and there is nothing to compare with: ${list(evidence.newFailures)}.`
      : `The change makes ${count(evidence.newFailures, 'test')} fail: ${list(evidence.newFailures)}.`,
    'Read tests.failures, mend the change and verify again.',
  ],
  timeout_introduced: () => [
    'With the change the tests do not end in time; without it they do.',
    'Look for an endless loop or wait in the change.',
  ],
  tree_moved: ({ movedPaths }) => [
    movedPaths.length === 0
      ? 'The folder holds too many files to see whether it stands still, and git does not know them.'
      : `The repository changed while it was measured (${list(movedPaths)}), so the result is not about what is there now.`,
    'Let nothing write to the repository meanwhile, and verify again.',
  ],
  no_test_command: () => [
    'No test command was given, and the project’s own files name none.',
    'Pass testCmd, for example `python3 -m pytest` or `npm test`.',
  ],
  runner_missing: ({ trial, missing }) => [
    `The test command could not be started (${withoutStop(missing ?? startError(trial))}).`,
    'Install the runner for this project, or pass another testCmd.',
  ],
  run_incomplete: (judgement) => [incompleteRun(judgement), 'Read the output at tests.output_uri and verify again.'],
  timed_out: () => [
    'The tests did not end in time, with the change or without it.',
    'Raise --test-timeout, or make the suite faster.',
  ],
  no_tests_ran: () => ['The command succeeded, but no test ran.', 'Pass a testCmd that runs the project’s tests.'],
  tests_not_counted: () => [
    'The command succeeded, but nothing says which tests it ran; an exit code alone is no evidence.',
    'Pass a testCmd that runs pytest, unittest, node --test, vitest, jest or mocha.',
  ],
  baseline_red: ({ evidence }) => [
    `Tests fail, and they fail without the change as well: ${list(evidence.preexistingFailures)}.`,
    'Mend or remove the tests that already fail, then verify again.',
  ],
  suite_narrowed: ({ trial }) => [
    `The command runs only a part of the suite${deselected(trial?.candidates[0].tests.deselected)}.`,
    'Pass a testCmd that runs the whole suite.',
  ],
  scope_unknown: () => [
    'It is not known whether the command runs the whole suite.',
    'Leave out the options that notes name, or pass the plain command of the runner.',
  ],
  tests_lost: ({ evidence }) => [
    evidence.lost === null || evidence.lost.length === 0
      ? 'Which tests ran without the change is not known, so none can be shown to be missing now.'
      : `${capital(count(evidence.lost, 'test'))} that passed without the change did not run with it: ${list(evidence.lost)}.`,
    'Let the change keep every test, or remove tests in a change of their own.',
  ],
  tests_skipped: ({ evidence }) => [
    `${capital(count(evidence.newlySkipped ?? [], 'test'))} that passed without the change, skipped with it: ${list(evidence.newlySkipped ?? [])}.`,
    'Let these tests run with the change.',
  ],
  tests_flaky: ({ evidence, trial }) => {
    const tests = evidence.flaky.filter((id) => id !== COMMAND);
    const isNamed = tests.length > 0 || trial === null;
    return [
      isNamed
        ? `Tests failed and passed on the same tree: ${list(tests)}.`
        : `With the change the command ${endingsInWords(trial)}, and no failing test says why.`,
      'Make the tests reliable, then verify again. The first run has probes in the changed files, which a test that reads their source can see.',
    ];
  },
  tests_changed: ({ evidence }) => [
    `The change touches tests, or what steers them: ${list(evidence.changedTests)}.`,
    'Verify the code on its own against the tests as they are; change tests in a proposal of their own. New test files may come along.',
  ],
  nothing_changed: () => [
    'Nothing that was asked about differs from what it is compared with, so there is no change to prove.',
    'Name the paths that were changed; what is committed already is part of HEAD.',
  ],
  file_deleted: ({ evidence }) => [
    `Tests pass without ${list(evidence.removed)}, but nothing can show that nobody else needs what was deleted.`,
    'Look for what still names the deleted files, then review the deletion by hand.',
  ],
  shadow_bypassed: ({ evidence }) => [
    `Tests pass, but coverage of the changed code could not be determined. They loaded another copy: ${list(evidence.bypassed)}.`,
    'Put the verified copy first, for example with PYTHONPATH=. or PYTHONPATH=src in testCmd.',
  ],
  coverage_unknown: ({ evidence }) => [
    'Tests pass, but coverage of the changed code could not be determined.',
    evidence.unmeasured.map(({ path, why }) => `${path}: ${withoutStop(why)}.`).join(' ') || null,
  ],
  not_exercised: () => [
    'Tests pass, but the changed code is not exercised by any test.',
    'Add the tests named in missingTests; coverage.notExercised shows the text of each missing part.',
  ],
  not_measurable: () => [
    'Tests pass, but coverage of the changed code could not be determined. For some changed parts nothing can tell whether they ran.',
    'See coverage.notExercised; write these parts as plain statements, or review them by hand.',
  ],
  only_excluded: () => [
    'Tests pass, but all changed code is excluded from coverage by its author.',
    'Remove the exclusion, or review the change by hand.',
  ],
  revision_not_verified: () => ['What is on disk now has not been verified.', 'Ask again with a longer wait_ms.'],
  newer_edits_pending: () => [
    'What was verified passed, but something was edited since.',
    'Verify again, with the newest revision as min_revision.',
  ],
};

function incompleteRun(judgement: Judgement): string {
  const { trial } = judgement;
  if (trial === null) return `${capital(whyNotRun(judgement))}.`;
  return trial.candidates.some(({ ending }) => ending === 'incomplete')
    ? `With the change the command ${endingsInWords(trial)}.`
    : `With the change the command ${endingsInWords(trial)}, and without it the run did not come to its end.`;
}

/** Why no test was run at all, as a part of a sentence. */
export function whyNotRun({ evidence, missing }: Judgement): string {
  if (evidence.ending === 'no_command') return 'no test ran, because no test command is known';
  if (evidence.ending === 'not_started') {
    return `no test ran, because the command could not be started (${withoutStop(missing ?? 'its program is missing')})`;
  }
  return some(evidence.syntax) || some(evidence.imports)
    ? 'no test ran, because an earlier gate failed'
    : 'no test ran, because the verification was ended';
}

/** How the command ended with the change, in each of its runs. */
export function endingsInWords({ candidates: [first, again] }: Trial): string {
  return again === undefined || first.ending === again.ending
    ? ENDINGS[first.ending]
    : `${ENDINGS[first.ending]} in its first run and ${ENDINGS[again.ending]} in its second`;
}

const ENDINGS: Readonly<Record<SuiteEnding, string>> = {
  green: 'succeeded',
  red: 'failed',
  timed_out: 'did not end in time',
  incomplete: 'was cut short or left results that cannot be read',
  not_started: 'could not be started',
  not_run: 'was not run',
  no_command: 'is not known',
};

/** A command that found no runner says so, or else ends with what stopped it. */
function startError(trial: Judgement['trial']): string {
  const outcome = trial?.candidates[0].outcome;
  const lines = outcome?.output.trimEnd().split('\n') ?? [];
  const naming = lines.find((line) => languages.some((language) => language.saysMissing(line)));
  const said = (naming ?? lines.at(-1) ?? '').slice(0, 300);
  return outcome?.startError ?? (said === '' ? 'its program is missing' : said);
}

function some(items: readonly unknown[]): boolean {
  return items.length > 0;
}

function count(items: readonly unknown[], noun: string): string {
  return `${items.length} ${noun}${items.length === 1 ? '' : 's'}`;
}

function list(items: readonly string[]): string {
  const shown = items.slice(0, 3).join(', ');
  return items.length > 3 ? `${shown} and ${items.length - 3} more` : shown;
}

function place(
  finding: { readonly file: string; readonly line: number; readonly message: string } | undefined,
): string {
  return finding === undefined ? '' : `${finding.file}:${finding.line}: ${withoutStop(finding.message)}`;
}

function deselected(tests: number | undefined): string {
  return tests === undefined || tests === 0 ? '' : ` (${tests} tests were left out)`;
}

/** Makes a sentence a part of another. */
export function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/u, '');
}

/** Makes a part of a sentence its beginning. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
