/**
 * What coverage in istanbul's form says of statements. It tells no tests from loading, and neither do its counts know of a
 * throw: so for what stands in a function only a count of none is an answer.
 */
import type { SourceAnalysis } from '../../../model/examination.ts';
import { entries, field, number } from './json.ts';
import { lineStarts } from './lines.ts';
import { readProbedText } from './probed-text.ts';

/** `report` is the entry of one file; `probed` the text that ran. One answer for each statement. */
export function executedByIstanbul(
  report: unknown,
  probed: string,
  analysis: SourceAnalysis,
): readonly (boolean | null)[] {
  const starts = lineStarts(probed);
  const { toOriginal } = readProbedText(probed, analysis);
  const counts = new Map<number, number>();
  const hits = field(report, 's');
  for (const [id, place] of entries(field(report, 'statementMap'))) {
    const start = field(place, 'start');
    const [line, column, count] = [
      number(field(start, 'line')),
      number(field(start, 'column')),
      number(field(hits, id)),
    ];
    if (line === null || column === null || count === null) continue;
    const offset = toOriginal((starts[line - 1] ?? 0) + column);
    if (offset !== null) counts.set(offset, Math.max(counts.get(offset) ?? 0, count));
  }
  return analysis.statements.map(({ start, timing, isInert }) => {
    const count = isInert ? undefined : counts.get(start);
    if (count === undefined) return null;
    if (count === 0) return false;
    return timing === 'definition' ? true : null;
  });
}
