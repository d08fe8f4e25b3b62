import { expect, test } from 'vitest';
import { openCalls } from '../../src/tools/calls.ts';

test('settled waits for calls in flight and for those they leave behind, failed ones included', async () => {
  const calls = openCalls();
  const ended: string[] = [];
  const first = calls.run(async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    void calls.run(async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      ended.push('second');
    });
    ended.push('first');
    throw new Error('failed');
  });
  await Promise.all([calls.settled(), expect(first).rejects.toThrow('failed')]);
  expect(ended).toEqual(['first', 'second']);
});

test('abort reaches calls that begin later', () => {
  const calls = openCalls();
  expect(calls.signal.aborted).toBe(false);
  calls.abort();
  expect(calls.signal.aborted).toBe(true);
});
