/**
 * The lines of one hunk, read by the counts of its header: inside the counts only the first byte of a line has a meaning,
 * so `--- x`, `+++ y` or `@@` after it are content. Both sides are joined on the way, byte for byte.
 */
import type { HunkConflictCode } from '../../model/hunk-conflict.ts';
import type { HunkSide } from '../../model/patch.ts';
import { BACKSLASH, CR, LF, MINUS, PLUS, SPACE } from './bytes.ts';
import type { HunkHeader, HunkRange } from './hunk-header.ts';

/** Room for the two sides of all hunks of a patch; neither side can be longer than the patch. */
export class SideBuffers {
  readonly old: Buffer;
  readonly new: Buffer;
  oldLength = 0;
  newLength = 0;

  constructor(capacity: number) {
    this.old = Buffer.allocUnsafe(capacity);
    this.new = Buffer.allocUnsafe(capacity);
  }
}

export interface HunkBody {
  readonly ok: true;
  readonly end: number;
  readonly lines: number;
  readonly old: HunkSide;
  readonly new: HunkSide;
  readonly endsInAddition: boolean;
}

export interface BodyProblem {
  readonly ok: false;
  readonly code: Extract<HunkConflictCode, 'COUNT' | 'BAD_LINE' | 'EOF_NEWLINE'>;
  /** Lines of the body that were read before the one to blame. */
  readonly lines: number;
  readonly at: number;
}

/** Reads the body that begins at byte `start`; `bytes` must end with LF. */
export function readHunkBody(
  bytes: Buffer,
  start: number,
  header: HunkHeader,
  sides: SideBuffers,
): HunkBody | BodyProblem {
  const oldFrom = sides.oldLength;
  const newFrom = sides.newLength;
  const { old: oldOut, new: newOut } = sides;
  let oldAt = oldFrom;
  let newAt = newFrom;
  let at = start;
  let lines = 0;
  let oldLeft = header.old.count;
  let newLeft = header.new.count;
  let oldEnded = false;
  let newEnded = false;
  let last = 0;
  let lineLength = 0;
  let markable = false;
  const problem = (code: BodyProblem['code']): BodyProblem => ({ ok: false, code, lines, at });
  for (;;) {
    const prefix = bytes[at];
    if (prefix === BACKSLASH && bytes[at + 1] === SPACE) {
      if (!markable) return problem('BAD_LINE');
      if (lineLength === 0) return problem('EOF_NEWLINE');
      markable = false;
      if (last !== PLUS) {
        oldEnded = true;
        oldAt -= 1;
      }
      if (last !== MINUS) {
        newEnded = true;
        newAt -= 1;
      }
      at = bytes.indexOf(LF, at) + 1;
      lines += 1;
      continue;
    }
    if (oldLeft === 0 && newLeft === 0) break;
    if (prefix === undefined) return problem('COUNT');
    const blank = prefix === LF || (prefix === CR && bytes[at + 1] === LF);
    const kind = blank ? SPACE : prefix;
    if (kind !== SPACE && kind !== PLUS && kind !== MINUS)
      return problem(startsHeader(bytes, at) ? 'COUNT' : 'BAD_LINE');
    if ((kind !== PLUS && oldLeft === 0) || (kind !== MINUS && newLeft === 0)) return problem('COUNT');
    if ((kind !== PLUS && oldEnded) || (kind !== MINUS && newEnded)) return problem('EOF_NEWLINE');
    if (!blank) at += 1;
    const content = at;
    let byte = bytes[at];
    if (kind === SPACE) {
      for (; byte !== undefined && byte !== LF; byte = bytes[++at]) {
        oldOut[oldAt++] = byte;
        newOut[newAt++] = byte;
      }
    } else if (kind === MINUS) {
      for (; byte !== undefined && byte !== LF; byte = bytes[++at]) oldOut[oldAt++] = byte;
    } else {
      for (; byte !== undefined && byte !== LF; byte = bytes[++at]) newOut[newAt++] = byte;
    }
    lineLength = at - content;
    at += 1;
    lines += 1;
    if (kind !== PLUS) {
      oldOut[oldAt++] = LF;
      oldLeft -= 1;
    }
    if (kind !== MINUS) {
      newOut[newAt++] = LF;
      newLeft -= 1;
    }
    last = kind;
    markable = true;
  }
  sides.oldLength = oldAt;
  sides.newLength = newAt;
  return {
    ok: true,
    end: at,
    lines,
    old: side(header.old, oldOut, oldFrom, oldAt, oldEnded),
    new: side(header.new, newOut, newFrom, newAt, newEnded),
    endsInAddition: last === PLUS,
  };
}

function startsHeader(bytes: Buffer, at: number): boolean {
  return ['@@ -', 'diff --git ', 'Index: '].some((start) => bytes.toString('latin1', at, at + start.length) === start);
}

function side(range: HunkRange, bytes: Buffer, from: number, to: number, unterminated: boolean): HunkSide {
  return { start: range.start, count: range.count, bytes, from, to, unterminated };
}
