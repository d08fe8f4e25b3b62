import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withFile } from '../../src/io/held-file.ts';
import { giveName, isSecondName, linkOrCopy, nothingAt } from '../../src/io/second-name.ts';
import { BEFORE, writeGround, type WriteGround } from '../support/write-ground.ts';

let ground: WriteGround;

beforeEach(() => {
  ground = writeGround();
});

afterEach(() => {
  ground.dispose();
});

function link(from: string, to: string): boolean | null {
  return withFile(ground.folder, 'app.txt', (held) =>
    held === null ? null : linkOrCopy(ground.folder, { held, from, to, by: 'by' }),
  );
}

it('links where the file system can', () => {
  expect([link('app.txt', 'second'), isSecondName(ground.folder, 'app.txt', 'second'), ground.files()]).toEqual([
    true,
    true,
    { 'app.txt': BEFORE, second: BEFORE },
  ]);
});

it('copies, with the mode, where the system refuses a link', () => {
  // No file system links a folder, so this refusal is a real one.
  mkdirSync(ground.path('unlinkable'));
  expect([link('unlinkable', 'second'), ground.mode('second')]).toEqual([false, '640']);
  expect([ground.files(), statSync(ground.path('second')).nlink]).toEqual([
    { 'app.txt': BEFORE, second: BEFORE, unlinkable: 'folder' },
    1,
  ]);
});

it.each(['app.txt', 'unlinkable'])('replaces nothing when %s is given a name that is taken', (from) => {
  mkdirSync(ground.path('unlinkable'));
  writeFileSync(ground.path('second'), 'kept');
  expect(() => link(from, 'second')).toThrow('EEXIST');
  expect(ground.files()['second']).toBe('kept');
});

it('renames to a free name only', () => {
  giveName(ground.folder, 'app.txt', 'moved');
  expect(ground.files()).toEqual({ moved: BEFORE });
  writeFileSync(ground.path('taken'), 'kept');
  expect(() => {
    giveName(ground.folder, 'moved', 'taken');
  }).toThrow('EEXIST');
  expect(ground.files()).toEqual({ moved: BEFORE, taken: 'kept' });
});

it('tells an entry of any kind from none, and one entry from another', () => {
  symlinkSync('app.txt', ground.path('link'));
  symlinkSync('nowhere', ground.path('dangling'));
  expect(['app.txt', 'link', 'dangling', 'missing'].map((name) => nothingAt(ground.folder, name))).toEqual([
    false,
    false,
    false,
    true,
  ]);
  expect([
    isSecondName(ground.folder, 'app.txt', 'link'),
    isSecondName(ground.folder, 'missing', 'missing'),
    isSecondName(ground.folder, 'link', 'link'),
  ]).toEqual([false, false, true]);
});
