import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeProbes } from '../../../../src/engine/evidence/place-probes.ts';
import { readProbedText } from '../../../../src/engine/languages/javascript/probed-text.ts';
import { analyse } from '../../../../src/examiners/javascript/analyse.ts';

const TEXT = `'use strict';
import a from 'a';
function h() { 'use asm'; return 1 }
export function f(b = 1, { c = () => 2 } = {}) {
  if (b) return c; else if (a) f()
  switch (b) { case 1: a(); default: { a ? b : c || a } }
  for (const d of b) d && a
  return () => (a, b);
  function g() {}
}
class K { static x = f(); y = a ?? b; z() { try { f() } catch { g() } } }
`;

describe('readProbedText', () => {
  const after = analyse('a.ts', TEXT);

  it('leads every place of the text to the same character of the probed one, whichever probes were placed', () => {
    const some = (count: number) => fc.subarray([...Array(count).keys()]);
    fc.assert(
      fc.property(some(after.statements.length), some(after.arms.length), (statements, arms) => {
        const probed = placeProbes('a.ts', TEXT, after, { statements, arms }, 7).text ?? '';
        const { toOriginal, toProbed } = readProbedText(probed, after);
        const lost = TEXT.split('').filter((character, offset) => {
          return probed[toProbed(offset)] !== character || toOriginal(toProbed(offset)) !== offset;
        });
        expect(lost).toEqual([]);
      }),
    );
  });

  it('knows the inside of a probe for no place of the text', () => {
    const probed = placeProbes('a.ts', TEXT, after, { statements: [1], arms: [] }, 1).text ?? '';
    expect(readProbedText(probed, after).toOriginal(probed.indexOf('hit'))).toBeNull();
  });
});
