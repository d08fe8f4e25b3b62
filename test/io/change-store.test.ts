import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openChanges, type ChangeStore } from '../../src/io/change-store.ts';
import { sha256 } from '../../src/io/target-file.ts';
import { temporaryFolder } from '../support/git-repo.ts';

const ID = 'ab'.repeat(16);
const TEXT = Buffer.from('@@ -1 +1 @@\n-low\n+high\n');
const DAY_MS = 24 * 3600 * 1000;

let folder: ReturnType<typeof temporaryFolder>;
let store: ChangeStore;
beforeEach(() => {
  folder = temporaryFolder();
  store = openChanges(folder.path);
});
afterEach(() => {
  folder.dispose();
});

test('a patch text is found by its id and digest, after a restart too', () => {
  const digest = store.add(ID, TEXT, Date.now());
  expect(digest).toBe(sha256([TEXT]));
  expect(openChanges(folder.path).find(ID, digest)).toEqual(TEXT);
});

test('a text that somebody changed, removed or never was is not found', () => {
  const digest = store.add(ID, TEXT, Date.now());
  writeFileSync(join(folder.path, 'changes', `${ID}.diff`), 'other');
  const changed = store.find(ID, digest);
  rmSync(join(folder.path, 'changes', `${ID}.diff`));
  expect([changed, store.find(ID, digest), store.find('../journal', digest)]).toEqual([null, null, null]);
});

test('texts older than 90 days go when the next one is kept', () => {
  const old = 'cd'.repeat(16);
  store.add(old, TEXT, Date.now());
  const then = new Date(Date.now() - 91 * DAY_MS);
  utimesSync(join(folder.path, 'changes', `${old}.diff`), then, then);
  store.add(ID, TEXT, Date.now());
  expect(readdirSync(join(folder.path, 'changes'))).toEqual([`${ID}.diff`]);
});
