import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countWhere, holdersAmong, someWithin } from '../../../src/engine/evidence/span-index.ts';

interface Stretch {
  readonly start: number;
  readonly end: number;
}

const stretch = fc.tuple(fc.nat(30), fc.nat(10)).map(([start, length]): Stretch => ({ start, end: start + length }));

function isIn(inner: Stretch, outer: Stretch): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

describe('an index of spans', () => {
  test('finds one within a stretch exactly where looking at each finds one', () => {
    fc.assert(
      fc.property(fc.array(stretch), stretch, (spans, outer) => {
        expect(someWithin(spans)(outer)).toBe(spans.some((span) => isIn(span, outer)));
      }),
    );
  });

  test('finds the owners around a span that looking at each finds', () => {
    fc.assert(
      fc.property(fc.array(fc.array(stretch, { maxLength: 3 })), stretch, (stretches, inner) => {
        const around = [...stretches.keys()].filter((owner) => stretches[owner]?.some((own) => isIn(inner, own)));
        expect(holdersAmong(stretches)(inner)).toEqual(around);
      }),
    );
  });

  test('finds nothing where there are no spans', () => {
    expect([someWithin([])({ start: 0, end: 9 }), holdersAmong([])({ start: 0, end: 0 })]).toEqual([false, []]);
  });

  test('finds a stretch that only touches the edges of the other', () => {
    const whole = { start: 2, end: 5 };
    expect([someWithin([whole])(whole), holdersAmong([[], [whole]])(whole)]).toEqual([true, [1]]);
  });

  test('counts the first part of a sorted list', () => {
    expect([0, 1, 4, 9].map((least) => countWhere([1, 1, 4, 8], (item) => item < least))).toEqual([0, 0, 2, 4]);
  });
});
