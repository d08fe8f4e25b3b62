import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { carryAttributes } from '../../src/io/attributes.ts';
import { temporaryFolder } from '../support/git-repo.ts';

let temporary: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  temporary = temporaryFolder();
  writeFileSync(at('from'), 'from');
  writeFileSync(at('to'), 'to');
});

afterEach(() => {
  temporary.dispose();
});

const at = (name: string): string => join(temporary.path, name);

/** Python is the only common program that sets extended attributes without being installed for it. */
function canSetAttribute(): boolean {
  const script = `import os; os.setxattr(${JSON.stringify(at('from'))}, 'user.surepatch', b'kept')`;
  return spawnSync('python3', ['-c', script]).status === 0;
}

function carry(to: number): string | null {
  const from = openSync(at('from'), 'r');
  try {
    return carryAttributes(from, to);
  } finally {
    closeSync(from);
  }
}

it('leaves the bytes of both files as they are', () => {
  const to = openSync(at('to'), 'r+');
  expect([carry(to), readFileSync(at('from'), 'utf8'), readFileSync(at('to'), 'utf8')]).toEqual([null, 'from', 'to']);
  closeSync(to);
});

it('carries an extended attribute over', ({ skip }) => {
  if (!canSetAttribute()) skip('no python3, or a file system without extended attributes');
  const to = openSync(at('to'), 'r+');
  expect(carry(to)).toBeNull();
  closeSync(to);
  const script = `import os; print(os.getxattr(${JSON.stringify(at('to'))}, 'user.surepatch').decode())`;
  expect(execFileSync('python3', ['-c', script], { encoding: 'utf8' })).toBe('kept\n');
});

it('says why where they cannot be carried over', () => {
  const to = openSync('/dev/full', 'r+');
  const from = openSync('/proc/self/status', 'r');
  closeSync(from);
  expect(carryAttributes(from, to)).toMatch(
    /^Access control lists and extended attributes were not carried over \(.+\)\.$/u,
  );
  closeSync(to);
});
