/** Cuts bytes into pages of text without ever cutting a UTF-8 character in two. */
import type { OutputPage } from '../model/output-page.ts';

const CONTINUATION_MASK = 0b1100_0000;
const CONTINUATION = 0b1000_0000;
const LONGEST_CHARACTER = 4;

export interface PageCut {
  /** Position of the first given byte in the whole output. */
  readonly from: number;
  readonly offset: number;
  readonly length: number;
  readonly totalBytes: number;
}

/** Decodes the page that starts at `offset`, both ends moved back to the start of a character. */
export function decodePage(bytes: Uint8Array, { from, offset, length, totalBytes }: PageCut): OutputPage {
  const start = characterStart(bytes, offset - from);
  const cut = characterStart(bytes, offset - from + length);
  // A page shorter than its first character holds the whole of it, so that every page moves on.
  const end = cut > start ? cut : characterEnd(bytes, start);
  const next = from + end;
  return {
    text: new TextDecoder().decode(bytes.subarray(start, end)),
    offset: from + start,
    nextOffset: next < totalBytes ? next : null,
    totalBytes,
  };
}

/** The last position at or before `position` that does not lie within a character; bytes of no character stand alone. */
function characterStart(bytes: Uint8Array, position: number): number {
  if (position >= bytes.length) return bytes.length;
  for (let back = 0; back < LONGEST_CHARACTER && position - back >= 0; back += 1) {
    if (!isContinuation(bytes[position - back])) return position - back;
  }
  return position;
}

/** The first position after `start` at which another character begins. */
function characterEnd(bytes: Uint8Array, start: number): number {
  let end = Math.min(start + 1, bytes.length);
  while (end < bytes.length && end - start < LONGEST_CHARACTER && isContinuation(bytes[end])) end += 1;
  return end;
}

function isContinuation(byte = 0): boolean {
  return (byte & CONTINUATION_MASK) === CONTINUATION;
}
