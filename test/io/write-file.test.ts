import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { syncFolder, writeNewFile } from '../../src/io/write-file.ts';
import { temporaryFolder } from '../support/git-repo.ts';

let folder: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  folder = temporaryFolder();
});

afterEach(() => {
  folder.dispose();
});

const at = (name: string): string => join(folder.path, name);
const modeOf = (name: string): number => statSync(at(name)).mode & 0o7777;

it('writes every byte of many small pieces and of large ones', () => {
  const large = Buffer.alloc(1_500_000, 'x');
  const small = Array.from({ length: 3000 }, (_, n) => Buffer.from(`${n}\n`));
  writeNewFile(at('new'), [...small, large, ...small], null);
  expect(readFileSync(at('new')).equals(Buffer.concat([...small, large, ...small]))).toBe(true);
});

it('is private without an owner, and else has the mode and owner it is given, set-id bits too', () => {
  const { uid, gid } = statSync(folder.path, { bigint: true });
  writeNewFile(at('private'), [], null);
  writeNewFile(at('owned'), [Buffer.from('x')], { mode: 0o104751n, uid, gid });
  expect([modeOf('private'), modeOf('owned')]).toEqual([0o600, 0o4751]);
});

it('hands the open file out before it is made durable, and has the last word on the mode', () => {
  const { uid, gid } = statSync(folder.path, { bigint: true });
  writeNewFile(at('new'), [Buffer.from('x')], { mode: 0o640n, uid, gid }, () => {
    chmodSync(at('new'), 0o777);
  });
  expect(modeOf('new')).toBe(0o640);
});

it.each([
  [
    'a file',
    () => {
      writeFileSync(at('new'), 'kept');
    },
  ],
  [
    'a link',
    () => {
      writeFileSync(at('behind'), 'kept');
      symlinkSync('behind', at('new'));
    },
  ],
])('throws EEXIST and changes nothing where there is %s', (_, make) => {
  make();
  expect(() => {
    writeNewFile(at('new'), [Buffer.from('x')], null);
  }).toThrow('EEXIST');
  expect(readFileSync(at('new'), 'utf8')).toBe('kept');
});

it('syncs a folder, and says so where there is none', () => {
  syncFolder(folder.path);
  expect(() => {
    syncFolder(at('missing'));
  }).toThrow('ENOENT');
});
