/** Evidence and verdict → the report of the wire: what was found, in one sentence why, and what would change it. */
import type { JudgedPart } from '../engine/evidence/judge-parts.ts';
import type { Evidence } from '../engine/verdict.ts';
import type { Finding } from '../model/examination.ts';
import {
  ENGINE_VERSION,
  REPORT_VERSION,
  type CoverageReport,
  type GateReport,
  type ReasonCode,
  type TestsReport,
  type Truncated,
  type VerifyReport,
} from '../model/verdict.ts';
import { languages } from '../engine/languages/index.ts';
import type { BaselineRun, Trial } from './trial.ts';
import type { Judgement } from './judgement.ts';
import { explain } from './verify-reasons.ts';

const MOST_ENTRIES = 50;
const MOST_UNCOVERED = 200;

/** Lays the judgement out; the first fields are the contract's, in its order. */
export function verifyReport(judgement: Judgement): VerifyReport {
  const { verdict, reasonCode, evidence, proposal, examination, trial, tree } = judgement;
  const { reason, next } = explain(judgement);
  const coverage = coverageReport(evidence, trial, reasonCode);
  const missing = verdict === 'UNPROVEN' ? missingTests(evidence, coverage.all) : [];
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
    baseline: baseline === undefined || baseline.tests.runner === null ? null : counts(baseline),
    preexistingFailures: evidence.preexistingFailures,
    notes: [...judgement.notes, ...tree.notes, ...examination.undecided],
    durationMs: Math.round(judgement.durationMs),
  };
}

function gates({ evidence, examination, trial, reasonCode, proposal }: Judgement): VerifyReport['gates'] {
  const known = proposal.filter(({ path }) => languages.some((language) => language.owns(path)));
  const isExamined = known.every(({ path }) => examination.files.some((file) => file.path === path));
  const gate = (found: readonly Finding[] | null, durationMs: number): GateReport => {
    const findings = found ?? [];
    const timed = { durationMs: Math.round(durationMs) };
    if (findings.length === 0 && (found === null || !isExamined)) {
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
    if (run === undefined) {
      const isBlocked = reasonCode === 'syntax_error' || reasonCode === 'import_broken';
      return { passed: false, durationMs, status: isBlocked ? 'skipped' : 'unmeasured' };
    }
    if (run.ending === 'green') return { passed: true, durationMs, status: 'passed' };
    const isOurs = evidence.newFailures.length > 0 || reasonCode === 'timeout_introduced';
    const [id] = [...evidence.newFailures, ...evidence.preexistingFailures];
    const said = run.tests.tests.find((test) => test.id === id)?.message ?? null;
    const words =
      id === undefined
        ? `the command ended ${run.ending}`
        : `${id} failed${said === null ? '' : `: ${firstLine(said)}`}`;
    return { passed: false, durationMs, blockingReason: words, status: isOurs ? 'failed' : 'unmeasured' };
  };
  // Both are read off one pass of the examiners, whose time is the first one's.
  return { syntax: gate(evidence.syntax, examination.durationMs), imports: gate(evidence.imports, 0), tests: tests() };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 300) ?? '';
}

interface Coverage {
  readonly report: CoverageReport;
  /** Every uncovered place, uncut. */
  readonly all: readonly { readonly file: string; readonly line: number }[];
}

function coverageReport(evidence: Evidence, trial: Trial | null, reasonCode: ReasonCode): Coverage {
  const statements = byStatement(evidence.parts);
  const open = statements.filter(({ isCovered }) => !isCovered).map(({ file, line }) => ({ file, line }));
  const readings = trial?.candidates[0].coverage.filter(({ files }) => files.length > 0) ?? [];
  const tools = readings.filter(({ tool }) => tool !== 'none').map(({ tool }) => tool);
  const unknown = [
    ...evidence.bypassed.map((file) => `The tests never loaded the copy under verification of ${file}.`),
    ...evidence.unmeasured.map(({ path, why }) => `${path}: ${why}.`),
  ];
  const isUnknown = trial === null || unknown.length > 0 || reasonCode === 'not_measurable' || isUntold(evidence);
  const files = trial?.files ?? [];
  const removalOnly = files.filter(
    ({ changed }) => changed.deleted.length > 0 && changed.statements.length + changed.arms.length === 0,
  );
  const details = notExercised(evidence);
  const deletedOpen = evidence.deleted.some(({ isExercised }) => isExercised !== true);
  const report: CoverageReport = {
    tool: tools[0] ?? 'none',
    changedLinesCovered: isUnknown ? 'unknown' : open.length === 0 && !deletedOpen,
    uncovered: open.slice(0, MOST_UNCOVERED),
    filesWithUncovered: new Set(open.map(({ file }) => file)).size,
    changedStatements: { total: statements.length, covered: statements.length - open.length },
    inertOnlyFiles: files
      .filter(({ changed }) => changed.isInert && !changed.isUnreadable)
      .map(({ examined }) => examined.path),
    ...(removalOnly.length === 0 ? {} : { removalOnlyFiles: removalOnly.map(({ examined }) => examined.path) }),
    ...(unknown.length === 0 ? {} : { unknownReason: unknown.join(' ') }),
    ...truncated('uncoveredTruncated', open, MOST_UNCOVERED),
    ...(details.length === 0 ? {} : { notExercised: details.slice(0, MOST_ENTRIES) }),
  };
  return { report, all: open };
}

/** True where some part may have run or not, and none is known not to have: that is not the same as not covered. */
function isUntold({ parts }: Evidence): boolean {
  const isAny = (...statuses: readonly JudgedPart['status'][]): boolean =>
    parts.some(({ status }) => statuses.includes(status));
  return isAny('not_measurable', 'contradicted') && !isAny('missed', 'import_only');
}

/** A statement is covered when it ran and so did every arm that the change introduced in it. */
function byStatement(parts: readonly JudgedPart[]) {
  const statements = new Map<string, { file: string; line: number; isCovered: boolean }>();
  for (const { part, status } of parts) {
    if (status === 'excluded') continue;
    const key = `${part.file}\0${part.statement}`;
    const known = statements.get(key) ?? { file: part.file, line: part.span.line, isCovered: true };
    const line = part.isArm ? known.line : part.span.line;
    statements.set(key, { file: part.file, line, isCovered: known.isCovered && status === 'exercised' });
  }
  return [...statements.values()].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
}

const WHY: Readonly<Partial<Record<JudgedPart['status'], string>>> = {
  missed: 'no passing test ran it',
  import_only: 'it ran only while the file was being loaded',
  excluded: 'its author excluded it from coverage',
  not_measurable: 'nothing can tell whether it ran',
  contradicted: 'the probe and the coverage source disagree',
};

function notExercised({ parts, deleted }: Evidence): NonNullable<CoverageReport['notExercised']> {
  const open = parts
    .filter(({ status, part }) => status !== 'exercised' && (part.isArm || status !== 'missed'))
    .map(({ part, status }) => ({
      file: part.file,
      line: part.span.line,
      what: part.isArm ? `arm: ${part.kind}` : part.kind,
      why: WHY[status] ?? status,
    }));
  const gone = deleted
    .filter(({ isExercised }) => isExercised !== true)
    .map(({ file, line }) => ({ file, line, what: 'deleted statement', why: 'no test ran it before the change' }));
  return [...open, ...gone];
}

function missingTests(evidence: Evidence, uncovered: Coverage['all']) {
  const hints = uncovered.map(({ file, line }) => ({ file, hint: `add a test exercising ${file}:${line}` }));
  const gone = evidence.deleted
    .filter(({ isExercised }) => isExercised === false)
    .map(({ file, line }) => ({ file, hint: `add a test that runs what stood at ${file}:${line} before the change` }));
  return [...hints, ...gone];
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
    ...counts(run),
    failures: [...failures, ...errors].slice(0, MOST_ENTRIES),
    exit_code: run.outcome.exitCode,
    timed_out: run.outcome.ending === 'timed_out',
    output_uri: `surepatch://output/${run.outputId}`,
  };
}

function counts({ tests }: BaselineRun) {
  const of = (...outcomes: readonly string[]): number =>
    tests.tests.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    total: tests.tests.length,
    passed: of('passed', 'unexpected_pass'),
    failed: of('failed') + tests.errors.length,
    skipped: of('skipped', 'expected_failure'),
  };
}

function truncated<Name extends string>(
  name: Name,
  list: readonly unknown[],
  most: number,
): Readonly<Partial<Record<Name, Truncated>>> {
  const entry: Partial<Record<Name, Truncated>> = {};
  if (list.length > most) entry[name] = { shown: most, total: list.length };
  return entry;
}
