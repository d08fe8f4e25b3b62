import { describe, expect, test } from 'vitest';
import { flagScopes, joinFlagScopes, operandScope } from '../../../src/engine/command/scope-table.ts';

const scopes = flagScopes({
  narrowing: ['-k', '-p'],
  stopping: ['-x', '-n'],
  neutral: ['-q', { flag: '-p', matches: 'all' }, { flag: '-n', matches: '0' }, '--cov'],
  takesNext: ['--cov'],
});

test('a flag in two lists is neutral for the values that match and does the other thing with the rest', () => {
  expect(Object.fromEntries(scopes)).toEqual({
    '-k': { neutral: null, otherwise: 'selects', takesNext: false },
    '-p': { neutral: [/^(?:all)$/u], otherwise: 'selects', takesNext: false },
    '-x': { neutral: null, otherwise: 'stops', takesNext: false },
    '-n': { neutral: [/^(?:0)$/u], otherwise: 'stops', takesNext: false },
    '-q': { neutral: [/^(?:.*)$/u], otherwise: 'unknown', takesNext: false },
    '--cov': { neutral: [/^(?:.*)$/u], otherwise: 'unknown', takesNext: true },
  });
});

test('without a list of operands only their absence is the whole suite', () => {
  const none = { narrowing: [], stopping: [], neutral: [] };
  expect([operandScope(none), operandScope({ ...none, operands: '\\.', parts: 'unit' })]).toEqual([
    { whole: /^(?:)$/u, parts: null, discovery: null },
    { whole: /^(?:\.)$/u, parts: /^(?:unit)$/u, discovery: null },
  ]);
});

describe('the scope of a flag that two runners know', () => {
  const of = (flag: string) => scopes.get(flag) ?? null;
  test.each([
    ['neutral for both is neutral', '-q', '--cov', { neutral: [/^(?:.*)$/u, /^(?:.*)$/u], otherwise: 'unknown' }],
    ['selecting for one is selecting', '-q', '-k', { neutral: null, otherwise: 'selects' }],
    ['stopping for one is stopping', '-x', '-q', { neutral: null, otherwise: 'stops' }],
    ['selecting comes before stopping', '-x', '-k', { neutral: null, otherwise: 'selects' }],
    ['unsaid by one is unknown', '-q', '--other', { neutral: null, otherwise: 'unknown' }],
    [
      'a value is neutral when it is so for both',
      '-p',
      '-n',
      { neutral: [/^(?:all)$/u, /^(?:0)$/u], otherwise: 'selects' },
    ],
  ])('%s', (_, first, second, joined) => {
    expect(joinFlagScopes(of(first), of(second))).toEqual({ ...joined, takesNext: false });
  });

  test('nobody having said anything, nothing is said', () => {
    expect(joinFlagScopes(of('--other'), of('--other'))).toBeNull();
  });
});
