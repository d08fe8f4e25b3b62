/** A verdict as text for a person at a terminal: the verdict first, then why, then what would change it. */
import type { GateReport, VerifyReport } from '../model/verdict.ts';

const MOST_LINES = 10;

/** Writes the text of a report. */
export function verifyReportText(report: VerifyReport): string {
  const { verdict, reasonCode, reason, next, gates, coverage, tests, shadow } = report;
  const { total, covered } = coverage.changedStatements;
  return [
    `${verdict} [${reasonCode}]: ${reason}`,
    ...(next === null ? [] : [`Next: ${next}`]),
    `Gates: syntax ${gateText(gates.syntax)}, imports ${gateText(gates.imports)}, tests ${gateText(gates.tests)}.`,
    ...(tests === null
      ? []
      : [
          `Tests: ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped (${tests.runner ?? 'no runner reported'}).`,
        ]),
    // What breaks is broken, whoever runs it.
    ...(verdict === 'UNSAFE' || total === 0
      ? []
      : [`Coverage (${coverage.tool}): ${covered} of ${total} changed statements exercised.`]),
    ...some(
      'Not exercised',
      (verdict === 'UNSAFE' ? [] : (coverage.notExercised ?? [])).map(
        ({ file, line, what, text, why }) => `${file}:${line} ${what}${text === undefined ? '' : ` (${text})`}: ${why}`,
      ),
    ),
    ...some(
      'Counted because their file was loaded, not because a test ran them',
      (coverage.loadedOnly ?? []).map(({ file, line }) => `${file}:${line}`),
    ),
    ...some(
      'Failures',
      (tests?.failures ?? []).map(({ id: test, message }) => `${test}: ${message.split('\n', 1)[0] ?? ''}`),
    ),
    ...some('Fail without the change as well', report.preexistingFailures),
    ...some('Notes', report.notes),
    `Shadow tree: ${shadow.tier}${shadow.why === null ? '' : ` (${shadow.why})`}, ready after ${shadow.preparedMs} ms; ${report.durationMs} ms in all.`,
    ...writeWith(report),
  ].join('\n');
}

function gateText({ status, blockingReason }: GateReport): string {
  return blockingReason === undefined ? status.replace('_', ' ') : `${status} (${blockingReason})`;
}

function some(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length > MOST_LINES ? [`  … and ${lines.length - MOST_LINES} more`] : [];
  return [`${title}:`, ...lines.slice(0, MOST_LINES).map((line) => `  ${line}`), ...more];
}

/** The command that writes it, where one can: write-fix writes one file. */
function writeWith({ verdict, changedFiles, verification_id: id }: VerifyReport): readonly string[] {
  const [file, ...others] = changedFiles;
  if (id === null || verdict !== 'SAFE' || file === undefined || others.length > 0) return [];
  return [`Write it with: surepatch write-fix --file ${file} --diff <the same diff> --verified ${id}`];
}
