/** Holds the table of the contract to the tests: each row names one that is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryFolder } from '../../scripts/fixture-project.ts';

const repository = repositoryFolder();
const page = readFileSync(join(repository, 'docs', 'edit-receipts.md'), 'utf8');
const rows = [...page.matchAll(/^\| (\d+) +\| (.+?) +\| `(.+?)` +\| (.+?) +\|$/gm)].map(
  ([, number = '', idea = '', file = '', name = '']) => ({ number, idea, file, name }),
);

test('the rows are numbered without a gap', () => {
  expect(rows.map(({ number }) => Number(number))).toEqual(Array.from({ length: rows.length }, (_, row) => row + 1));
  expect(rows.length).toBe([...page.matchAll(/^\| \d/gm)].length);
  expect(rows.length).toBeGreaterThan(20);
});

test.each(rows)('$number ($idea) names a test that is there', ({ file, name }) => {
  const path = join(repository, file);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  expect([`'${name}'`, `"${name}"`].some((quoted) => text.includes(quoted))).toBe(true);
});
