import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePage } from '../../src/io/whole-characters.ts';

function pageAt(bytes: Buffer, offset: number, length: number) {
  const from = Math.max(0, offset - 4);
  return decodePage(bytes.subarray(from, from + length + 8), { from, offset, length, totalBytes: bytes.length });
}

/** Reads all pages the way a client follows them. */
function readAll(bytes: Buffer, length: number): string {
  let text = '';
  for (let offset: number | null = 0; offset !== null;) {
    const page = pageAt(bytes, offset, length);
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

test('a byte order mark is kept at the start of any page', () => {
  expect(readAll(Buffer.from('\ufeffa\ufeffb'), 4)).toBe('\ufeffa\ufeffb');
});

test('bytes that are no UTF-8 are replaced and every page ends', () => {
  expect(readAll(Buffer.alloc(50, 0x80), 3)).toBe('\ufffd'.repeat(50));
});

test('pages of any bytes follow each other without a gap and come to an end', () => {
  // Beginnings of characters of every length, and what may follow them, in any disorder.
  const bytes = fc.array(fc.constantFrom(0x41, 0x80, 0xbf, 0xc3, 0xe2, 0xf0, 0xff), { maxLength: 40 });
  fc.assert(
    fc.property(
      bytes.map((values) => Buffer.from(values)),
      fc.integer({ min: 1, max: 9 }),
      (output, length) => {
        for (let offset = 0; ;) {
          const page = pageAt(output, offset, length);
          expect(page.offset).toBe(offset);
          if (page.nextOffset === null) return;
          expect(page.nextOffset).toBeGreaterThan(offset);
          offset = page.nextOffset;
        }
      },
    ),
  );
});
