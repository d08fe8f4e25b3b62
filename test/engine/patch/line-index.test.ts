import { describe, expect, it } from 'vitest';
import { LineIndex } from '../../../src/engine/patch/line-index.ts';

describe('LineIndex', () => {
  it.each([
    ['', 0],
    ['open', 1],
    ['open\n', 1],
    ['open\nclosed', 2],
    ['\n\n', 2],
    ['a\rb\u2028c\n', 1],
  ])('%j has %i lines', (text, count) => {
    expect(new LineIndex(Buffer.from(text)).count).toBe(count);
  });

  it('finds every line of a long file from either side, in any order', () => {
    const bytes = Buffer.from(Array.from({ length: 20_000 }, (_, index) => `shelf ${index + 1}\n`).join(''));
    const lines = new LineIndex(bytes);
    for (const line of [15_000, 1, 4096, 4097, 20_000, 9_999, 2]) {
      const offset = lines.offsetOf(line);
      expect(bytes.toString('utf8', offset, bytes.indexOf(10, offset))).toBe(`shelf ${line}`);
      expect(lines.lineOf(offset ?? 0)).toBe(line);
      expect(lines.lineOf((offset ?? 0) + 5)).toBe(line);
    }
    expect([lines.offsetOf(0), lines.offsetOf(20_001), lines.offsetOf(20_000 + 5)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('trusts a place it was passed', () => {
    const bytes = Buffer.from('open\n'.repeat(10_000));
    const lines = new LineIndex(bytes);
    lines.pass(9_000, 8_999 * 5);
    expect([lines.offsetOf(9_001), lines.offsetOf(10), lines.lineOf(8_999 * 5)]).toEqual([45_000, 45, 9_000]);
  });
});
