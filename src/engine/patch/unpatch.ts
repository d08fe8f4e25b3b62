/**
 * Takes an earlier change out of a file that went on since. The change is known as two whole contents, preimage and
 * postimage, and the file as a third:
 *
 *   1. What must go back is what differs between postimage and preimage, each stretch with three lines around it.
 *   2. Where it stands now is where the lines that nobody touched since have moved to.
 *   3. Each stretch must stand there whole, its lines around included. Two comparisons, one from the start and one from
 *      the end, must agree on the place, so that of two equal places none is taken by chance.
 *
 * One stretch that does not is a conflict, and nothing is put back.
 */
import { type LineChange, lineChanges, linesOf, type Lines } from './line-changes.ts';

/** Lines around a stretch that must stand there as they did. */
const CONTEXT = 3;

export interface Contents {
  readonly preimage: Buffer;
  readonly postimage: Buffer;
  readonly current: Buffer;
}

export interface Unpatched {
  /** What becomes of the current lines. */
  readonly changes: readonly LineChange[];
  readonly current: Lines;
}

/** What takes the change out again, or null where it does not stand in the file any more as it was made. */
export function unpatch({ preimage, postimage, current }: Contents): Unpatched | null {
  const post = linesOf(postimage);
  const now = linesOf(current);
  const back = lineChanges(post, linesOf(preimage));
  const moved = back === null ? null : movesOf(post, now);
  if (back === null || moved === null) return null;
  const changes: LineChange[] = [];
  for (const change of back) {
    const from = placeOf(change, post.length, moved, now.length);
    if (from === null) return null;
    changes.push({ ...change, from });
  }
  return { changes, current: now };
}

/** For each line of `post` its number in `now`; undefined for one that is gone or could be at several places. */
function movesOf(post: Lines, now: Lines): readonly (number | undefined)[] | null {
  const forward = alignment(post, now);
  const backward = alignment([...post].reverse(), [...now].reverse());
  if (forward === null || backward === null) return null;
  return forward.map((place, line) => {
    const other = backward[post.length - 1 - line];
    return place !== undefined && other !== undefined && place === now.length - 1 - other ? place : undefined;
  });
}

function alignment(before: Lines, after: Lines): readonly (number | undefined)[] | null {
  const changes = lineChanges(before, after);
  if (changes === null) return null;
  const places: (number | undefined)[] = [];
  let shift = 0;
  for (const { from, count, text } of changes) {
    while (places.length < from) places.push(places.length + shift);
    for (let n = 0; n < count; n += 1) places.push(undefined);
    shift += text.length - count;
  }
  while (places.length < before.length) places.push(places.length + shift);
  return places;
}

function placeOf(
  { from, count }: LineChange,
  length: number,
  moved: readonly (number | undefined)[],
  newLength: number,
): number | null {
  const first = Math.max(0, from - CONTEXT);
  const end = Math.min(length, from + count + CONTEXT);
  const start = moved[first];
  // Nothing is left of the postimage that could say where.
  if (start === undefined) return null;
  for (let line = first; line < end; line += 1) if (moved[line] !== start + line - first) return null;
  // Where lines only come back, both their neighbours say where; the edge of a file is one.
  const isInsertion = count === 0;
  if (isInsertion && first === from && start !== 0) return null;
  if (isInsertion && end === from && start + end - first !== newLength) return null;
  return start + from - first;
}
