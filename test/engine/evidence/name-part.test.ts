import { expect, test } from 'vitest';
import { armInWords, excerptOf } from '../../../src/engine/evidence/name-part.ts';

/** The span of the last `part` in a text. */
const spanOf = (source: string, part: string) => {
  const start = source.lastIndexOf(part);
  return { start, end: start + part.length };
};

test.each([
  ['the right side of or', 'return a or b', 'b', 'the `or` side'],
  ['the right side of and, in brackets on a line of its own', 'return (a and\n  (b))', 'b', 'the `and` side'],
  ['the right side of ||', 'return a || b', 'b', 'the `||` side'],
  ['the right side of ??=', 'a ??= b', 'b', 'the `??=` side'],
  ['what stands behind ?.', 'a?.b', 'b', 'the `?.` side'],
  ['what stands behind ?.[', 'a?.[b]', 'b', 'the `?.` side'],
  ['a name that ends like an operator', 'return floor b', 'b', 'the right side'],
  ['the third of a chained comparison', 'return a < b <= c', 'c', 'the right side of `<=`'],
  ['the third of a chain with a word', 'return a < b not in c', 'c', 'the right side of `not in`'],
])('an operand is named by its operator: %s', (_what, source, part, expected) => {
  expect(armInWords('operand', source, spanOf(source, part))).toBe(expected);
});

test.each([
  ['else', 'the else side'],
  ['catch', 'the handler'],
  ['something', 'the something'],
  ['operand', 'the right side'],
])('without a text an arm is named by its kind: %s', (kind, expected) => {
  expect(armInWords(kind, null, { start: 0 })).toBe(expected);
});

test('an excerpt is one line of at most 80 characters, with nothing unseen in it', () => {
  const long = `return ${'x'.repeat(200)}`;
  expect(excerptOf('low\nreturn (a,\n\t b)\n', { start: 4, end: 19 })).toBe('return (a, b)');
  expect(excerptOf(long, { start: 0, end: long.length })).toBe(`return ${'x'.repeat(72)}…`);
  expect(excerptOf('a\u202eb', { start: 0, end: 3 })).toBe('a<U+202E>b');
  expect(excerptOf('', { start: 4, end: 9 })).toBeNull();
});
