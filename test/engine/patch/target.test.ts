import { describe, expect, it } from 'vitest';
import { parsePatch } from '../../../src/engine/patch/parse.ts';
import { matchTarget } from '../../../src/engine/patch/target.ts';

function matches(oldName: string, newName: string, path: string): boolean {
  const parsed = parsePatch(`--- ${oldName}\n+++ ${newName}\n@@ -1 +1 @@\n-open\n+shut\n`);
  if (!parsed.ok) throw new Error(parsed.failure.message);
  return matchTarget(parsed.value, path).ok;
}

describe('matchTarget', () => {
  it.each([
    ['a/library/fees.py', 'b/library/fees.py', 'library/fees.py'],
    ['library/fees.py', 'library/fees.py', 'library/fees.py'],
    ['i/library/fees.py', 'w/library/fees.py', 'library/fees.py'],
    ['./library/fees.py', './library/fees.py', 'library/fees.py'],
    ['/srv/app/library/fees.py', '/srv/app/library/fees.py', 'library/fees.py'],
    ['a/services/library/fees.py', 'b/services/library/fees.py', 'library/fees.py'],
    ['a/fees.py', 'b/fees.py', 'library/fees.py'],
    ['library/fees.py.orig', 'library/fees.py', 'library/fees.py'],
    ['library/fees.py', 'library/fees.py.new', 'library/fees.py'],
    ['/dev/null', 'b/library/fees.py', 'library/fees.py'],
    ['a/a/fees.py', 'b/a/fees.py', 'a/fees.py'],
    ['a/cafe\u0301.txt', 'b/cafe\u0301.txt', 'caf\u00e9.txt'],
  ])('%s and %s mean %s', (oldName, newName, path) => {
    expect(matches(oldName, newName, path)).toBe(true);
  });

  it.each([
    ['a/library/loans.py', 'b/library/loans.py', 'library/fees.py'],
    ['a/archive/fees.py', 'b/archive/fees.py', 'library/fees.py'],
    ['a/library/late_fees.py', 'b/library/late_fees.py', 'library/fees.py'],
    ['a/xlibrary/fees.py', 'b/xlibrary/fees.py', 'library/fees.py'],
    ['a/library/fees.py/x', 'b/library/fees.py/x', 'library/fees.py'],
    ['/dev/null', 'b/loans.py', 'library/fees.py'],
    ['a/Fees.py', 'b/Fees.py', 'fees.py'],
  ])('%s and %s do not mean %s', (oldName, newName, path) => {
    expect(matches(oldName, newName, path)).toBe(false);
  });
});
