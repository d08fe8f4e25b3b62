/** Evidence and verdict → the report of the wire: what was found, in one sentence why, and what would change it. */
import type { Finding } from '../model/examination.ts';
import type { TestReport } from '../model/suite.ts';
import {
  ENGINE_VERSION,
  REPORT_VERSION,
  type GateReport,
  type TestsReport,
  type VerifyReport,
} from '../model/verdict.ts';
import { languages } from '../engine/languages/index.ts';
import { coverageReport, truncated } from './coverage-report.ts';
import type { Trial } from './trial.ts';
import type { Judgement } from './judgement.ts';
import { endingsInWords, explain, whyNotRun } from './verify-reasons.ts';

const MOST_ENTRIES = 50;

/** Lays the judgement out; the first fields are the contract's, in its order. */
export function verifyReport(judgement: Judgement): VerifyReport {
  const { verdict, reasonCode, evidence, proposal, examination, trial, tree } = judgement;
  const { reason, next } = explain(judgement);
  const coverage = coverageReport(judgement);
  // Only there would a test, and nothing else, move the verdict.
  const missing = reasonCode === 'not_exercised' ? coverage.missingTests : [];
  const baseline = trial?.baselines[0];
  return {
    verdict,
    reportVersion: REPORT_VERSION,
    gates: gates(judgement),
    changedFiles: proposal.map(({ path }) => path),
    testFilesChanged: proposal.map(({ path }) => path).filter((path) => languages.some((one) => one.isTestFile(path))),
    coverage: coverage.report,
    reason,
    missingTests: missing.slice(0, MOST_ENTRIES),
    ...truncated('missingTestsTruncated', missing, MOST_ENTRIES),
    ...(evidence.flaky.length === 0 ? {} : { flakyTests: evidence.flaky }),
    reasonCode,
    next,
    engineVersion: ENGINE_VERSION,
    verification_id: null,
    shadow: { tier: tree.tier, preparedMs: Math.round(tree.preparedMs), why: tree.reason },
    isolation: trial?.candidates[0].outcome.isolation ?? null,
    tests: trial === null ? null : testsReport(trial),
    baseline: baseline === undefined || baseline.tests.runner === null ? null : countTests(baseline),
    preexistingFailures: evidence.preexistingFailures,
    notes: [...judgement.notes, ...tree.notes, ...examination.undecided],
    durationMs: Math.round(judgement.durationMs),
  };
}

function gates(judgement: Judgement): VerifyReport['gates'] {
  const { evidence, examination, trial, reasonCode, proposal } = judgement;
  const known = proposal.filter(({ path }) => languages.some((language) => language.owns(path)));
  const isExamined = known.every(({ path }) => examination.files.some((file) => file.path === path));
  const gate = (findings: readonly Finding[], durationMs: number): GateReport => {
    const timed = { durationMs: Math.round(durationMs) };
    if (findings.length === 0 && !isExamined) {
      return { passed: false, ...timed, blockingReason: 'a changed file could not be examined', status: 'unmeasured' };
    }
    if (findings.length === 0) return { passed: true, ...timed, status: known.length > 0 ? 'passed' : 'not_checked' };
    const shown = findings.slice(0, MOST_ENTRIES).map(({ file, line, message }) => ({ file, line, message }));
    const [first] = shown;
    const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
    const blockingReason = first === undefined ? '' : `${first.file}:${first.line}: ${first.message}${more}`;
    return { passed: false, ...timed, blockingReason, status: 'failed', findings: shown };
  };
  const run = trial?.candidates.at(-1);
  const durationMs = Math.round(run?.outcome.durationMs ?? 0);
  const tests = (): GateReport => {
    if (trial === null || run === undefined) {
      const isBlocked = evidence.ending === 'not_run';
      return {
        passed: false,
        durationMs,
        blockingReason: whyNotRun(judgement),
        status: isBlocked ? 'skipped' : 'unmeasured',
      };
    }
    if (evidence.ending === 'green') return { passed: true, durationMs, status: 'passed' };
    const isOurs = evidence.newFailures.length > 0 || reasonCode === 'timeout_introduced';
    const [id] = [...evidence.newFailures, ...evidence.preexistingFailures];
    const said = run.tests.tests.find((test) => test.id === id)?.message ?? null;
    const words =
      id === undefined
        ? `the command ${endingsInWords(trial)}`
        : `${id} failed${said === null ? '' : `: ${exceptionIn(said)}`}`;
    return { passed: false, durationMs, blockingReason: words, status: isOurs ? 'failed' : 'unmeasured' };
  };
  // Both are read off one pass of the examiners, whose time is the first one's.
  return { syntax: gate(evidence.syntax, examination.durationMs), imports: gate(evidence.imports, 0), tests: tests() };
}

/** A traceback names the exception below its frames, and, of several, the one that came out at the end of the last. */
function exceptionIn(text: string): string {
  const lines = text.split('\n');
  const traceback = lines.lastIndexOf('Traceback (most recent call last):');
  const named = lines.slice(traceback + 1).find((line) => line !== '' && !/^[\s|+]/u.test(line));
  return (named ?? lines.findLast((line) => line !== '') ?? '').slice(0, 300);
}

function testsReport({ candidates }: Trial): TestsReport {
  const run = candidates.at(-1) ?? candidates[0];
  const failures = run.tests.tests
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ id, message }) => ({ id, message: message ?? '' }));
  const errors = run.tests.errors.map(({ id, message }) => ({ id, message }));
  return {
    command: run.command,
    runner: run.tests.runner,
    ...countTests(run),
    failures: [...failures, ...errors].slice(0, MOST_ENTRIES),
    exit_code: run.outcome.exitCode,
    timed_out: run.outcome.ending === 'timed_out',
    output_uri: `surepatch://output/${run.outputId}`,
  };
}

/** The numbers of one run. */
export function countTests({ tests }: { readonly tests: TestReport }) {
  const of = (...outcomes: readonly string[]): number =>
    tests.tests.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    total: tests.tests.length,
    passed: of('passed', 'unexpected_pass'),
    failed: of('failed') + tests.errors.length,
    skipped: of('skipped', 'expected_failure'),
  };
}
