/** Cuts bytes into text without ever cutting a UTF-8 character in two. Bytes that belong to no character stand alone. */
import type { OutputPage } from '../model/output-page.ts';

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
  const end = cut > start ? cut : nextCharacter(bytes, start + 1);
  const next = from + end;
  return {
    text: decodeText(bytes.subarray(start, end)),
    offset: from + start,
    nextOffset: next < totalBytes ? next : null,
    totalBytes,
  };
}

/** Bytes that are not UTF-8 become U+FFFD; a byte order mark is kept, since it was printed. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** `position`, or the start of the character that lies across it. */
export function characterStart(bytes: Uint8Array, position: number): number {
  if (position >= bytes.length) return bytes.length;
  let start = position;
  while (start > 0 && position - start < LONGEST_CHARACTER - 1 && isContinuation(bytes[start])) start -= 1;
  return start + statedLength(bytes[start]) > position ? start : position;
}

/** The first position at or after `position`, within the length of a character, at which another character begins. */
export function nextCharacter(bytes: Uint8Array, position: number): number {
  let next = Math.min(position, bytes.length);
  while (next < bytes.length && next - position < LONGEST_CHARACTER - 1 && isContinuation(bytes[next])) next += 1;
  return next;
}

/** How many bytes a character has that begins with this byte; 1 for a byte that begins none. */
function statedLength(byte = 0): number {
  return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
