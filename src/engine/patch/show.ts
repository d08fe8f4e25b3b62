/** Makes bytes readable in a message: invisible characters escaped, long lines cut around the place that matters. */

/** Characters of a line that are shown. */
const SHOWN = 200;

// Blanks other than the plain space, controls, marks of direction, joiners and byte order marks.
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufe00-\ufe0f\ufeff]/gu;

const SHORT: Readonly<Record<string, string>> = { '\t': '\\t', '\r': '\\r', '\n': '\\n', '\0': '\\0' };

/** Shows a text, escaped and cut to 200 characters. */
export function showText(text: string): string {
  return cut(escape(text.slice(0, SHOWN * 2)));
}

/** Shows a line of bytes from `from`; bytes that are not UTF-8 appear as `<0xE9>`. */
export function showBytes(line: Uint8Array, from = 0): string {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  const start = characterStart(bytes, from);
  const text = cut(escape(decode(bytes.subarray(start, start + SHOWN * 4))));
  return start > 0 ? `…${text}` : text;
}

/** Two lines shown side by side from the same place, and the column where they part. */
export interface Difference {
  readonly expected: string;
  readonly actual: string;
  /** 1-based, in characters of the two texts. */
  readonly column: number;
}

/** Shows two lines around their first difference. */
export function showDifference(expected: Uint8Array, actual: Uint8Array): Difference {
  const at = firstDifference(expected, actual);
  const from = Math.max(0, at - SHOWN / 2);
  const left = showBytes(expected, from);
  const right = showBytes(actual, from);
  let column = 0;
  while (column < left.length && column < right.length && left[column] === right[column]) column += 1;
  return { expected: left, actual: right, column: Array.from(left.slice(0, column)).length + 1 };
}

/** The byte where two lines part, or the length of the shorter one. */
export function firstDifference(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  const block = 4096;
  let at = 0;
  while (at + block <= length && Buffer.compare(left.subarray(at, at + block), right.subarray(at, at + block)) === 0) {
    at += block;
  }
  while (at < length && left[at] === right[at]) at += 1;
  return at;
}

function escape(text: string): string {
  return text.replace(INVISIBLE, (character) => SHORT[character] ?? `<U+${hex(character.codePointAt(0) ?? 0, 4)}>`);
}

function cut(text: string): string {
  const characters = Array.from(text);
  return characters.length <= SHOWN ? text : `${characters.slice(0, SHOWN - 1).join('')}…`;
}

/** Decodes UTF-8; bytes that are none are spelled out, so that two different lines never look alike. */
function decode(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd')) return text;
  let shown = '';
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    shown += length === 0 ? `<0x${hex(bytes[at] ?? 0, 2)}>` : bytes.toString('utf8', at, at + length);
    at += Math.max(1, length);
  }
  return shown;
}

/** Length of the UTF-8 sequence at a place, 0 when there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return 0;
  const sequence = Buffer.from(bytes.subarray(at, at + length));
  return Buffer.compare(Buffer.from(sequence.toString('utf8')), sequence) === 0 ? length : 0;
}

function characterStart(bytes: Buffer, from: number): number {
  let at = Math.min(from, bytes.length);
  for (let back = 0; back < 3 && at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80; back += 1) at -= 1;
  return at;
}

function hex(value: number, width: number): string {
  return value.toString(16).toUpperCase().padStart(width, '0');
}
