import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openOutputs } from '../../src/io/outputs.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'surepatch-outputs-'));
});
afterEach(() => {
  rmSync(state, { recursive: true, force: true });
});

test('an output is read by pages that name the next one', () => {
  const outputs = openOutputs(state);
  writeFileSync(outputs.add('a1'), 'high water');
  expect(outputs.readPage('a1', 0, 4)).toEqual({ text: 'high', offset: 0, nextOffset: 4, totalBytes: 10 });
  expect(outputs.readPage('a1', 4, 100)).toEqual({ text: ' water', offset: 4, nextOffset: null, totalBytes: 10 });
  expect(outputs.readPage('a1', 999, 100)).toEqual({ text: '', offset: 10, nextOffset: null, totalBytes: 10 });
});

test('an id that nobody gave out, or that is a path, reads nothing', () => {
  const outputs = openOutputs(state);
  writeFileSync(outputs.add('a1'), 'x');
  expect(['a2', '../key', 'A1', '', 'a'.repeat(65)].map((id) => outputs.readPage(id, 0, 10))).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});

test('beyond fifty outputs the oldest go, and those a week older than the newest', () => {
  const outputs = openOutputs(state);
  const now = Date.now() / 1000;
  for (let n = 0; n < 60; n += 1) {
    const path = outputs.add(`n${n}`);
    writeFileSync(path, 'x');
    utimesSync(path, now + n, now + n);
  }
  const stale = outputs.add('stale');
  writeFileSync(stale, 'x');
  utimesSync(stale, now - 8 * 24 * 3600, now - 8 * 24 * 3600);
  outputs.add('next');
  const kept = readdirSync(join(state, 'outputs'));
  expect([kept.length, kept.includes('n59.log'), kept.includes('n0.log'), kept.includes('stale.log')]).toEqual([
    49,
    true,
    false,
    false,
  ]);
  expect(statSync(join(state, 'outputs')).mode & 0o777).toBe(0o700);
});
