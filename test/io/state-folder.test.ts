import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRootFolder, openStateFolder, type StateFolder } from '../../src/io/state-folder.ts';
import { realFolder, type RealFolder } from '../../src/io/worktree.ts';
import { temporaryFolder } from '../support/git-repo.ts';

let temporary: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  temporary = temporaryFolder();
});

afterEach(() => {
  temporary.dispose();
});

const at = (...names: string[]): string => join(temporary.path, ...names);

function open(home = at('a', 'home')): StateFolder {
  const opened = openStateFolder(home);
  if (!opened.ok) throw new Error(opened.failure.message);
  return opened.value;
}

function root(name: string): RealFolder {
  mkdirSync(at(name), { recursive: true });
  const folder = realFolder(at(name));
  if (folder === null) throw new Error('no folder');
  return folder;
}

it('makes a private folder with a key, and finds the same key again', () => {
  const first = open();
  expect([first.path, first.key.length, statSync(first.path).mode & 0o777, readdirSync(first.path)]).toEqual([
    at('a', 'home', 'surepatch'),
    32,
    0o700,
    ['key'],
  ]);
  expect([open().key.equals(first.key), statSync(join(first.path, 'key')).mode & 0o777]).toEqual([true, 0o600]);
});

it('takes the rights of others away', () => {
  const { path } = open();
  chmodSync(path, 0o755);
  open();
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

it('removes what a process that died while it made the key has left, and nothing else', () => {
  const { path } = open();
  writeFileSync(join(path, `key.${'0'.repeat(16)}.tmp`), 'part');
  writeFileSync(join(path, 'key.tmp'), 'not ours');
  open();
  expect(readdirSync(path).sort()).toEqual(['key', 'key.tmp']);
});

it.each([
  [
    'a file is in the way',
    () => {
      mkdirSync(at('home'));
      writeFileSync(at('home', 'surepatch'), '');
    },
  ],
  [
    'a link is in the way',
    () => {
      mkdirSync(at('home'));
      symlinkSync(temporary.path, at('home', 'surepatch'));
    },
  ],
  [
    'a file is in the way of its parent',
    () => {
      writeFileSync(at('home'), '');
    },
  ],
])('refuses STATE_UNAVAILABLE where %s', (_, make) => {
  make();
  const opened = openStateFolder(at('home'));
  expect(opened.ok ? 'opened' : opened.failure.code).toBe('STATE_UNAVAILABLE');
});

it('has one folder for each root, known by its inode and its path', () => {
  const state = open();
  const folder = (of: RealFolder): string => {
    const opened = openRootFolder(state, of);
    return opened.ok ? opened.value : opened.failure.code;
  };
  const one = root('one');
  // After a restart of the system the same disk may have another number.
  expect(folder({ ...one, dev: one.dev + 1n })).toBe(folder(one));
  expect(new Set([folder(one), folder(root('two')), folder({ ...one, ino: one.ino + 1n })]).size).toBe(3);
  expect([existsSync(folder(one)), statSync(folder(one)).mode & 0o777]).toEqual([true, 0o700]);
});

it('refuses STATE_UNAVAILABLE where the folder of the roots cannot be made', () => {
  const state = open();
  writeFileSync(join(state.path, 'roots'), '');
  const opened = openRootFolder(state, root('one'));
  expect([opened.ok ? 'opened' : opened.failure.code, readFileSync(join(state.path, 'roots'), 'utf8')]).toEqual([
    'STATE_UNAVAILABLE',
    '',
  ]);
});
