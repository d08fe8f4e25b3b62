/**
 * Verifies every change of fixtures/changes for real, on each of its tiers, and holds the reports against what must come
 * of them; counts false verdicts of the matrix. Usage: node build/scripts/changes.js [--only NAME]... [--jobs N], where
 * NAME is the start of a name. Ends with 1 when any report differs.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { changeCases, compared, expectedReport, type ChangeCase, type Expected } from './changes/case.ts';
import { matrixFigures } from './changes/matrix.ts';
import { runCase } from './changes/run-case.ts';

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, jobs: { type: 'string', default: '2' } },
});
const { only = [''] } = values;
const cases = changeCases().filter(({ name }) => only.some((start) => name.startsWith(start)));
if (cases.length === 0) throw new Error(`No change begins with ${only.join(' or ')}.`);

interface Outcome {
  readonly change: ChangeCase;
  readonly found: Expected | null;
  readonly error: string | null;
  readonly isAsExpected: boolean;
}

const outcomes: Outcome[] = [];
const waiting = [...cases];
await Promise.all(Array.from({ length: Number(values.jobs) }, work));

async function work(): Promise<void> {
  for (let change = waiting.shift(); change !== undefined; change = waiting.shift()) {
    const started = performance.now();
    const { outcome, note } = await outcomeOf(change);
    outcomes.push(outcome);
    const mark = outcome.isAsExpected ? 'as expected' : 'DIFFERS';
    const verdict = outcome.found === null ? 'refused' : `${outcome.found.verdict} ${outcome.found.reasonCode}`;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `${change.name.padEnd(58)} ${change.tier.padEnd(8)} ${verdict.padEnd(28)} ${seconds.padStart(5)} s  ${mark}`,
    );
    if (!outcome.isAsExpected) {
      console.log(`  expected ${JSON.stringify(expectedReport(change))}`);
      console.log(`  found    ${JSON.stringify(outcome.found ?? outcome.error)}`);
      console.log(`  ${note}`);
    }
  }
}

async function outcomeOf(change: ChangeCase): Promise<{ readonly outcome: Outcome; readonly note: string }> {
  try {
    const report = await runCase(change);
    const found = compared(report);
    const isAsExpected = isDeepStrictEqual(found, expectedReport(change));
    const note = [report.reason, report.coverage.unknownReason ?? '', ...report.notes].join(' ');
    return { outcome: { change, found, error: null, isAsExpected }, note };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { outcome: { change, found: null, error: words, isAsExpected: false }, note: '' };
  }
}

const differing = outcomes.filter(({ isAsExpected }) => !isAsExpected).length;
const changes = new Set(cases.map(({ name }) => name)).size;
console.log(`${changes} changes, ${cases.length} verifications, ${differing} differ`);
const verdicts = outcomes.map(({ change, found }) => ({ change, verdict: found?.verdict ?? null }));
for (const line of matrixFigures(verdicts)) console.log(line);
process.exitCode = differing === 0 ? 0 : 1;
