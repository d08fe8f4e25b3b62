/** Reads all hunks of a patch in order and collects what is wrong with each, so that one answer can name every one. */
import type { HunkConflict } from '../../model/hunk-conflict.ts';
import type { Hunk } from '../../model/patch.ts';
import { AT, CR, LF, MINUS, PLUS, SPACE } from './bytes.ts';
import { type BodyProblem, readHunkBody, SideBuffers } from './hunk-body.ts';
import { formatHunkHeader, type HunkHeader, type HunkRange, readHunkHeader } from './hunk-header.ts';
import { isPlaceholder, withoutLineNumber } from './pasted.ts';
import type { PatchReader } from './patch-reader.ts';
import { isSignature, recount, startsFile } from './recount.ts';
import { showText } from './show.ts';

/** A diff may have this many hunks. */
export const HUNK_LIMIT = 10_000;

export interface HunkReading {
  readonly hunks: readonly Hunk[];
  readonly conflicts: readonly HunkConflict[];
  /** There are more hunks than the limit; those beyond it were not read. */
  readonly isTooMany: boolean;
}

/** Reads hunks from the reader's place, which must be a hunk header, to the first line that belongs to none. */
export function readHunks(reader: PatchReader): HunkReading {
  const sides = new SideBuffers(reader.bytes.length);
  const returns = new CarriageReturns(reader.bytes);
  const hunks: Hunk[] = [];
  const conflicts: HunkConflict[] = [];
  let previous: HunkHeader | undefined;
  for (let number = 1; atHeader(reader); number += 1) {
    if (number > HUNK_LIMIT) return { hunks, conflicts, isTooMany: true };
    const read = readHunk(reader, number, previous, sides, returns);
    if (read.header !== undefined) previous = read.header;
    if (read.conflict !== undefined) {
      conflicts.push(read.conflict);
      resync(reader);
    } else {
      hunks.push(read.hunk);
    }
  }
  return { hunks, conflicts, isTooMany: false };
}

type OneHunk =
  | { readonly header: HunkHeader; readonly hunk: Hunk; readonly conflict?: undefined }
  | { readonly header: HunkHeader | undefined; readonly conflict: HunkConflict };

function readHunk(
  reader: PatchReader,
  number: number,
  previous: HunkHeader | undefined,
  sides: SideBuffers,
  returns: CarriageReturns,
): OneHunk {
  const headerLine = reader.line;
  const headerAt = reader.at;
  const header = readHunkHeader(reader.bytes, headerAt);
  reader.skip();
  const place = { hunk: number, patch_line: headerLine };
  if (typeof header === 'string') {
    const text = reader.bytes.toString('utf8', headerAt, Math.min(reader.at - 1, headerAt + 1000));
    const message = `Hunk ${number}, patch line ${headerLine}: \`${showText(text)}\` is not a hunk header: ${header}.`;
    return { header: undefined, conflict: { code: 'BAD_HEADER', ...place, message } };
  }
  const bodyAt = reader.at;
  const body = readHunkBody(reader.bytes, bodyAt, header, sides);
  if (!body.ok) {
    const blamed = { hunk: number, patch_line: headerLine + 1 + body.lines };
    return { header, conflict: bodyConflict(reader, header, body, bodyAt, place, blamed) };
  }
  reader.jump(body.end, body.lines);
  if (continues(reader)) return { header, conflict: countConflict(reader, header, bodyAt, place) };
  if (previous !== undefined && !ascends(header.old, previous.old)) {
    return { header, conflict: orderConflict(header, previous, place) };
  }
  const hunk: Hunk = {
    number,
    headerLine,
    old: body.old,
    new: body.new,
    body: { bytes: reader.bytes, from: bodyAt, to: body.end },
    hasCarriageReturn: returns.isIn(bodyAt, body.end),
    endsInAddition: body.endsInAddition,
  };
  return { header, hunk };
}

/** Tells whether something that looks like this hunk goes on after its counts are used up. */
function continues(reader: PatchReader): boolean {
  const prefix = reader.bytes[reader.at];
  if (prefix === SPACE || prefix === PLUS) return true;
  if (prefix === MINUS) return !startsFile(reader) && !isSignature(reader);
  if (prefix !== LF && prefix !== CR) return false;
  // Blank lines are allowed after the last hunk; before another one they may be context that nobody counted.
  let at = reader.at;
  while (reader.bytes[at] === LF || reader.bytes[at] === CR) at += 1;
  const next = reader.bytes[at];
  return next === SPACE || next === PLUS || (next === AT && reader.bytes[at + 1] === AT);
}

/** Answers for hunk after hunk, in ascending order, whether a carriage return is in it; each byte is looked at once. */
class CarriageReturns {
  private readonly bytes: Buffer;
  private next: number;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.next = bytes.indexOf(CR);
  }

  isIn(from: number, to: number): boolean {
    if (this.next !== -1 && this.next < from) this.next = this.bytes.indexOf(CR, from);
    return this.next !== -1 && this.next < to;
  }
}

function atHeader({ bytes, at }: PatchReader): boolean {
  return bytes[at] === AT && bytes[at + 1] === AT;
}

/** Hunks may touch; an empty side stands after its line, and two of them never at one place. */
function ascends(range: HunkRange, previous: HunkRange): boolean {
  const from = range.count === 0 ? range.start + 1 : range.start;
  const taken = previous.count === 0 ? previous.start + 1 : previous.start + previous.count;
  return from > taken || (from === taken && (range.count > 0 || previous.count > 0));
}

type Place = Pick<HunkConflict, 'hunk'> & { readonly patch_line: number };

function bodyConflict(
  reader: PatchReader,
  header: HunkHeader,
  body: BodyProblem,
  bodyAt: number,
  place: Place,
  blamed: Place,
): HunkConflict {
  if (body.code === 'COUNT') return countConflict(reader, header, bodyAt, place);
  const end = reader.bytes.indexOf(LF, body.at);
  const line = reader.bytes.toString('utf8', body.at, Math.min(end, body.at + 1000));
  const where = `Hunk ${place.hunk}, patch line ${blamed.patch_line}:`;
  if (body.code === 'EOF_NEWLINE') {
    const message = `${where} \`\\ No newline at end of file\` must follow the last line of its side, and that line must hold text.`;
    return { code: 'EOF_NEWLINE', ...blamed, message, hint: 'Put the marker after the last line of its side only.' };
  }
  const expected = showText(line);
  if (isPlaceholder(line)) {
    const message = `${where} \`${expected}\` stands for lines that were left out; a patch must hold every line it spans.`;
    return {
      code: 'PLACEHOLDER',
      ...blamed,
      message,
      expected,
      hint: 'Write the lines out, or end the hunk before them.',
    };
  }
  if (withoutLineNumber(line) !== undefined) {
    const message = `${where} \`${expected}\` begins with a line number from a listing.`;
    return {
      code: 'LINE_NUMBERS',
      ...blamed,
      message,
      expected,
      hint: 'Begin each line with a blank, + or - and the bare text.',
    };
  }
  if (line.startsWith('\\ ')) {
    const message = `${where} \`${expected}\` marks no line; it must follow a context, added or removed line.`;
    return { code: 'BAD_LINE', ...blamed, message, expected };
  }
  const message = `${where} \`${expected}\` begins with none of blank, +, - and \`\\ \`.`;
  return {
    code: 'BAD_LINE',
    ...blamed,
    message,
    expected,
    hint: 'Put a blank before a context line; cut text that is not part of the patch.',
  };
}

function countConflict(reader: PatchReader, header: HunkHeader, bodyAt: number, place: Place): HunkConflict {
  const body = recount(reader.bytes, bodyAt);
  const stated = `${header.old.count} old / ${header.new.count} new lines`;
  const where = `Hunk ${place.hunk} (patch line ${place.patch_line}):`;
  if (body.old === header.old.count && body.new === header.new.count) {
    const message = `${where} the header's ${stated} are all there, but a blank line follows inside the patch.`;
    return {
      code: 'COUNT',
      ...place,
      message,
      hint: 'Delete the blank line after the hunk, or count it as context on both sides.',
    };
  }
  const counted = `${where} the header says ${stated}, the body has ${body.old} / ${body.new}.`;
  if (body.old + body.new === 0) return { code: 'COUNT', ...place, message: counted };
  const suggested = formatHunkHeader(
    { start: header.old.start, count: body.old },
    { start: header.new.start, count: body.new },
  );
  const message = `${counted} Use \`${suggested}\`, or a line is missing.`;
  return { code: 'COUNT', ...place, message, suggested_header: suggested };
}

function orderConflict(header: HunkHeader, previous: HunkHeader, place: Place): HunkConflict {
  const end = previous.old.start + previous.old.count - 1;
  const message =
    `Hunk ${place.hunk} (patch line ${place.patch_line}) begins at line ${header.old.start}, ` +
    `but the hunk before it reaches line ${end}; hunks must ascend and share no line.`;
  return { code: 'ORDER', ...place, message, hint: 'Sort the hunks by line, and join those that overlap.' };
}

function resync(reader: PatchReader): void {
  while (!reader.done && !reader.peek().startsWith('@@ -')) reader.skip();
}
