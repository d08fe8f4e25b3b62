import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDirectory } from '../../src/io/directory-handle.ts';
import { temporaryFolder } from '../support/git-repo.ts';

let temporary: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  temporary = temporaryFolder();
  mkdirSync(at('a', 'b'), { recursive: true });
  writeFileSync(at('a', 'b', 'file'), 'inside');
});

afterEach(() => {
  temporary.dispose();
});

const at = (...names: string[]): string => join(temporary.path, ...names);

it('reaches entries through the open folder, and knows which folder that is', () => {
  const folder = openDirectory(temporary.path, ['a', 'b']);
  const { dev, ino } = statSync(at('a', 'b'), { bigint: true });
  expect([folder.path, folder.identity.dev, folder.identity.ino]).toEqual([at('a', 'b'), dev, ino]);
  expect(readFileSync(folder.at('file'), 'utf8')).toBe('inside');
  folder.sync();
  folder.close();
});

it('stays in the folder it opened when a parent is swapped for a link', () => {
  const folder = openDirectory(temporary.path, ['a', 'b']);
  mkdirSync(at('elsewhere', 'b'), { recursive: true });
  renameSync(at('a'), at('moved'));
  symlinkSync('elsewhere', at('a'));
  writeFileSync(folder.at('new'), 'x');
  expect([readdirSync(at('elsewhere', 'b')), readdirSync(at('moved', 'b')).sort()]).toEqual([[], ['file', 'new']]);
  folder.close();
});

it.each([
  ['a link', ['link', 'b'], 'ENOTDIR'],
  ['a file', ['a', 'b', 'file'], 'ENOTDIR'],
  ['nothing', ['a', 'missing'], 'ENOENT'],
])('follows no component that is %s, and leaves no descriptor open', (_, components, code) => {
  symlinkSync('a', at('link'));
  const before = readdirSync('/proc/self/fd').length;
  expect(() => openDirectory(temporary.path, components)).toThrow(code);
  expect(readdirSync('/proc/self/fd').length).toBe(before);
});
