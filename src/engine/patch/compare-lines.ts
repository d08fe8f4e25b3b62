/** How the lines of a hunk differ from the lines of the file at the stated place, from "in the ending only" to "in the text". */
import { isUtf8 } from 'node:buffer';
import { bytesOf, type Hunk } from '../../model/patch.ts';
import { beginsWithBom, BOM, CR, LF } from './bytes.ts';
import { isPlaceholder, withoutLineNumber } from './pasted.ts';

const DECODE_LIMIT = 64 * 1024;
/** Differing lines that are told apart; after them a line is equal or it is not. */
const TOLD_APART = 200;

/** Kinds of difference, from the least telling to the most telling: what explains the others comes last. */
const DIFFERENCES = [
  'none',
  'ending',
  'bom',
  'final_newline',
  'trailing',
  'whitespace',
  'unicode',
  'encoding',
  'text',
  'line_number',
  'placeholder',
] as const;

export type LineDifference = (typeof DIFFERENCES)[number];

export interface LinePair {
  /** 0-based place among the old lines. */
  readonly index: number;
  readonly difference: LineDifference;
  /** Both without LF. */
  readonly expected: Buffer;
  readonly actual: Buffer;
}

export interface Comparison {
  /** The first line with the most telling difference. */
  readonly worst: LinePair;
  /** Lines without a difference that matters. */
  readonly matching: number;
  readonly compared: number;
  /** Endings among the file's lines. */
  readonly endings: { readonly lf: number; readonly crlf: number };
}

/** Compares the old lines with the file from byte `start`; undefined when no line of the file is there. */
export function compareLines(hunk: Hunk, file: Buffer, start: number): Comparison | undefined {
  const text = bytesOf(hunk.old);
  let worst: LinePair | undefined;
  let [at, position, matching, compared, lf, crlf] = [0, start, 0, 0, 0, 0];
  while (at < text.length && position < file.length) {
    const lineEnd = text.indexOf(LF, at);
    const fileEnd = file.indexOf(LF, position);
    const expected = text.subarray(at, lineEnd === -1 ? text.length : lineEnd);
    const actual = file.subarray(position, fileEnd === -1 ? file.length : fileEnd);
    const isMarkedWrongly = lineEnd === -1 && fileEnd !== -1;
    const difference =
      compared - matching > TOLD_APART
        ? settled(expected, actual)
        : differenceOf(expected, actual, isMarkedWrongly, position === 0);
    const isAdapted = difference === 'ending' && !hunk.hasCarriageReturn;
    if (difference === 'none' || isAdapted) matching += 1;
    if (worst === undefined || rank(difference) > rank(worst.difference)) {
      worst = { index: compared, difference, expected, actual };
    }
    if (fileEnd !== -1 && actual.at(-1) === CR) crlf += 1;
    else if (fileEnd !== -1) lf += 1;
    compared += 1;
    at += expected.length + 1;
    position += actual.length + 1;
  }
  return worst === undefined ? undefined : { worst, matching, compared, endings: { lf, crlf } };
}

function rank(difference: LineDifference): number {
  return DIFFERENCES.indexOf(difference);
}

function settled(expected: Buffer, actual: Buffer): LineDifference {
  return withoutCr(expected).equals(withoutCr(actual)) ? 'none' : 'text';
}

function differenceOf(expected: Buffer, actual: Buffer, isMarkedWrongly: boolean, isFirst: boolean): LineDifference {
  if (expected.equals(actual)) return isMarkedWrongly ? 'final_newline' : 'none';
  if (withoutCr(expected).equals(withoutCr(actual))) return 'ending';
  if (isFirst && withoutCr(expected).equals(withoutCr(withoutBom(actual)))) return 'none';
  if (isFirst && withoutCr(withoutBom(expected)).equals(withoutCr(actual))) return 'bom';
  if (expected.length > DECODE_LIMIT || actual.length > DECODE_LIMIT) return 'text';
  const [left, right] = [expected.toString('utf8'), actual.toString('utf8')];
  if (isUtf8(actual)) {
    if (left.replace(/[ \t\r]+$/, '') === right.replace(/[ \t\r]+$/, '')) return 'trailing';
    if (withoutBlanks(left) === withoutBlanks(right)) return 'whitespace';
    if (fold(left) === fold(right)) return 'unicode';
  } else if (/[^\0-\x7f]/.test(left) && asciiOnly(expected) === asciiOnly(actual)) {
    return 'encoding';
  }
  const bare = withoutLineNumber(left);
  if (bare !== undefined && withoutBlanks(bare) === withoutBlanks(right)) return 'line_number';
  return isPlaceholder(left) ? 'placeholder' : 'text';
}

function withoutCr(line: Buffer): Buffer {
  return line.at(-1) === CR ? line.subarray(0, -1) : line;
}

function withoutBom(line: Buffer): Buffer {
  return beginsWithBom(line) ? line.subarray(BOM.length) : line;
}

function withoutBlanks(text: string): string {
  return text.replace(/[ \t\r\f\v]+/g, '');
}

/** The text without what an editor, a keyboard or a web page changes unseen: forms, quotes, dashes, joiners. */
function fold(text: string): string {
  const folded = text
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u201a\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u2033\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '');
  return withoutBlanks(folded);
}

function asciiOnly(line: Buffer): string {
  return line.toString('latin1').replace(/[\u0080-\u00ff]+/g, '?');
}
