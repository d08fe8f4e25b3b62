/**
 * One hunk that does not fit becomes one HunkConflict. The questions are asked in this order: has it anything to check,
 * is it applied already, would it join two lines, does it miss by something unseen, does it stand elsewhere (once, often),
 * does it reach past the end, and last: which line differs.
 */
import type { HunkConflict, HunkConflictCode } from '../../model/hunk-conflict.ts';
import type { Hunk } from '../../model/patch.ts';
import { BACKSLASH, LF, PLUS } from './bytes.ts';
import { type Comparison, compareLines } from './compare-lines.ts';
import { formatHunkHeader } from './hunk-header.ts';
import type { LineIndex } from './line-index.ts';
import { isAppliedAt } from './locate.ts';
import { nameNearMiss } from './near-miss.ts';
import { newStart } from './rewrite.ts';
import type { Elsewhere, Search } from './search.ts';
import { showBytes, showDifference } from './show.ts';

/** Places that are listed for one hunk. */
const LISTED = 5;

export interface Scene {
  readonly preimage: Buffer;
  readonly lines: LineIndex;
  readonly search: Search;
}

/** Says why a hunk does not fit; `added` is the number of lines that the hunks before it add, negative when they take. */
export function describeMisfit(hunk: Hunk, added: number, scene: Scene): HunkConflict {
  const { preimage, lines, search } = scene;
  const describe = (
    code: HunkConflictCode,
    message: string,
    line: number,
    more: Partial<HunkConflict>,
  ): HunkConflict => ({
    code,
    hunk: hunk.number,
    message,
    patch_line: hunk.headerLine,
    ...more,
    ...excerptAround(line, scene),
  });
  const applied = appliedLine(hunk, added, scene);
  if (applied !== undefined) {
    const message = `Hunk ${hunk.number}: its new lines already stand at line ${applied}.`;
    return describe('ALREADY_APPLIED', message, applied, { file_line: applied, ...repeatHint(hunk) });
  }
  if (hunk.old.count === 0)
    return describe('NO_ANCHOR', noAnchor(hunk, scene), hunk.old.start, anchorHint(hunk, added, scene));
  const from = lines.offsetOf(hunk.old.start);
  const comparison = from === undefined ? undefined : compareLines(hunk, preimage, from);
  const elsewhere = search.find(hunk);
  const foundAt = elsewhere.places.slice(0, LISTED).map((place) => lines.lineOf(place));
  const found = foundAt.length === 0 ? {} : { found_at: foundAt };
  const isWhole = comparison !== undefined && comparison.compared === hunk.old.count;
  if (isWhole && comparison.worst.difference === 'none') {
    const { start, count } = hunk.old;
    return describe(...unseen(hunk, from === 0), start, { file_line: start + count - 1, ...found });
  }
  if (isWhole) {
    const where = whereWorst(hunk, comparison);
    const miss = nameNearMiss(hunk, comparison, where.file_line);
    if (miss !== undefined) {
      const message = `Hunk ${hunk.number}, patch line ${where.patch_line}: ${miss.says}`;
      const shown = showDifference(comparison.worst.expected, comparison.worst.actual);
      return describe(miss.code, message, where.file_line, { ...where, ...shown, hint: miss.hint, ...found });
    }
  }
  const moved = describeElsewhere(hunk, added, foundAt, elsewhere);
  if (moved !== undefined) return describe(moved.code, moved.message, hunk.old.start, moved);
  if (!isWhole && (comparison === undefined || comparison.matching === comparison.compared)) {
    return describe('PAST_EOF', pastEnd(hunk, lines.count), lines.count, {});
  }
  const where = whereWorst(hunk, comparison);
  const shown = showDifference(comparison.worst.expected, comparison.worst.actual);
  const message =
    `Hunk ${hunk.number}, patch line ${where.patch_line} (old line ${comparison.worst.index + 1} of ${hunk.old.count}): ` +
    `expected \`${shown.expected}\`, file line ${where.file_line} has \`${shown.actual}\` ` +
    `(first difference at column ${shown.column}; ${comparison.matching} of ${hunk.old.count} lines match).`;
  if (comparison.worst.difference !== 'placeholder') {
    return describe('CONTEXT', message, where.file_line, { ...where, ...shown });
  }
  const hint = 'Write out the lines that were left out, or end the hunk before them.';
  const leftOut = `Hunk ${hunk.number}, patch line ${where.patch_line}: \`${shown.expected}\` stands for lines that were left out.`;
  return describe('PLACEHOLDER', leftOut, where.file_line, { ...where, ...shown, hint });
}

/** The line where the new side of a hunk already stands, looked for where the patch or the file would have it. */
export function appliedLine(hunk: Hunk, added: number, { preimage, lines }: Scene): number | undefined {
  const candidates = [newStart(hunk.old, hunk.new.count, added), hunk.new.start, hunk.old.start];
  return [...new Set(candidates)].find((line) => {
    const from = lines.offsetOf(line) ?? (preimage.length === 0 ? 0 : undefined);
    return from !== undefined && isAppliedAt(hunk, preimage, from);
  });
}

function repeatHint(hunk: Hunk): Partial<HunkConflict> {
  if (!hunk.endsInAddition) return {};
  return { hint: 'To write these lines once more, add the line that follows them as context.' };
}

function noAnchor(hunk: Hunk, { preimage }: Scene): string {
  const what = `Hunk ${hunk.number} (patch line ${hunk.headerLine})`;
  if (preimage.length > 0) return `${what} holds no context and no removed line, so nothing shows where it belongs.`;
  return `${what} adds after line ${hunk.old.start}, but the file is empty.`;
}

function anchorHint(hunk: Hunk, added: number, { preimage }: Scene): Partial<HunkConflict> {
  if (preimage.length > 0)
    return { hint: 'Add a context line before or after the new lines, and count it on both sides.' };
  const old = { start: 0, count: 0 };
  const next = { start: newStart(old, hunk.new.count, added), count: hunk.new.count };
  return { suggested_header: formatHunkHeader(old, next) };
}

/** The lines are equal and the hunk still does not fit: a marker, or a byte order mark on the new side only. */
function unseen(hunk: Hunk, isFirst: boolean): readonly [HunkConflictCode, string] {
  const what = `Hunk ${hunk.number}`;
  if (hunk.old.unterminated || hunk.new.unterminated || !isFirst) {
    return [
      'EOF_NEWLINE',
      `${what} leaves its last line without a newline, but more of the file follows; the lines would be joined.`,
    ];
  }
  if (hunk.new.count === 0) {
    return [
      'BOM',
      `${what} removes the first line with its byte order mark; add the next line as context to keep the mark.`,
    ];
  }
  return ['BOM', `${what} adds a byte order mark in front of the one the file has.`];
}

function describeElsewhere(
  hunk: Hunk,
  added: number,
  foundAt: readonly number[],
  elsewhere: Elsewhere,
): (Partial<HunkConflict> & Pick<HunkConflict, 'code' | 'message'>) | undefined {
  const [first] = foundAt;
  if (first === undefined) return undefined;
  const { start, count } = hunk.old;
  const lost = `Hunk ${hunk.number}: its ${count} old line${count === 1 ? '' : 's'} ${count === 1 ? 'is' : 'are'} not at line ${start}`;
  if (foundAt.length > 1) {
    const more = elsewhere.places.length > foundAt.length || !elsewhere.isComplete ? ' and more' : '';
    const message = `${lost} but at lines ${foundAt.join(', ')}${more}: add context or take one of these.`;
    return { code: 'AMBIGUOUS', message, found_at: foundAt };
  }
  if (!elsewhere.isComplete) return undefined;
  const next = { start: newStart({ start: first, count }, hunk.new.count, added), count: hunk.new.count };
  const header = formatHunkHeader({ start: first, count }, next);
  const message = `${lost}; the same block is at line ${first}, only there. Use \`${header}\`.`;
  return { code: 'OFFSET', message, found_at: foundAt, suggested_header: header };
}

function pastEnd(hunk: Hunk, count: number): string {
  const { start } = hunk.old;
  const last = start + hunk.old.count - 1;
  const needs = start === last ? `line ${start}` : `lines ${start} to ${last}`;
  return `Hunk ${hunk.number} needs ${needs}, but the file ${count === 0 ? 'is empty' : `ends at line ${count}`}.`;
}

function whereWorst(hunk: Hunk, { worst }: Comparison): { readonly patch_line: number; readonly file_line: number } {
  return { patch_line: oldLineInPatch(hunk, worst.index), file_line: hunk.old.start + worst.index };
}

function oldLineInPatch(hunk: Hunk, index: number): number {
  const { bytes } = hunk.body;
  let [at, line, left] = [hunk.body.from, hunk.headerLine + 1, index];
  for (;;) {
    const prefix = bytes[at];
    const isOld = prefix !== PLUS && prefix !== BACKSLASH;
    if (isOld && left === 0) return line;
    if (isOld) left -= 1;
    at = bytes.indexOf(LF, at) + 1;
    line += 1;
  }
}

function excerptAround(line: number, { preimage, lines }: Scene): Pick<HunkConflict, 'excerpt'> {
  const near = line > 0 && lines.offsetOf(line) === undefined ? lines.count : line;
  const first = Math.max(1, near - 1);
  const shown = [first, first + 1, first + 2].flatMap((number) => {
    const from = lines.offsetOf(number);
    if (from === undefined) return [];
    const end = preimage.indexOf(LF, from);
    return [`${number}: ${showBytes(preimage.subarray(from, end === -1 ? preimage.length : end))}`];
  });
  return shown.length === 0 ? {} : { excerpt: shown.join('\n') };
}
