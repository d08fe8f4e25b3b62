/** Names a part of a change for somebody who has to write a test for it: its text, and which way through a statement it is. */
import type { Span } from '../../model/examination.ts';
import { showText } from '../patch/show.ts';

const SHOWN = 80;
/** Looked at before an arm, to find the operator that leads to it. */
const LOOK_BACK = 200;
const OPERATOR = /(?:\b(and|or)|(\?\?=?|\|\|=?|&&=?|\?\.))[\s([]*$/u;
const COMPARISON = /(?:(<=|>=|==|!=|<|>)|\b(not in|is not|in|is))[\s(]*$/u;

const ARMS: Readonly<Record<string, string>> = {
  then: 'the then side',
  else: 'the else side',
  case: 'the case',
  catch: 'the handler',
  finally: 'the finally block',
  loop: 'the body of the loop',
  lambda: 'the body of the lambda',
  arrow: 'the body of the function',
  function: 'the body of the function',
  default: 'the default',
  condition: 'the condition where it holds',
  element: 'the element of the comprehension',
  message: 'the message of the assertion',
  exception: 'the exception',
  alternative: 'the alternative of the pattern',
};

/** The start of what stands at a place, on one line; null where the place lies outside the text. */
export function excerptOf(source: string, { start, end }: Pick<Span, 'start' | 'end'>): string | null {
  const text = source
    .slice(start, Math.min(end, start + LOOK_BACK))
    .replace(/\s+/gu, ' ')
    .trim();
  if (text === '') return null;
  const characters = Array.from(showText(text));
  return characters.length <= SHOWN ? characters.join('') : `${characters.slice(0, SHOWN - 1).join('')}…`;
}

/** An arm in words: "the else side", "the `or` side". */
export function armInWords(kind: string, source: string | null, { start }: Pick<Span, 'start'>): string {
  const known = ARMS[kind];
  if (known !== undefined) return known;
  if (kind !== 'operand' || source === null) return kind === 'operand' ? 'the right side' : `the ${kind}`;
  const before = source.slice(Math.max(0, start - LOOK_BACK), start);
  const operator = OPERATOR.exec(before);
  if (operator !== null) return `the \`${operator[1] ?? operator[2] ?? ''}\` side`;
  const comparison = COMPARISON.exec(before);
  return comparison === null ? 'the right side' : `the right side of \`${comparison[1] ?? comparison[2] ?? ''}\``;
}
