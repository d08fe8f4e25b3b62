import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffTokens, newPlaces } from '../../../src/engine/evidence/token-diff.ts';
import type { Token } from '../../../src/model/examination.ts';

const tokens = (words: string): readonly Token[] =>
  Array.from(words, (key, at) => ({ key, start: at, end: at + 1, line: 1, endLine: 1 }));

const change = (removed: readonly [number, number], added: readonly [number, number]) => ({
  removed: { from: removed[0], to: removed[1] },
  added: { from: added[0], to: added[1] },
});

test.each([
  ['abc', 'abc', []],
  ['', '', []],
  ['', 'ab', [change([0, 0], [0, 2])]],
  ['ab', '', [change([0, 2], [0, 0])]],
  ['abc', 'axc', [change([1, 2], [1, 2])]],
  ['abc', 'ac', [change([1, 2], [1, 1])]],
  ['ac', 'abc', [change([1, 1], [1, 2])]],
  ['aa', 'aaa', [change([2, 2], [2, 3])]],
  ['abcde', 'axcye', [change([1, 2], [1, 2]), change([3, 4], [3, 4])]],
])('%s → %s', (before, after, expected) => {
  expect(diffTokens(tokens(before), tokens(after))).toEqual(expected);
});

test('what stands outside the changes is equal on both sides, and the changes are in order', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 30 });
  fc.assert(
    fc.property(words, words, (before, after) => {
      let [rebuilt, at] = ['', 0];
      for (const { removed, added } of diffTokens(tokens(before), tokens(after))) {
        expect(removed.from).toBeGreaterThanOrEqual(at);
        rebuilt += before.slice(at, removed.from) + after.slice(added.from, added.to);
        at = removed.to;
      }
      expect(rebuilt + before.slice(at)).toBe(after);
    }),
  );
});

test('two texts with nothing in common count as replaced whole', () => {
  const many = (key: string): readonly Token[] =>
    Array.from({ length: 3_000 }, (_, at) => ({ key: `${key}${at}`, start: at, end: at + 1, line: 1, endLine: 1 }));
  expect(diffTokens(many('a'), many('b'))).toEqual([change([0, 3_000], [0, 3_000])]);
});

test('a word that both texts have is found again in the new one', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 30 });
  fc.assert(
    fc.property(words, words, (before, after) => {
      const changes = diffTokens(tokens(before), tokens(after));
      const isKept = (at: number) => changes.every(({ removed }) => at < removed.from || at >= removed.to);
      const kept = Array.from(before).flatMap((key, at) =>
        isKept(at) ? [{ key, place: newPlaces(changes)(at) }] : [],
      );
      expect(kept.map(({ place }) => after[place])).toEqual(kept.map(({ key }) => key));
    }),
  );
});
