import { expect, test } from 'vitest';
import { readTestEvents } from '../../../src/engine/formats/test-events.ts';

const lines = (...events: readonly unknown[]) => Buffer.from(events.map((one) => `${JSON.stringify(one)}\n`).join(''));
const event = (id: string, outcome: string) => ({ event: 'test', id, outcome, message: null, file: null });
const NOTHING = { runner: null, tests: [], errors: [], deselected: 0, unreadable: 0 };

test('events of several processes become one report', () => {
  const first = lines(
    { event: 'session', runner: 'pytest', collected: 3, deselected: 1 },
    { event: 'test', id: 'a', outcome: 'passed', message: null, file: 'test_a.py', durationMs: 1.5 },
    { event: 'error', id: 'test_b.py', message: 'SyntaxError' },
  );
  const second = lines(
    { event: 'session', runner: 'node:test', collected: null, deselected: null },
    { event: 'session', runner: 'pytest', collected: 3, deselected: 2 },
    { event: 'test', id: 'b', outcome: 'skipped', message: 'not here', file: null, durationMs: null },
  );
  expect(readTestEvents([first, second])).toEqual({
    runner: 'pytest, node:test',
    tests: [
      { id: 'a', times: 1, outcome: 'passed', message: null, file: 'test_a.py' },
      { id: 'b', times: 1, outcome: 'skipped', message: 'not here', file: null },
    ],
    errors: [{ id: 'test_b.py', message: 'SyntaxError' }],
    deselected: 3,
    unreadable: 0,
  });
});

test.each([
  ['passed', 'failed', 'failed'],
  ['failed', 'passed', 'failed'],
  ['passed', 'skipped', 'skipped'],
  ['skipped', 'expected_failure', 'expected_failure'],
  ['unexpected_pass', 'passed', 'unexpected_pass'],
])('of a test that was reported as %s and as %s, %s counts', (first, second, counts) => {
  const { tests } = readTestEvents([lines(event('a', first)), lines(event('a', second))]);
  expect(tests).toEqual([{ id: 'a', times: 2, outcome: counts, message: null, file: null }]);
});

test.each([
  ['a line that was cut off', Buffer.from('{"event":"test","id":"a","outc')],
  ['an outcome that nobody knows', lines(event('a', 'fine'))],
  ['an event that nobody knows', lines({ event: 'other' })],
  ['a test without an id', lines({ event: 'test', outcome: 'passed' })],
  ['a session without a runner', lines({ event: 'session' })],
  ['an error without an id', lines({ event: 'error', message: 'm' })],
  ['a number', lines(7)],
  ['null', lines(null)],
])('%s is counted as unreadable', (_what, bytes) => {
  expect(readTestEvents([bytes])).toEqual({ ...NOTHING, unreadable: 1 });
});

test('fields of another kind count as absent', () => {
  const odd = { event: 'test', id: 'a', outcome: 'passed', message: 7, file: [], durationMs: 'long' };
  expect(readTestEvents([lines(odd)]).tests).toEqual([
    { id: 'a', times: 1, outcome: 'passed', message: null, file: null },
  ]);
});
