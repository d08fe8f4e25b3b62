/** Lines as source maps count them. */

export function lineStarts(text: string): readonly number[] {
  return [0, ...Array.from(text.matchAll(/\r\n|[\n\r\u2028\u2029]/gu), ({ index, 0: end }) => index + end.length)];
}

/** Line from 1, column from 0. */
export function placeAt(starts: readonly number[], offset: number): { readonly line: number; readonly column: number } {
  const after = starts.findIndex((start) => start > offset);
  const line = after === -1 ? starts.length : after;
  return { line, column: offset - (starts[line - 1] ?? 0) };
}
