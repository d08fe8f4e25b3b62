import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seal } from '../../src/io/seal.ts';
import { openVerifications, type VerificationStore } from '../../src/io/verification-store.ts';
import { VERIFICATION_LIFE_MS, type VerificationRecord } from '../../src/model/verification.ts';
import { temporaryFolder } from '../support/git-repo.ts';
import { runDriver } from '../support/run-driver.ts';

const KEY = Buffer.alloc(32, 1);
// Files are pruned by their own times, which are those of the machine.
const NOW = Date.now();
const ID = 'ab'.repeat(16);

const record = (changes: Partial<VerificationRecord> = {}): VerificationRecord => ({
  id: ID,
  createdMs: NOW,
  root: '/srv/app',
  files: [{ path: 'tide.py', sha256Before: null, sha256After: 'c'.repeat(64) }],
  treeDigest: 'd'.repeat(64),
  head: null,
  command: 'pytest',
  verdict: 'SAFE',
  ...changes,
});

let folder: ReturnType<typeof temporaryFolder>;
let store: VerificationStore;
beforeEach(() => {
  folder = temporaryFolder();
  store = openVerifications(folder.path, KEY);
});
afterEach(() => {
  folder.dispose();
});

const pathOf = (id: string): string => join(folder.path, 'verifications', id);
const plant = (id: string, content: string): void => {
  mkdirSync(join(folder.path, 'verifications'), { recursive: true });
  writeFileSync(pathOf(id), content);
};

test('a verification is found as it was kept, by another process too', () => {
  store.add(record());
  expect(store.find(ID, NOW)).toEqual({ state: 'ready', record: record() });
  expect(openVerifications(folder.path, KEY).find(ID, NOW + 1)).toEqual({ state: 'ready', record: record() });
});

test('a verification can be taken once, and is used from then on', () => {
  store.add(record());
  expect([store.take(ID), store.take(ID), openVerifications(folder.path, KEY).take(ID)]).toEqual([true, false, false]);
  expect(store.find(ID, NOW)).toEqual({ state: 'used' });
});

test.each([
  ['at the end of its life', NOW + VERIFICATION_LIFE_MS, 'ready'],
  ['after the end of its life', NOW + VERIFICATION_LIFE_MS + 1, 'unknown'],
  ['before it was made', NOW - 1, 'unknown'],
])('%s a verification is looked up', (_when, nowMs, state) => {
  store.add(record());
  expect(store.find(ID, nowMs).state).toBe(state);
});

describe('what was never kept here is unknown', () => {
  test.each(['', 'x', ID.toUpperCase(), `${ID}0`, '../../key', `../verifications/${ID}`])('the id %j', (id) => {
    store.add(record());
    expect(store.find(id, NOW)).toEqual({ state: 'unknown' });
    expect(store.take(id)).toBe(false);
    expect(store.find(ID, NOW).state).toBe('ready');
  });

  test('an id that nobody gave, even before the first', () => {
    expect([store.find(ID, NOW), store.take(ID)]).toEqual([{ state: 'unknown' }, false]);
  });

  test.each([
    ['a record without a seal', JSON.stringify(record())],
    ['a record with an empty seal', ` ${JSON.stringify(record())}`],
    ['a record sealed with another key', seal(record(), Buffer.alloc(32, 2))],
    ['a record that was changed', seal(record({ verdict: 'UNPROVEN' }), KEY).replace('UNPROVEN', 'SAFE')],
    ['the record of another id', seal(record({ id: 'cd'.repeat(16) }), KEY)],
    ['a record of another shape', seal({ ...record(), surplus: 1 }, KEY)],
    ['half of a record', seal(record(), KEY).slice(0, -10)],
    ['nothing', ''],
  ])('%s', (_what, content) => {
    plant(ID, content);
    expect(store.find(ID, NOW)).toEqual({ state: 'unknown' });
  });
});

test('records are readable by their owner alone', () => {
  store.add(record());
  const modes = [join(folder.path, 'verifications'), pathOf(ID)].map((path) =>
    (statSync(path).mode & 0o777).toString(8),
  );
  expect(modes).toEqual(['700', '600']);
});

test('the oldest of more than a thousand go', () => {
  const ids = Array.from({ length: 1_000 }, (_, at) => at.toString(16).padStart(32, '0'));
  for (const id of ids) plant(id, '');
  store.add(record({ createdMs: Date.now() }));
  store.add(record({ id: 'cd'.repeat(16), createdMs: Date.now() }));
  const left = readdirSync(join(folder.path, 'verifications'));
  expect([left.length, left.includes(ID), left.includes('cd'.repeat(16))]).toEqual([1_001, true, true]);
});

test('what is long dead goes when the next is kept', () => {
  plant('cd'.repeat(16), '');
  store.add(record({ createdMs: Date.now() + 3 * VERIFICATION_LIFE_MS }));
  expect(readdirSync(join(folder.path, 'verifications'))).toEqual([ID]);
});

test('of processes that take at once exactly one gets each verification', async () => {
  const ids = Array.from({ length: 40 }, (_, at) => at.toString(16).padStart(32, '0'));
  for (const id of ids) store.add(record({ id }));
  const driver = runDriver();
  try {
    const script = `import { openVerifications } from './io/verification-store.js';
      const store = openVerifications(${JSON.stringify(folder.path)}, Buffer.alloc(32, 1));
      const start = Math.ceil((Date.now() + 1) / 1000) * 1000;
      while (Date.now() < start);
      process.stdout.write(${JSON.stringify(ids)}.filter((id) => store.take(id)).join(' '));`;
    const taken = await Promise.all(
      [1, 2, 3].map(async () => {
        const child = driver.start(script);
        const [got] = await Promise.all([child.stdout === null ? '' : text(child.stdout), once(child, 'close')]);
        return got.split(' ').filter((id) => id !== '');
      }),
    );
    expect(taken.flat().sort()).toEqual(ids);
  } finally {
    driver.remove();
  }
});
