import { describe, expect, it } from 'vitest';
import { firstDifference, showBytes, showDifference, showText } from '../../../src/engine/patch/show.ts';

describe('what is shown', () => {
  it.each([
    ['a\tb\r', 'a\\tb\\r'],
    ['5\u00a0euros', '5<U+00A0>euros'],
    ['\ufeffopen\u200b', '<U+FEFF>open<U+200B>'],
    ['naïve 日本 😀', 'naïve 日本 😀'],
    ['nul\0', 'nul\\0'],
  ])('%j is shown as %s', (text, shown) => {
    expect(showText(text)).toBe(shown);
    expect(showBytes(Buffer.from(text))).toBe(shown);
  });

  it('bytes that are not UTF-8 are spelled out, a replacement character is not', () => {
    expect(showBytes(Buffer.from([0x63, 0xe9, 0xff, 0xef, 0xbf, 0xbd]))).toBe('c<0xE9><0xFF>\ufffd');
  });

  it('a long line is cut to 200 characters around the difference', () => {
    const [left, right] = ['open', 'shut'].map((word) => Buffer.from('é'.repeat(5000) + word + 'y'.repeat(5000)));
    if (left === undefined || right === undefined) throw new Error('two lines');
    const { expected, actual, column } = showDifference(left, right);
    expect([expected.length, actual.length]).toEqual([201, 201]);
    expect([expected.slice(column - 1, column + 3), actual.slice(column - 1, column + 3)]).toEqual(['open', 'shut']);
  });

  it('the first difference is found in lines longer than a block', () => {
    const left = Buffer.alloc(100_000, 'x');
    const right = Buffer.from(left);
    right[77_777] = 0x79;
    expect([firstDifference(left, right), firstDifference(left, left.subarray(0, 5))]).toEqual([77_777, 5]);
  });
});
