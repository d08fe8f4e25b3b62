import { describe, expect, it } from 'vitest';
import { parsePatch } from '../../../src/engine/patch/parse.ts';
import { type Elsewhere, Search } from '../../../src/engine/patch/search.ts';

function find(lines: readonly string[], file: string): Elsewhere {
  const parsed = parsePatch(`@@ -1,${lines.length} +1 @@\n${lines.map((line) => `-${line}\n`).join('')}+new\n`);
  const hunk = parsed.ok ? parsed.value.hunks[0] : undefined;
  if (hunk === undefined) throw new Error('one hunk');
  return new Search(Buffer.from(file)).find(hunk);
}

describe('Search', () => {
  it.each([
    ['nowhere', ['open', 'late'], 'open\nclosed\n', []],
    ['at the start', ['open', 'closed'], 'open\nclosed\n', [0]],
    ['twice', ['open'], 'open\nclosed\nopen\n', [0, 12]],
    ['as part of longer lines, which does not count', ['open'], 'reopen\nopening\nopen\n', [15]],
    ['behind a byte order mark', ['open', 'closed'], '\ufeffopen\nclosed\n', [0]],
    ['with the endings of the file', ['open', 'closed'], 'late\r\nopen\r\nclosed\r\n', [6]],
    ['at an end without newline', ['open', 'closed'], 'late\nopen\nclosed', [5]],
    ['with a blank line first', ['', 'open'], 'late\n\nopen\n', [5]],
  ])('finds a block %s', (_where, lines, file, places) => {
    expect(find(lines, file)).toEqual({ places, isComplete: true });
  });

  it('says when it did not look everywhere', () => {
    const { places, isComplete } = find(['open'], 'open\n'.repeat(5000));
    expect([places.length > 1, isComplete]).toEqual([true, false]);
  });

  it('does not search for blank lines only', () => {
    expect(find(['', ''], 'open\n\n\n')).toEqual({ places: [], isComplete: false });
  });
});
