/**
 * Which statements and arms of a file a change is about.
 *
 * A changed word belongs to the innermost statement of the new text that holds it. Words that were only taken away belong
 * to the statement that is left of theirs; where nothing is left of it, the statement itself was deleted. An arm is
 * introduced by any change of its condition or of itself. Types, docstrings and directives never run and are passed over.
 */
import type { Arm, SourceAnalysis, Span, Statement, Token } from '../../model/examination.ts';
import { diffTokens, type TokenChange } from './token-diff.ts';

export interface ChangedParts {
  /** Indices in `after.statements`, ascending. */
  readonly statements: readonly number[];
  /** Indices in `after.arms`, ascending. */
  readonly arms: readonly number[];
  /** Indices in `before.statements` of those that are gone, ascending. */
  readonly deleted: readonly number[];
  /** True where the texts differ in comments, blanks and layout at most. */
  readonly isInert: boolean;
  /** True where words changed that belong to no statement, or there are no words at all: nothing can show what runs. */
  readonly isUnreadable: boolean;
}

/** Finds the changed parts; a file that the change creates (`before` null) is changed in all of them. */
export function changedParts(before: SourceAnalysis | null, after: SourceAnalysis): ChangedParts {
  const changes = diffTokens(before?.tokens ?? [], after.tokens);
  const [oldOwners, newOwners] = [ownersOf(before), ownersOf(after)];
  const statements = new Set<number>();
  const arms = new Set<number>();
  const deleted = new Set<number>();
  const removed = removedTokens(changes);
  const words = wordsOf(oldOwners);
  for (const change of changes) {
    const touched = spansOf(after.tokens, change.added);
    for (let token = change.added.from; token < change.added.to; token += 1) addIfAny(statements, newOwners[token]);
    if (touched.length === 0) {
      const remnants = remnantsOf(change, oldOwners, words, removed, changes);
      for (const gone of remnants.deleted) deleted.add(gone);
      for (const token of remnants.left) addIfAny(statements, newOwners[token]);
      touched.push(...seam(after.tokens, change.added.from));
    }
    after.arms.forEach((arm, index) => {
      if (isIntroduced(arm, touched)) arms.add(index);
    });
  }
  const runs = (all: readonly Statement[]) => (index: number) => all[index]?.isInert === false;
  return {
    statements: [...statements].filter(runs(after.statements)).sort(ascending),
    arms: [...arms].sort(ascending),
    deleted: [...deleted].filter(runs(before?.statements ?? [])).sort(ascending),
    isInert: changes.length === 0,
    isUnreadable:
      after.tokens.length === 0 || isOutside(newOwners, changes, 'added') || isOutside(oldOwners, changes, 'removed'),
  };
}

/** For each token the index of the innermost statement that holds it, -1 for none. */
function ownersOf(analysis: SourceAnalysis | null): readonly number[] {
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

/** The tokens of each statement that belong to no statement inside it. */
function wordsOf(owners: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const words = new Map<number, number[]>();
  owners.forEach((owner, token) => {
    const own = words.get(owner);
    if (own === undefined) words.set(owner, [token]);
    else own.push(token);
  });
  return words;
}

function removedTokens(changes: readonly TokenChange[]): ReadonlySet<number> {
  const tokens = new Set<number>();
  for (const { removed } of changes) for (let at = removed.from; at < removed.to; at += 1) tokens.add(at);
  return tokens;
}

/** What is left of the statements whose words were taken away without others in their place. */
function remnantsOf(
  { removed }: TokenChange,
  owners: readonly number[],
  words: ReadonlyMap<number, readonly number[]>,
  gone: ReadonlySet<number>,
  changes: readonly TokenChange[],
): { readonly deleted: readonly number[]; readonly left: readonly number[] } {
  const [deleted, left]: [number[], number[]] = [[], []];
  const affected = new Set(owners.slice(removed.from, removed.to).filter((owner) => owner >= 0));
  for (const statement of affected) {
    const kept = (words.get(statement) ?? []).filter((token) => !gone.has(token));
    const nearest = kept.find((token) => token >= removed.to) ?? kept.at(-1);
    if (nearest === undefined) deleted.push(statement);
    else left.push(newPlace(nearest, changes));
  }
  return { deleted, left };
}

/** Index in the new text of a word that both texts have. */
function newPlace(token: number, changes: readonly TokenChange[]): number {
  let shift = 0;
  for (const { removed, added } of changes) {
    if (removed.from > token) break;
    shift += added.to - added.from - (removed.to - removed.from);
  }
  return token + shift;
}

/** The place where words are missing: a span between the neighbours, so that it lies inside whatever held both. */
function seam(tokens: readonly Token[], at: number): readonly Span[] {
  const [left, right] = [tokens[at - 1], tokens[at]];
  if (left === undefined || right === undefined) return [];
  return [{ start: left.end - 1, end: right.start + 1, line: left.line, endLine: right.endLine }];
}

/** Added words introduce what they touch; a seam introduces only what holds both of its sides. */
function isIntroduced({ introducedBy }: Arm, touched: readonly Span[]): boolean {
  return touched.some((span) => introducedBy.some((by) => by.start <= span.start && span.end <= by.end));
}

function isOutside(owners: readonly number[], changes: readonly TokenChange[], side: keyof TokenChange): boolean {
  return changes.some((change) => owners.slice(change[side].from, change[side].to).includes(-1));
}

function spansOf(tokens: readonly Token[], { from, to }: { readonly from: number; readonly to: number }): Span[] {
  return tokens.slice(from, to);
}

function addIfAny(into: Set<number>, index: number | undefined): void {
  if (index !== undefined && index >= 0) into.add(index);
}

function ascending(a: number, b: number): number {
  return a - b;
}
