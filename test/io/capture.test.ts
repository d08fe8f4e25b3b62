import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCaptures, type TreeState } from '../../src/io/capture.ts';
import { GIT_PROGRAM, gitRepo, temporaryFolder, type GitRepo } from '../support/git-repo.ts';

const LONG_AGO = new Date('2020-01-01T00:00:00Z');

let folder: ReturnType<typeof temporaryFolder>;
let repo: GitRepo;
let capture: (...declared: readonly string[]) => Promise<TreeState>;
beforeEach(() => {
  folder = temporaryFolder();
  repo = gitRepo(join(folder.path, 'repo'));
  repo.file('.gitignore', 'dist\n');
  repo.file('src/tide.py', 'low\n');
  repo.commit();
  const captures = createCaptures();
  capture = (...declared) =>
    captures(repo.path, declared, { gitProgram: GIT_PROGRAM, env: {}, base: join(folder.path, 'scratch') });
});
afterEach(() => {
  folder.dispose();
});

describe('the state of a tree', () => {
  test('is the same for the same bytes, whatever the times and HEAD say', async () => {
    const before = await capture();
    utimesSync(join(repo.path, 'src/tide.py'), LONG_AGO, LONG_AGO);
    repo.git('commit', '-q', '--allow-empty', '-m', 'empty');
    const after = await capture();
    expect([after.stateId, after.entries, after.head === before.head, after.isComplete]).toEqual([
      before.stateId,
      before.entries,
      false,
      true,
    ]);
  });

  const changes: readonly (readonly [string, () => void, string])[] = [
    ['an edit', () => repo.file('src/tide.py', 'high\n'), 'src/tide.py'],
    ['a new file', () => repo.file('new.txt', 'x'), 'new.txt'],
    [
      'a removed file',
      () => {
        rmSync(join(repo.path, 'src/tide.py'));
      },
      'src/tide.py',
    ],
    [
      'a mode',
      () => {
        chmodSync(join(repo.path, 'src/tide.py'), 0o755);
      },
      'src/tide.py',
    ],
    [
      'a link in the place of a file',
      () => {
        rmSync(join(repo.path, 'src/tide.py'));
        symlinkSync('../.gitignore', join(repo.path, 'src/tide.py'));
      },
      'src/tide.py',
    ],
    [
      'an edit that keeps size and time',
      () => {
        repo.file('src/tide.py', 'LOW\n');
        utimesSync(join(repo.path, 'src/tide.py'), LONG_AGO, LONG_AGO);
      },
      'src/tide.py',
    ],
  ];
  test.each(changes)('%s gives it another id, and is the only entry that differs', async (_name, change, path) => {
    utimesSync(join(repo.path, 'src/tide.py'), LONG_AGO, LONG_AGO);
    const before = await capture();
    change();
    const after = await capture();
    const names = [...new Set([...before.entries.keys(), ...after.entries.keys()])];
    expect({
      moved: names.filter((name) => before.entries.get(name) !== after.entries.get(name)),
      isOther: after.stateId !== before.stateId,
    }).toEqual({ moved: [path], isOther: true });
  });

  test('leaves an ignored file out, unless it is declared, by itself or with its folder', async () => {
    repo.file('dist/app.js', '1');
    const undeclared = await capture();
    const declared = await capture('dist/app.js', 'src/tide.py', '.');
    repo.file('dist/app.js', '2');
    const edited = await capture('dist/app.js');
    const byFolder = await capture('dist');
    expect({
      undeclared: [...undeclared.declared.keys()],
      declared: [...declared.declared.keys()],
      byFolder: [...byFolder.declared.keys()].sort(),
      isOther: edited.declared.get('dist/app.js') !== declared.declared.get('dist/app.js'),
      isSameState: edited.stateId === undeclared.stateId,
    }).toEqual({
      undeclared: [],
      declared: ['dist/app.js'],
      byFolder: ['dist', 'dist/app.js'],
      isOther: true,
      isSameState: true,
    });
  });

  test('says of a declared path that is not there that it is absent', async () => {
    expect((await capture('dist/none.js')).declared).toEqual(new Map([['dist/none.js', 'absent ']]));
  });

  test('reads a file again although nothing but its content moved within one tick of the clock', async () => {
    // A clock that stands still long after the files' own times would trust the memory; one near them must not.
    const path = join(repo.path, 'src/tide.py');
    const before = await capture();
    writeFileSync(path, 'LOW\n');
    expect((await capture()).stateId).not.toBe(before.stateId);
  });

  test('is taken of a plain folder without git', async () => {
    const plain = join(folder.path, 'plain');
    mkdirSync(plain);
    writeFileSync(join(plain, 'a.txt'), 'x');
    const state = await createCaptures()(plain, [], { gitProgram: null, env: {}, base: join(folder.path, 'scratch') });
    expect([state.head, [...state.entries.keys()]]).toEqual([null, ['a.txt']]);
  });
});
