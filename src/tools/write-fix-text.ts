/**
 * A write_fix report as text that stands alone: many clients show the model nothing else. What happened comes first,
 * then what to do, then the facts, the conflicts in their places and the failures of the tests. At most 8,000 characters.
 */
import type { TestRun } from '../model/write-facts.ts';
import type { WriteFixReport } from '../model/write-report.ts';
import { endOfOutput, excerptOfOutput } from './excerpt.ts';
import { verifyReportText } from './verify-report-text.ts';
import { capped, clipped, DIFF_CHARACTERS, misfitTexts, NOTE_CHARACTERS } from './misfit-text.ts';

const LIMIT = 8000;
const MAX_NOTES = 10;
const PASSED_OUTPUT_CHARACTERS = 400;
const LEAST_OUTPUT_CHARACTERS = 1000;

/** Writes the text of a report. */
export function writeFixText(report: WriteFixReport): string {
  const top = [headline(report), ...nextStep(report), ...facts(report), ...notes(report)];
  const places = [...misfitTexts(report), ...draft(report), ...refusedBy(report)];
  const head = clipped([...top, ...places].join('\n'), LIMIT - LEAST_OUTPUT_CHARACTERS);
  const output = testOutput(report, LIMIT - head.length - 200);
  return clipped([head, ...output].join('\n'), LIMIT);
}

function headline(report: WriteFixReport): string {
  const { tests } = report;
  if (report.success && report.diff !== undefined) return 'Dry run: the patch fits. Nothing was written.';
  if (report.success && tests !== undefined) return `Written. The tests passed (${runOf(tests)}).`;
  if (report.success && report.verified !== undefined) {
    return `Written exactly as it was verified in a shadow tree: ${report.verified.verdict}. Nothing was run again.`;
  }
  if (report.success) return 'Written. No tests were run: nothing is known about the effect.';
  const code = report.error_code === undefined ? '' : ` [${report.error_code}]`;
  return `Not done${code}: ${report.error ?? 'the tests did not pass.'}`;
}

function runOf(tests: TestRun): string {
  const [program = '', ...rest] = tests.command;
  const ending = tests.timed_out ? 'timed out' : (tests.signal ?? `exit code ${tests.exit_code ?? 'unknown'}`);
  const command = clipped([program.split('/').at(-1) ?? program, ...rest].join(' '), NOTE_CHARACTERS);
  return `${command}: ${ending} after ${(tests.duration_ms / 1000).toFixed(1)} s`;
}

function nextStep({ hint }: WriteFixReport): string[] {
  return hint === undefined ? [] : [`Next: ${hint}`];
}

/** A write that its verdict keeps from being made: what is missing is in the verdict, and nowhere else. */
function refusedBy({ success, verdict }: WriteFixReport): string[] {
  return success || verdict === undefined ? [] : [verifyReportText(verdict)];
}

const DISK = {
  unchanged: 'The file is unchanged.',
  patched: 'The file holds the patch.',
  rolled_back: 'The file was put back byte for byte.',
  conflict: 'The file holds what somebody else wrote meanwhile; it was left alone.',
  unknown: 'What the file holds now is not known.',
} as const;

function facts(report: WriteFixReport): string[] {
  const { tests, git_state: git, backup } = report;
  return [
    DISK[report.disk_state],
    ...(!report.success && tests !== undefined ? [`Tests: ${runOf(tests)}.`] : []),
    ...(git === undefined ? [] : [`Git before the write: ${git}.`]),
    ...(typeof backup === 'string' ? [`The old bytes are kept in ${backup}.`] : []),
    ...digests(report),
    ...(report.write_id === undefined ? [] : [`write_id: ${report.write_id}`]),
  ];
}

function digests(report: WriteFixReport): string[] {
  const named = { before: report.sha256_before, after: report.sha256_after, found: report.sha256_found };
  const known = Object.entries(named).flatMap(([name, digest]) => (digest === undefined ? [] : [`${name} ${digest}`]));
  return known.length === 0 ? [] : [`SHA-256: ${known.join(', ')}`];
}

function notes({ notes: all }: WriteFixReport): string[] {
  return capped(all, MAX_NOTES, (note) => `Note: ${clipped(note, NOTE_CHARACTERS)}`);
}

function draft({ diff }: WriteFixReport): string[] {
  return diff === undefined ? [] : ['The change:', clipped(diff, DIFF_CHARACTERS)];
}

function testOutput({ success, tests, test_output: output }: WriteFixReport, budget: number): string[] {
  if (output === null || output.trim() === '') return [];
  const shown = success ? endOfOutput(output, PASSED_OUTPUT_CHARACTERS) : excerptOfOutput(output, budget);
  const whole = tests === undefined || shown === output.trimEnd() ? '' : ` (whole output: ${tests.output_uri})`;
  return [`Test output${whole}:`, shown];
}
