import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dependencyPrint } from '../../src/io/dependency-print.ts';
import { temporaryFolder } from '../support/git-repo.ts';

let folder: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  folder.dispose();
});

test('nothing is installed in an empty project', () => {
  expect(dependencyPrint(folder.path)).toEqual([]);
});

test.each(['node_modules', '.venv/lib/python3.11/site-packages'])(
  'a package put into %s changes the print',
  (place) => {
    mkdirSync(join(folder.path, place), { recursive: true });
    const before = dependencyPrint(folder.path);
    expect(dependencyPrint(folder.path)).toEqual(before);
    mkdirSync(join(folder.path, place, 'tides'));
    expect(dependencyPrint(folder.path)).not.toEqual(before);
  },
);

test.each(['.env', 'node_modules/.package-lock.json'])('a new %s changes the print', (name) => {
  mkdirSync(join(folder.path, 'node_modules'));
  const before = dependencyPrint(folder.path);
  writeFileSync(join(folder.path, name), 'x');
  expect(dependencyPrint(folder.path)).not.toEqual(before);
});

test('a file where a folder is usual holds nothing, and what is beside it still counts', () => {
  const library = join(folder.path, '.venv/lib');
  mkdirSync(join(library, 'python3.11'), { recursive: true });
  for (const file of ['.venv/lib/python3.so', '.venv/lib/python3.11/dist-packages', 'node_modules']) {
    writeFileSync(join(folder.path, file), '');
  }
  const before = dependencyPrint(folder.path);
  mkdirSync(join(library, 'python3.11/site-packages'));
  const after = dependencyPrint(folder.path).filter((line) => !before.includes(line));
  expect(after).toEqual([expect.stringMatching(/^\.venv\/lib\/python3\.11\/site-packages /u)]);
});

test('a package put into an environment elsewhere, whose program runs, changes the print', () => {
  const program = join(folder.path, 'elsewhere/bin/pytest');
  const packages = join(folder.path, 'elsewhere/lib/python3.11/site-packages');
  for (const place of ['project', 'elsewhere/bin', 'elsewhere/lib/python3.11/site-packages']) {
    mkdirSync(join(folder.path, place), { recursive: true });
  }
  writeFileSync(program, '');
  const root = join(folder.path, 'project');
  const before = dependencyPrint(root, [program]);
  expect(dependencyPrint(root, [program])).toEqual(before);
  mkdirSync(join(packages, 'tides'));
  expect(dependencyPrint(root, [program])).not.toEqual(before);
  expect(dependencyPrint(root)).toEqual([]);
});
