import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { digestOf, holdFile, sameContent, withFile } from '../../src/io/held-file.ts';
import { sha256 } from '../../src/io/target-file.ts';
import { BEFORE, systemError, writeGround, type WriteGround } from '../support/write-ground.ts';

let ground: WriteGround;

beforeEach(() => {
  ground = writeGround();
});

afterEach(() => {
  ground.dispose();
});

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

it('reads the content and the facts of the file it holds', () => {
  expect(
    withFile(ground.folder, 'app.txt', (held) => [
      held?.digest(),
      [...(held?.blocks() ?? [])].join(''),
      held?.facts.size,
    ]),
  ).toEqual([sha256([Buffer.from(BEFORE)]), BEFORE, 7n]);
});

it.each([
  ['nothing', () => undefined],
  [
    'a link',
    () => {
      symlinkSync('app.txt', ground.path('other'));
    },
  ],
  [
    'a dangling link',
    () => {
      symlinkSync('nowhere', ground.path('other'));
    },
  ],
  [
    'a folder',
    () => {
      mkdirSync(ground.path('other'));
    },
  ],
  ['a pipe', () => execFileSync('mkfifo', [ground.path('other')])],
])('holds nothing where there is %s', (_, make) => {
  make();
  const before = openDescriptors();
  expect([holdFile(ground.folder, 'other'), digestOf(ground.folder, 'other'), openDescriptors()]).toEqual([
    null,
    null,
    before,
  ]);
});

it('notices a write by any name, and none where only the name changed', () => {
  const held = holdFile(ground.folder, 'app.txt');
  renameSync(ground.path('app.txt'), ground.path('moved'));
  const before = held?.changed();
  appendFileSync(ground.path('moved'), 'more');
  expect([before, held?.changed()]).toEqual([false, true]);
  held?.close();
});

it('takes a file of the same size and time for another one when its inode differs', () => {
  writeFileSync(ground.path('twin'), BEFORE);
  for (const name of ['app.txt', 'twin']) utimesSync(ground.path(name), 1, 1);
  const facts = (name: string) => withFile(ground.folder, name, (held) => held?.facts);
  const [one, other] = [facts('app.txt'), facts('twin')];
  expect(one !== undefined && other !== undefined && [sameContent(one, one), sameContent(one, other)]).toEqual([
    true,
    false,
  ]);
});

it('lets go of the file when its user throws', () => {
  const before = openDescriptors();
  expect(() =>
    withFile(ground.folder, 'app.txt', () => {
      throw systemError('EIO');
    }),
  ).toThrow('EIO');
  expect(openDescriptors()).toBe(before);
});
