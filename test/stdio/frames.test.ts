import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitFrames, type Frame } from '../../src/stdio/frames.ts';

function framesOf(pieces: readonly Buffer[], maxBytes: number): Frame[] {
  const frames: Frame[] = [];
  const splitter = splitFrames(maxBytes, (frame) => frames.push(frame));
  for (const piece of pieces) splitter.push(piece);
  return frames;
}

function whole(text: string): Frame {
  return { kind: 'whole', bytes: Buffer.from(text) };
}

test('frames come out whole whatever the pieces are, and an unfinished one stays inside', () => {
  expect(
    framesOf(
      ['a\nb', 'c', '\n\nd'].map((text) => Buffer.from(text)),
      100,
    ),
  ).toEqual([whole('a'), whole('bc'), whole('')]);
});

test('any bytes cut into any pieces give the same frames as cutting the text at its newlines', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.array(fc.integer({ min: 1, max: 40 })), (bytes, sizes) => {
      const all = Buffer.from(bytes.map((byte) => (byte < 40 ? 10 : byte)));
      const pieces: Buffer[] = [];
      for (let at = 0, turn = 0; at < all.length; turn += 1) {
        const size = sizes[turn % Math.max(1, sizes.length)] ?? 7;
        pieces.push(all.subarray(at, at + size));
        at += size;
      }
      const lines = all.toString('latin1').split('\n').slice(0, -1);
      expect(framesOf(pieces, 1000)).toEqual(
        lines.map((line) => ({ kind: 'whole', bytes: Buffer.from(line, 'latin1') })),
      );
    }),
  );
});

test('a frame of exactly the limit is taken, one byte more is skipped with its two ends, and the next one is whole', () => {
  const pieces = [Buffer.from(`${'x'.repeat(10)}\n`), Buffer.from(`head${'y'.repeat(5)}`), Buffer.from('tail\nok\n')];
  expect(framesOf(pieces, 10)).toEqual([
    whole('x'.repeat(10)),
    { kind: 'oversized', length: 13, head: Buffer.from('headyyyyytail'), tail: Buffer.from('headyyyyytail') },
    whole('ok'),
  ]);
});

test('of an oversized frame only the first and last KiB are kept', () => {
  const pieces = [Buffer.from('A'.repeat(3000)), Buffer.from('B'.repeat(5000)), Buffer.from('C\n')];
  expect(framesOf(pieces, 4000)).toEqual([
    {
      kind: 'oversized',
      length: 8001,
      head: Buffer.from('A'.repeat(1024)),
      tail: Buffer.from(`${'B'.repeat(1023)}C`),
    },
  ]);
});

test('a 16 MiB frame in one-KiB pieces is put together in linear time', () => {
  const piece = Buffer.alloc(1024, 'x');
  const started = performance.now();
  const frames: Frame[] = [];
  const splitter = splitFrames(32 * 1024 * 1024, (frame) => frames.push(frame));
  for (let sent = 0; sent < 16 * 1024; sent += 1) splitter.push(piece);
  splitter.push(Buffer.from('\n'));
  expect(frames.map((frame) => (frame.kind === 'whole' ? frame.bytes.length : -1))).toEqual([16 * 1024 * 1024]);
  // Quadratic copying would move 128 GiB here.
  expect(performance.now() - started).toBeLessThan(2000);
});
