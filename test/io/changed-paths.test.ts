import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { changedPaths } from '../../src/io/changed-paths.ts';

test('files written later are listed, except the target, its backups, caches and git’s own', async () => {
  const root = mkdtempSync(join(tmpdir(), 'surepatch-changed-'));
  try {
    for (const folder of ['src', '.git', 'node_modules/x']) mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, 'src/old.js'), '');
    writeFileSync(join(root, 'src/stamp.js'), '');
    const since = lstatSync(join(root, 'src/stamp.js'), { bigint: true }).ctimeNs;
    await delay(20);
    for (const file of [
      'src/b.js',
      'src/a.js',
      'src/own.js',
      'src/own.js.reforge-bak.2',
      '.git/index',
      'node_modules/x/y',
    ]) {
      writeFileSync(join(root, file), '');
    }
    expect(changedPaths(root, since, 'src/own.js', 10)).toEqual({
      paths: ['src/a.js', 'src/b.js'],
      total: 2,
      complete: true,
    });
    expect(changedPaths(root, since, 'src/none.js', 1)).toEqual({ paths: ['src/a.js'], total: 3, complete: true });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
