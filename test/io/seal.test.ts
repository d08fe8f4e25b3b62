import { expect, test } from 'vitest';
import { seal, unseal } from '../../src/io/seal.ts';

const KEY = Buffer.alloc(32, 1);

test.each([[null], [7], ['a b'], [{ deep: [1, 'zwei', { x: null }] }]])('%j comes out as it went in', (value) => {
  expect(unseal(seal(value, KEY), KEY)).toEqual(value);
});

test('a sealed value is one line', () => {
  expect(seal({ text: 'a\nb' }, KEY)).toMatch(/^[0-9a-f]{64} \{.*\}$/u);
});

test.each([
  ['nothing', ''],
  ['a value without a seal', '{"a":1}'],
  ['a seal without a value', `${'ab'.repeat(32)} `],
  ['a seal of another length', 'abcd {"a":1}'],
  ['a seal of another key', seal({ a: 1 }, Buffer.alloc(32, 2))],
  ['a changed value', seal({ a: 1 }, KEY).replace(':1', ':2')],
  ['a value with an end', `${seal({ a: 1 }, KEY)}\n`],
  ['a seal cut short', seal({ a: 1 }, KEY).slice(2)],
])('%s is not ours', (_what, line) => {
  expect(unseal(line, KEY)).toBeUndefined();
});
