/**
 * Cuts a byte stream into newline-ended frames: linear in the bytes, in memory bounded by the limit whatever the sizes
 * of the pieces. A frame over the limit is skipped to its newline, keeping only its two ends; the stream goes on.
 */
import { Buffer } from 'node:buffer';

export type Frame =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'oversized'; readonly length: number; readonly head: Buffer; readonly tail: Buffer };

export interface FrameSplitter {
  readonly push: (piece: Buffer) => void;
}

const NEWLINE = 0x0a;
const INITIAL_CAPACITY = 64 * 1024;
const KEPT_END_BYTES = 1024;

/** Makes a splitter that hands every frame, without its newline, to `deliver` in the order of arrival. */
export function splitFrames(maxBytes: number, deliver: (frame: Frame) => void): FrameSplitter {
  let pending = Buffer.alloc(0);
  let used = 0;
  let skipped: { length: number; head: Buffer; tail: Buffer } | undefined;

  function keep(part: Buffer): void {
    if (used + part.length > maxBytes) {
      const seen = Buffer.concat([pending.subarray(0, used), part.subarray(0, KEPT_END_BYTES)]);
      skipped = { length: used, head: Buffer.from(seen.subarray(0, KEPT_END_BYTES)), tail: lastBytes(pending, used) };
      pending = Buffer.alloc(0);
      used = 0;
      skip(skipped, part);
      return;
    }
    if (used + part.length > pending.length) {
      const grown = Buffer.allocUnsafe(Math.max(INITIAL_CAPACITY, pending.length * 2, used + part.length));
      pending.copy(grown, 0, 0, used);
      pending = grown;
    }
    part.copy(pending, used);
    used += part.length;
  }

  function finish(): void {
    if (skipped !== undefined) {
      deliver({ kind: 'oversized', ...skipped });
      skipped = undefined;
      return;
    }
    const bytes = pending.subarray(0, used);
    pending = Buffer.alloc(0);
    used = 0;
    deliver({ kind: 'whole', bytes });
  }

  return {
    push(piece) {
      let start = 0;
      while (start < piece.length) {
        const newline = piece.indexOf(NEWLINE, start);
        const part = piece.subarray(start, newline === -1 ? piece.length : newline);
        if (skipped === undefined) keep(part);
        else skip(skipped, part);
        if (newline === -1) return;
        finish();
        start = newline + 1;
      }
    },
  };
}

function skip(skipped: { length: number; tail: Buffer }, part: Buffer): void {
  skipped.length += part.length;
  const end = Buffer.concat([skipped.tail, part.subarray(-KEPT_END_BYTES)]);
  skipped.tail = Buffer.from(end.subarray(-KEPT_END_BYTES));
}

function lastBytes(bytes: Buffer, used: number): Buffer {
  return Buffer.from(bytes.subarray(Math.max(0, used - KEPT_END_BYTES), used));
}
