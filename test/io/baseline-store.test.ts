import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBaselines, type BaselineStore } from '../../src/io/baseline-store.ts';
import { seal } from '../../src/io/seal.ts';
import type { Baseline } from '../../src/model/suite.ts';
import { temporaryFolder } from '../support/git-repo.ts';

const SEAL = Buffer.alloc(32, 1);
const NOW = Date.now();
const HOUR = 3_600_000;
const KEY = 'ab'.repeat(32);

const BASELINE: Baseline = {
  ending: 'red',
  tests: {
    runner: 'pytest',
    deselected: 1,
    tests: [{ id: 't', times: 1, outcome: 'failed', message: 'assert', file: 'test_t.py' }],
    errors: [{ id: 'e', message: 'm' }],
  },
};

const FOUND = { ...BASELINE, startedMs: NOW };

let folder: ReturnType<typeof temporaryFolder>;
let store: BaselineStore;
beforeEach(() => {
  folder = temporaryFolder();
  store = openBaselines(folder.path, SEAL);
});
afterEach(() => {
  folder.dispose();
});

test('a baseline is found as it was kept, by another process too, and the latest one counts', () => {
  store.keep(KEY, { ...BASELINE, ending: 'green' }, NOW);
  store.keep(KEY, BASELINE, NOW);
  expect(openBaselines(folder.path, SEAL).find(KEY, NOW)).toEqual(FOUND);
});

test('a baseline that was forgotten is not found', () => {
  store.keep(KEY, BASELINE, NOW);
  store.forget(KEY);
  expect(store.find(KEY, NOW)).toBeNull();
});

test.each([
  ['at the end of its hour', NOW + HOUR, FOUND],
  ['after it', NOW + HOUR + 1, null],
  ['before it was made', NOW - 1, null],
])('%s it is looked up', (_when, nowMs, found) => {
  store.keep(KEY, BASELINE, NOW);
  expect(store.find(KEY, nowMs)).toEqual(found);
});

test.each(['', 'x', '../../key', KEY.toUpperCase()])('%j is no key', (key) => {
  store.keep(key, BASELINE, NOW);
  expect(store.find(key, NOW)).toBeNull();
});

const record = { key: KEY, createdMs: NOW, ending: 'green', runner: null, deselected: 0, tests: [], errors: [] };

test.each([
  ['without a seal', JSON.stringify(record)],
  ['sealed with another key', seal(record, Buffer.alloc(32, 2))],
  ['of other content', seal({ ...record, key: 'cd'.repeat(32) }, SEAL)],
  ['of another shape', seal({ ...record, ending: 'timed_out' }, SEAL)],
  ['cut short', seal(record, SEAL).slice(0, -1)],
])('a record %s counts as none', (_what, content) => {
  mkdirSync(join(folder.path, 'baselines'));
  writeFileSync(join(folder.path, 'baselines', KEY), content);
  expect(store.find(KEY, NOW)).toBeNull();
});

test('the latest twenty are kept', () => {
  const keys = Array.from({ length: 25 }, (_, at) => at.toString(16).padStart(64, '0'));
  for (const key of keys) store.keep(key, BASELINE, Date.now());
  const left = readdirSync(join(folder.path, 'baselines'));
  expect([left.length, left.includes(keys.at(-1) ?? '')]).toEqual([20, true]);
});
