import { describe, expect, it } from 'vitest';
import { formatHunkHeader, readHunkHeader } from '../../../src/engine/patch/hunk-header.ts';

const read = (line: string): unknown => readHunkHeader(Buffer.from(`${line}\n`), 0);

describe('a hunk header', () => {
  it.each([
    ['@@ -1,2 +3,4 @@', { old: { start: 1, count: 2 }, new: { start: 3, count: 4 } }],
    ['@@ -1 +1 @@ def late_fee():', { old: { start: 1, count: 1 }, new: { start: 1, count: 1 } }],
    ['@@ -0,0 +1 @@', { old: { start: 0, count: 0 }, new: { start: 1, count: 1 } }],
    ['@@ -999999999999999 +1,0 @@\r', { old: { start: 999999999999999, count: 1 }, new: { start: 1, count: 0 } }],
  ])('%j is read', (line, header) => {
    expect(read(line)).toEqual(header);
  });

  it.each([
    '@@ -1,2 +3,4',
    '@@ -1,2 +3,4 @',
    '@@ -1,2  +3,4 @@',
    '@@ -1, +3,4 @@',
    '@@ -,2 +3,4 @@',
    '@@ --1,2 +3,4 @@',
    '@@ -1.5,2 +3,4 @@',
    '@@ -1e3 +1 @@',
    '@@ -0x1 +1 @@',
    '@@ -\u0661 +1 @@',
    '@@ ... @@',
    '@@ -1000000000000000 +1 @@',
    '@@ -18446744073709551617 +1 @@',
    '@@ -0 +1 @@',
    '@@ -1 +0 @@',
    '@@ -1,0 +1,0 @@',
  ])('%j is refused', (line) => {
    expect(read(line)).toBeTypeOf('string');
  });

  it('is written so that it reads the same', () => {
    const header = formatHunkHeader({ start: 57, count: 7 }, { start: 58, count: 0 });
    expect([header, read(header)]).toEqual([
      '@@ -57,7 +58,0 @@',
      { old: { start: 57, count: 7 }, new: { start: 58, count: 0 } },
    ]);
  });
});
