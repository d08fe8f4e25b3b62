/**
 * Compares two texts by their words, so that comments, blanks and reformatting make no difference. Equal words at the
 * start and the end are set aside first; a middle that is too different counts as replaced whole.
 */
import { diffArrays } from 'diff';
import type { Token } from '../../model/examination.ts';
import { countWhere } from './span-index.ts';

/** More edits than this are a rewrite, and every word of the middle counts as changed. */
const MOST_EDITS = 2_000;

/** A run of words that stand where others stood: tokens `from` to `to` (exclusive) of each side; one may be empty. */
export interface TokenChange {
  readonly removed: { readonly from: number; readonly to: number };
  readonly added: { readonly from: number; readonly to: number };
}

/** Lists the runs in which two token sequences differ, in order; empty when they are the same program. */
export function diffTokens(before: readonly Token[], after: readonly Token[]): readonly TokenChange[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start]?.key === after[start]?.key) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end)?.key === after.at(-1 - end)?.key) end += 1;
  const middle = [before, after].map((tokens) => tokens.slice(start, tokens.length - end).map(({ key }) => key));
  const [old = [], next = []] = middle;
  if (old.length === 0 && next.length === 0) return [];
  const parts = diffArrays(old, next, { maxEditLength: MOST_EDITS });
  if (parts === undefined) {
    return [{ removed: { from: start, to: start + old.length }, added: { from: start, to: start + next.length } }];
  }
  const changes: TokenChange[] = [];
  let [oldAt, newAt] = [start, start];
  for (let index = 0; index < parts.length; index += 1) {
    const [removed, added] = [
      { from: oldAt, to: oldAt },
      { from: newAt, to: newAt },
    ];
    for (let part = parts[index]; part !== undefined && (part.added || part.removed); part = parts[(index += 1)]) {
      if (part.removed) removed.to = oldAt += part.value.length;
      else added.to = newAt += part.value.length;
    }
    if (removed.to > removed.from || added.to > added.from) changes.push({ removed, added });
    const same = parts[index]?.value.length ?? 0;
    oldAt += same;
    newAt += same;
  }
  return changes;
}

/** Tells where a word that both texts have stands in the new one, by its place in the old one. */
export function newPlaces(changes: readonly TokenChange[]): (token: number) => number {
  let shift = 0;
  const shifts = changes.map(({ removed, added }) => (shift += added.to - added.from - (removed.to - removed.from)));
  return (token) => token + (shifts[countWhere(changes, ({ removed }) => removed.from <= token) - 1] ?? 0);
}
