import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePage } from '../../src/io/decode-page.ts';

/** Reads all pages the way a client follows them. */
function readAll(bytes: Buffer, length: number): string {
  let text = '';
  for (let offset: number | null = 0; offset !== null;) {
    const from = Math.max(0, offset - 4);
    const page = decodePage(bytes.subarray(from, from + length + 8), {
      from,
      offset,
      length,
      totalBytes: bytes.length,
    });
    text += page.text;
    expect(page.nextOffset === null || page.nextOffset > offset).toBe(true);
    offset = page.nextOffset;
  }
  return text;
}

test('the pages of any text, joined, are the text, however short the pages', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, length) => {
      const bytes = Buffer.from(text.toWellFormed());
      expect(readAll(bytes, length)).toBe(bytes.toString('utf8'));
    }),
  );
});

test('a page asked for within a character starts at the character', () => {
  const bytes = Buffer.from('a€b');
  expect(decodePage(bytes, { from: 0, offset: 2, length: 10, totalBytes: 5 })).toEqual({
    text: '€b',
    offset: 1,
    nextOffset: null,
    totalBytes: 5,
  });
});

test('bytes that are no UTF-8 are replaced and every page ends', () => {
  expect(readAll(Buffer.alloc(50, 0x80), 3)).toBe('\ufffd'.repeat(50));
});
