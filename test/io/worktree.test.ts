import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { followLinks, outsideRoot, realFolder } from '../../src/io/worktree.ts';
import { failure } from '../../src/model/failure.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'surepatch-worktree-')));
  mkdirSync(join(root, 'src/deep'), { recursive: true });
  writeFileSync(join(root, 'src/tide.js'), 'low');
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const outside = { ok: false, failure: outsideRoot() };

describe('followLinks', () => {
  test('a path without links is its own real place', () => {
    expect(followLinks(root, ['src', 'tide.js'])).toEqual({
      ok: true,
      value: { components: ['src', 'tide.js'], links: [] },
    });
  });

  test('links that stay inside are followed and named, relative and absolute ones and those of folders', () => {
    symlinkSync('src', join(root, 'source'));
    symlinkSync(join(root, 'src', 'tide.js'), join(root, 'absolute.js'));
    symlinkSync('../tide.js', join(root, 'src/deep/up.js'));
    const real = { components: ['src', 'tide.js'] };
    expect(followLinks(root, ['source', 'tide.js'])).toEqual({ ok: true, value: { ...real, links: ['source'] } });
    expect(followLinks(root, ['absolute.js'])).toEqual({ ok: true, value: { ...real, links: ['absolute.js'] } });
    expect(followLinks(root, ['source', 'deep', 'up.js'])).toEqual({
      ok: true,
      value: { ...real, links: ['source', 'src/deep/up.js'] },
    });
  });

  test.each([
    ['an absolute link to a file that exists', '/etc/hostname'],
    ['an absolute link to nothing', '/nowhere/at/all'],
    ['a relative link that climbs out', '../../../../../../etc/hostname'],
    ['a link that climbs out and comes back by name', '../outside-and-back'],
    ['a link to the folder above', '..'],
  ])('%s is refused in the same words', (_, target) => {
    symlinkSync(target, join(root, 'leaves'));
    expect(followLinks(root, ['leaves'])).toEqual(outside);
    expect(followLinks(root, ['leaves', 'more'])).toEqual(outside);
  });

  test('a link to the root itself is followed like any other', () => {
    symlinkSync(root, join(root, 'again'));
    expect(followLinks(root, ['again', 'src', 'tide.js'])).toEqual({
      ok: true,
      value: { components: ['src', 'tide.js'], links: ['again'] },
    });
  });

  test('links that loop, dangle, or use a file as a folder are refused by name', () => {
    symlinkSync('two', join(root, 'one'));
    symlinkSync('one', join(root, 'two'));
    symlinkSync('gone.js', join(root, 'dangles'));
    expect([
      followLinks(root, ['one']),
      followLinks(root, ['dangles']),
      followLinks(root, ['src', 'tide.js', 'x']),
    ]).toEqual([
      { ok: false, failure: failure('NOT_A_FILE', 'The links of one loop.') },
      {
        ok: false,
        failure: failure('FILE_NOT_FOUND', 'There is no file gone.js in the root (the link dangles leads there).'),
      },
      { ok: false, failure: failure('NOT_A_FILE', 'src/tide.js is not a folder.') },
    ]);
  });
});

test('realFolder resolves links to a folder and knows no other place', () => {
  symlinkSync('src', join(root, 'source'));
  expect(realFolder(join(root, 'source'))?.path).toBe(join(root, 'src'));
  expect(realFolder(join(root, 'src/tide.js'))).toBeNull();
  expect(realFolder(join(root, 'gone'))).toBeNull();
});
