/** Puts the postimage together from views of the preimage and of the patch, and says what was adapted on the way. */
import type { Adaptation, PlacedHunk, Rewrite } from '../../model/patch.ts';

/** Hunks named in a note before the rest is only counted. */
const NAMED = 5;

const ADAPTED: readonly (readonly [Adaptation, string])[] = [
  ['crlf', 'the file ends its lines in CRLF and the patch in LF; the new lines were written with CRLF'],
  ['bom', 'the byte order mark that the patch does not show was kept'],
  ['final_newline', 'the last line of the file has no newline although the patch shows one; it was left without'],
];

/** Builds the postimage from hunks in ascending order that each fit. */
export function rewrite(preimage: Buffer, placed: readonly PlacedHunk[]): Rewrite {
  const pieces: Uint8Array[] = [];
  let [at, byteLength] = [0, 0];
  const push = (piece: Uint8Array): void => {
    if (piece.length === 0) return;
    pieces.push(piece);
    byteLength += piece.length;
  };
  for (const { from, to, text } of placed) {
    push(preimage.subarray(at, from));
    push(text);
    at = to;
  }
  push(preimage.subarray(at));
  return { pieces, byteLength, notes: notesOn(placed), placed };
}

/** Tells whether writing the hunks would leave every byte as it is. */
export function changesNothing(preimage: Buffer, placed: readonly PlacedHunk[]): boolean {
  return placed.every(
    ({ from, to, text }) => text.length === to - from && preimage.compare(text, 0, text.length, from, to) === 0,
  );
}

/** The first line of a hunk's new side, from its old side and the lines that earlier hunks added (or took, below 0). */
export function newStart(
  old: { readonly start: number; readonly count: number },
  newCount: number,
  added: number,
): number {
  const first = (old.count === 0 ? old.start + 1 : old.start) + added;
  return newCount === 0 ? first - 1 : first;
}

function notesOn(placed: readonly PlacedHunk[]): readonly string[] {
  const notes = ADAPTED.flatMap(([adaptation, what]) => {
    const adapted = placed.filter(({ adaptations }) => adaptations.includes(adaptation));
    return adapted.length === 0 ? [] : [`${nameHunks(adapted)}: ${what}.`];
  });
  let added = 0;
  const off = placed.filter(({ hunk }) => {
    const start = newStart(hunk.old, hunk.new.count, added);
    added += hunk.new.count - hunk.old.count;
    return start !== hunk.new.start;
  });
  if (off.length > 0)
    notes.push(`${nameHunks(off)}: the new-side line number of the header is off; the old side decided.`);
  return notes;
}

function nameHunks(placed: readonly PlacedHunk[]): string {
  const numbers = placed.slice(0, NAMED).map(({ hunk }) => hunk.number);
  const rest = placed.length - numbers.length;
  return `${placed.length === 1 ? 'Hunk' : 'Hunks'} ${numbers.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
