/** The line `@@ -l[,s] +l[,s] @@`: read strictly, written in full. */
import { COMMA, LF } from './bytes.ts';

export interface HunkRange {
  readonly start: number;
  readonly count: number;
}

export interface HunkHeader {
  readonly old: HunkRange;
  readonly new: HunkRange;
}

const DIGIT_LIMIT = 15;

/**
 * Reads the hunk header that begins at byte `start`; a string says why it is none. Numbers of more than fifteen digits
 * are refused: they would wrap or round somewhere.
 */
export function readHunkHeader(bytes: Buffer, start: number): HunkHeader | string {
  const old = readRange(bytes, start + '@@ -'.length);
  const next = readRange(bytes, old.end + ' +'.length);
  const isFramed = stands('@@ -', bytes, start) && stands(' +', bytes, old.end) && stands(' @@', bytes, next.end);
  if (!isFramed || Number.isNaN(old.start + old.count + next.start + next.count)) {
    const line = bytes.toString('latin1', start, Math.min(bytes.indexOf(LF, start), start + 200));
    if (/\d{16}/.test(line)) return 'a number has more than 15 digits';
    return 'a hunk header reads `@@ -12,7 +12,8 @@`, with both starts and counts as plain numbers';
  }
  if (old.count === 0 && next.count === 0) return 'it counts no line at all';
  if ((old.start === 0 && old.count > 0) || (next.start === 0 && next.count > 0)) {
    return 'lines are counted from 1; line 0 is for an empty side only';
  }
  return { old: { start: old.start, count: old.count }, new: { start: next.start, count: next.count } };
}

/** Writes a hunk header with all four numbers. */
export function formatHunkHeader(old: HunkRange, next: HunkRange): string {
  return `@@ -${old.start},${old.count} +${next.start},${next.count} @@`;
}

function readRange(bytes: Buffer, at: number): HunkRange & { readonly end: number } {
  const startEnd = endOfDigits(bytes, at);
  const start = numberIn(bytes, at, startEnd);
  if (bytes[startEnd] !== COMMA) return { start, count: 1, end: startEnd };
  const end = endOfDigits(bytes, startEnd + 1);
  return { start, count: numberIn(bytes, startEnd + 1, end), end };
}

function endOfDigits(bytes: Buffer, from: number): number {
  let at = from;
  for (let byte = bytes[at] ?? 0; byte >= 48 && byte <= 57; byte = bytes[++at] ?? 0);
  return at;
}

function numberIn(bytes: Buffer, from: number, to: number): number {
  if (to === from || to - from > DIGIT_LIMIT) return NaN;
  let value = 0;
  for (let at = from; at < to; at += 1) value = value * 10 + (bytes[at] ?? 0) - 48;
  return value;
}

function stands(text: string, bytes: Buffer, at: number): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
