/** The line `@@ -l[,s] +l[,s] @@`: read strictly, written in full. */

export interface HunkRange {
  readonly start: number;
  readonly count: number;
}

export interface HunkHeader {
  readonly old: HunkRange;
  readonly new: HunkRange;
}

const DIGIT_LIMIT = 15;
const [LF, PLUS, COMMA, MINUS, SPACE, AT] = [10, 43, 44, 45, 32, 64];

/**
 * Reads the hunk header that begins at byte `start`; a string says why it is none. Numbers of more than fifteen digits
 * are refused: they would wrap or round somewhere.
 */
export function readHunkHeader(bytes: Buffer, start: number): HunkHeader | string {
  let at = start;
  const take = (...expected: readonly number[]): boolean => {
    if (!expected.every((byte, index) => bytes[at + index] === byte)) return false;
    at += expected.length;
    return true;
  };
  const takeNumber = (): number => {
    const from = at;
    let value = 0;
    for (let byte = bytes[at] ?? 0; byte >= 48 && byte <= 57; byte = bytes[++at] ?? 0) value = value * 10 + byte - 48;
    return at === from || at - from > DIGIT_LIMIT ? NaN : value;
  };
  const takeRange = (): HunkRange => ({ start: takeNumber(), count: take(COMMA) ? takeNumber() : 1 });
  const opens = take(AT, AT, SPACE, MINUS);
  const old = takeRange();
  const separates = take(SPACE, PLUS);
  const next = takeRange();
  const closes = take(SPACE, AT, AT);
  if (!opens || !separates || !closes || [old, next].some(({ start: line, count }) => Number.isNaN(line + count))) {
    const line = bytes.toString('latin1', start, Math.min(bytes.indexOf(LF, start), start + 200));
    if (/\d{16}/.test(line)) return 'a number has more than 15 digits';
    return 'a hunk header reads `@@ -12,7 +12,8 @@`, with both starts and counts as plain numbers';
  }
  if (old.count === 0 && next.count === 0) return 'it counts no line at all';
  if ((old.start === 0 && old.count > 0) || (next.start === 0 && next.count > 0)) {
    return 'lines are counted from 1; line 0 is for an empty side only';
  }
  return { old, new: next };
}

/** Writes a hunk header with all four numbers. */
export function formatHunkHeader(old: HunkRange, next: HunkRange): string {
  return `@@ -${old.start},${old.count} +${next.start},${next.count} @@`;
}
