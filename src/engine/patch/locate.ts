/**
 * Where a hunk fits: at its stated position, byte for byte, or not at all. `buffer.compare` of the joined old side
 * decides; only when it says no are line endings, BOM and final newline left to the file (line-endings.ts).
 */
import { type Adaptation, type ByteRange, bytesOf, type Hunk, type PlacedHunk } from '../../model/patch.ts';
import { adaptText, matchAdapted } from './line-endings.ts';
import type { LineIndex } from './line-index.ts';

/** Most hunks need none; one list serves them all. */
const NONE: readonly Adaptation[] = [];

/** Places a hunk at its stated line; undefined when it does not fit there. */
export function locate(hunk: Hunk, file: Buffer, lines: LineIndex): PlacedHunk | undefined {
  if (hunk.old.count === 0) {
    const isFirstText = file.length === 0 && hunk.old.start === 0;
    return isFirstText ? { hunk, from: 0, to: 0, text: bytesOf(hunk.new), adaptations: NONE } : undefined;
  }
  const from = lines.offsetOf(hunk.old.start);
  if (from === undefined) return undefined;
  const placed = placeAt(hunk, file, from);
  if (placed !== undefined && placed.to < file.length) lines.pass(hunk.old.start + hunk.old.count, placed.to);
  return placed;
}

/** Places a hunk whose old side is not empty at the line that begins at byte `from`; undefined when it does not fit. */
export function placeAt(hunk: Hunk, file: Buffer, from: number): PlacedHunk | undefined {
  const { old, new: next } = hunk;
  const exactEnd = from + old.to - old.from;
  if (equalsAt(old, file, from)) {
    const mustEndFile = old.unterminated || next.unterminated;
    if (mustEndFile && exactEnd !== file.length) return undefined;
    return { hunk, from, to: exactEnd, text: bytesOf(next), adaptations: NONE };
  }
  const match = matchAdapted(old, hunk.hasCarriageReturn, file, from);
  if (match === undefined || (next.unterminated && match.end !== file.length)) return undefined;
  const text = adaptText(next, match.adaptations);
  return text === undefined ? undefined : { hunk, from, to: match.end, text, adaptations: match.adaptations };
}

/** Tells whether the new side of a hunk already stands at the line that begins at byte `from`. */
export function isAppliedAt(hunk: Hunk, file: Buffer, from: number): boolean {
  const { old, new: next } = hunk;
  if (next.count === 0) return file.length === 0;
  if (bytesOf(next).equals(bytesOf(old))) return false;
  if (equalsAt(next, file, from)) return !next.unterminated || from + next.to - next.from === file.length;
  return matchAdapted(next, hunk.hasCarriageReturn, file, from) !== undefined;
}

/**
 * Tells whether a hunk that fits would write lines that stand there already: it ends in added lines with no context to
 * hold them, the file goes on, and what follows is just those lines. A tool writes such a hunk only at the end of a file.
 */
export function wouldRepeat({ hunk, from, to, adaptations }: PlacedHunk, file: Buffer): boolean {
  if (!hunk.endsInAddition || hunk.new.count <= hunk.old.count || to >= file.length) return false;
  // A hunk whose old side is the file's to the byte means its new side to the byte as well.
  return adaptations.length === 0 ? equalsAt(hunk.new, file, from) : isAppliedAt(hunk, file, from);
}

function equalsAt(side: ByteRange, file: Buffer, at: number): boolean {
  const end = at + side.to - side.from;
  return end <= file.length && file.compare(side.bytes, side.from, side.to, at, end) === 0;
}
