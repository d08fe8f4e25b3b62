/**
 * Two contents as lines of bytes, and what differs between them as stretches of lines. Lines are told apart by every
 * byte and their ending, so that a last line without one is another line.
 */
import { diffArrays } from 'diff';
import { LF } from './bytes.ts';

/** Lines with their endings, one character a byte. */
export type Lines = readonly string[];

/** A stretch of lines: `count` lines from `from` (counted from 0) became `text`. */
export interface LineChange {
  readonly from: number;
  readonly count: number;
  readonly text: Lines;
}

/** More differing lines than this are not worth a comparison that takes the square of their number. */
const MOST_EDITS = 10_000;

/** Cuts bytes into lines; joined, they are the bytes again. */
export function linesOf(bytes: Buffer): Lines {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(LF, at);
    const next = end === -1 ? bytes.length : end + 1;
    lines.push(bytes.toString('latin1', at, next));
    at = next;
  }
  return lines;
}

/** The bytes of lines. */
export function bytesOfLines(lines: Lines): Buffer {
  return Buffer.from(lines.join(''), 'latin1');
}

/** What makes `after` out of `before`, ascending and apart; null where the two have too little in common. */
export function lineChanges(before: Lines, after: Lines): readonly LineChange[] | null {
  const parts = diffArrays([...before], [...after], { maxEditLength: MOST_EDITS });
  if (parts === undefined) return null;
  const changes: LineChange[] = [];
  let open: { from: number; count: number; text: string[] } | null = null;
  let at = 0;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      if (open !== null) changes.push(open);
      open = null;
      at += value.length;
      continue;
    }
    open ??= { from: at, count: 0, text: [] };
    if (added) open.text.push(...value);
    else {
      open.count += value.length;
      at += value.length;
    }
  }
  if (open !== null) changes.push(open);
  return changes;
}
