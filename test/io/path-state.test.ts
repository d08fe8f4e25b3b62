import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pathState } from '../../src/io/path-state.ts';
import { temporaryFolder } from '../support/git-repo.ts';

let folder: ReturnType<typeof temporaryFolder>;
let root: string;
beforeEach(() => {
  folder = temporaryFolder();
  root = join(folder.path, 'root');
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'src/tide.txt'), 'low\n');
  writeFileSync(join(folder.path, 'outside.txt'), 'secret\n');
});
afterEach(() => {
  folder.dispose();
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('the state of a path', () => {
  test.each([
    ['.', 'dir'],
    ['src', 'dir'],
    ['new.txt', 'absent'],
    ['no/such/folder', 'absent'],
    ['src/tide.txt/below', 'absent'],
    ['a'.repeat(256), 'absent'],
    [`${'a/'.repeat(2047)}b`, 'absent'],
  ])('%.40s is %s, without a digest', async (path, kind) => {
    expect(await pathState(root, path)).toEqual({ kind });
  });

  test('of a file has the digest of its bytes', async () => {
    expect(await pathState(root, 'src/tide.txt')).toEqual({ kind: 'file', sha256: sha256('low\n') });
  });

  test('of a link has the digest of what it says, wherever it leads', async () => {
    symlinkSync(join(folder.path, 'outside.txt'), join(root, 'link'));
    symlinkSync('nowhere', join(root, 'dangling'));
    expect([await pathState(root, 'link'), await pathState(root, 'dangling')]).toEqual([
      { kind: 'symlink', sha256: sha256(join(folder.path, 'outside.txt')) },
      { kind: 'symlink', sha256: sha256('nowhere') },
    ]);
  });

  test('behind a folder that is a link is told inside the root, and not outside', async () => {
    symlinkSync('src', join(root, 'inside'));
    symlinkSync(folder.path, join(root, 'out'));
    symlinkSync('loop', join(root, 'loop'));
    expect([
      await pathState(root, 'inside/tide.txt'),
      await pathState(root, 'out/outside.txt'),
      await pathState(root, 'loop/x'),
    ]).toEqual([{ kind: 'file', sha256: sha256('low\n') }, { kind: 'unreadable' }, { kind: 'unreadable' }]);
  });

  test('of what is no file is unreadable, and a pipe is not waited for', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(await pathState(root, 'pipe')).toEqual({ kind: 'unreadable' });
  });

  test('of a file over 256 MiB has no digest', async () => {
    writeFileSync(join(root, 'large'), '');
    truncateSync(join(root, 'large'), 256 * 1024 * 1024 + 1);
    expect(await pathState(root, 'large')).toEqual({ kind: 'file' });
  });

  test.skipIf(process.geteuid?.() === 0)('of a file that may not be read is unreadable', async () => {
    chmodSync(join(root, 'src/tide.txt'), 0);
    expect(await pathState(root, 'src/tide.txt')).toEqual({ kind: 'unreadable' });
  });
});
