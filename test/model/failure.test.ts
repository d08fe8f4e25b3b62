import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { failure, FAILURES } from '../../src/model/failure.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');

function textsBelow(folder: string, ending: string): readonly string[] {
  return readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending) && path !== join('model', 'failure.test.ts'))
    .map((path) => readFileSync(join(REPOSITORY, folder, path), 'utf8'));
}

test('every code is named by a test or by a case that raises it', () => {
  const texts = [...textsBelow('test', '.ts'), ...textsBelow('fixtures', 'failure.json')].join('\n');
  const unnamed = Object.keys(FAILURES).filter((code) => !new RegExp(`\\b${code}\\b`, 'u').test(texts));
  expect(unnamed).toEqual([]);
});

test('a failure takes the hint of its code unless the place that fails knows a better one', () => {
  expect(failure('NO_SPACE', 'The disk is full.')).toEqual({
    code: 'NO_SPACE',
    message: 'The disk is full.',
    hint: FAILURES.NO_SPACE.hint,
    details: {},
  });
  expect(failure('NO_SPACE', 'The disk is full.', { hint: 'Empty the bin.' }).hint).toBe('Empty the bin.');
});
