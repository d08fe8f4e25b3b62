/** Turns offsets into places with lines, as the model wants them. */
import type { Span } from '../../model/examination.ts';

export interface Places {
  readonly lineAt: (offset: number) => number;
  readonly span: (start: number, end: number) => Span;
}

/** Lines end as the language says: LF, CR, CR LF, and the two separators of Unicode. */
export function placesOf(text: string): Places {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) starts.push(index + end.length);
  const lineAt = (offset: number): number => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
  const span = (start: number, end: number): Span => ({
    start,
    end,
    line: lineAt(start),
    endLine: lineAt(Math.max(start, end - 1)),
  });
  return { lineAt, span };
}
