import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reportProgress } from '../../src/tools/progress.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

function record(token: string | number | undefined) {
  const sent: { at: number; params: Record<string, unknown> | undefined }[] = [];
  const reporter = reportProgress(token, ({ params }) => {
    sent.push({ at: performance.now(), params });
    return Promise.resolve();
  });
  return { sent, reporter };
}

test('without a token nothing is sent and no timer is left', () => {
  const { sent, reporter } = record(undefined);
  reporter.stage('Running');
  vi.advanceTimersByTime(60_000);
  expect(sent).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('stages are sent at once, later ones at most twice a second with the newest in words', () => {
  const { sent, reporter } = record('t');
  for (const stage of ['One', 'Two', 'Three']) reporter.stage(stage);
  vi.advanceTimersByTime(2000);
  expect(sent.map(({ params }) => params)).toEqual([
    { progressToken: 't', progress: 0.001, message: 'One (0.0 s)' },
    { progressToken: 't', progress: 0.5, message: 'Three (0.5 s)' },
  ]);
});

test('a silent stage is repeated well within ten seconds, always increasing, and never after the end', () => {
  const { sent, reporter } = record(0);
  reporter.stage('Running the tests');
  vi.advanceTimersByTime(31_000);
  const times = [0, ...sent.map(({ at }) => at), 31_000];
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(Math.max(...gaps)).toBeLessThan(10_000);
  const values = sent.map(({ params }) => Number(params?.['progress']));
  expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
  reporter.end();
  reporter.stage('Late');
  vi.advanceTimersByTime(60_000);
  expect(sent).toHaveLength(values.length);
  expect(vi.getTimerCount()).toBe(0);
});

test('a client that is gone does not break the call', async () => {
  const reporter = reportProgress(1, () => Promise.reject(new Error('closed')));
  reporter.stage('Running');
  await Promise.resolve();
  reporter.end();
});
