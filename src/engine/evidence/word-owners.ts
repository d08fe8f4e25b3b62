/** Which statement each word of a file belongs to: the innermost one that holds it. */
import type { SourceAnalysis } from '../../model/examination.ts';
import type { TokenChange } from './token-diff.ts';

/** For each token the index of the innermost statement that holds it, -1 for none. */
export function ownersOf(analysis: SourceAnalysis | null): readonly number[] {
  if (analysis === null) return [];
  const { statements, tokens } = analysis;
  const owners: number[] = [];
  const open: number[] = [];
  let next = 0;
  for (const { start } of tokens) {
    for (let at = statements[next]; at !== undefined && at.start <= start; at = statements[next]) {
      while (open.length > 0 && (statements[open.at(-1) ?? 0]?.end ?? 0) <= at.start) open.pop();
      open.push(next);
      next += 1;
    }
    while (open.length > 0 && (statements[open.at(-1) ?? 0]?.end ?? 0) <= start) open.pop();
    owners.push(open.at(-1) ?? -1);
  }
  return owners;
}

/** The tokens of each statement that belong to no statement inside it and are not gone, ascending. */
export function wordsLeft(
  owners: readonly number[],
  gone: ReadonlySet<number>,
): ReadonlyMap<number, readonly number[]> {
  const words = new Map<number, number[]>();
  owners.forEach((owner, token) => {
    if (gone.has(token)) return;
    const own = words.get(owner);
    if (own === undefined) words.set(owner, [token]);
    else own.push(token);
  });
  return words;
}

/** The tokens of before that are gone. */
export function removedTokens(changes: readonly TokenChange[]): ReadonlySet<number> {
  const tokens = new Set<number>();
  for (const { removed } of changes) for (let at = removed.from; at < removed.to; at += 1) tokens.add(at);
  return tokens;
}
