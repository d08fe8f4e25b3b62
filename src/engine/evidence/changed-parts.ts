/**
 * Which statements and arms of a file a change is about.
 *
 * A changed word belongs to the innermost statement of the new text that holds it. Words that were only taken away belong
 * to the statement that is left of theirs; where nothing is left of it, the statement itself was deleted, and so is an arm
 * of which nothing is left. An arm is introduced by any change of its condition or of itself, and the body of a function by
 * any change of its head. Types never run and are passed over.
 */
import type { Arm, SourceAnalysis, Span, Token } from '../../model/examination.ts';
import { countWhere, holdersAmong, someWithin } from './span-index.ts';
import { diffTokens, newPlaces, type TokenChange } from './token-diff.ts';
import { ownersOf, removedTokens, wordsLeft } from './word-owners.ts';

export interface ChangedParts {
  /** Indices in `after.statements`, ascending. */
  readonly statements: readonly number[];
  /** Indices in `after.arms`, ascending. */
  readonly arms: readonly number[];
  /** Indices in `before.statements` of those that are gone, ascending. */
  readonly deleted: readonly number[];
  /** Indices in `before.arms` of those that are gone while their statement stays, ascending. */
  readonly deletedArms: readonly number[];
  /** True where the texts differ in comments, blanks and layout at most. */
  readonly isInert: boolean;
  /**
   * True where words changed that belong to no statement or to a directive, which changes how others run, or where there are
   * no words at all: nothing can show what runs.
   */
  readonly isUnreadable: boolean;
}

/** Finds the changed parts; a file that the change creates (`before` null) is changed in all of them. */
export function changedParts(before: SourceAnalysis | null, after: SourceAnalysis): ChangedParts {
  const changes = diffTokens(before?.tokens ?? [], after.tokens);
  const [oldOwners, newOwners] = [ownersOf(before), ownersOf(after)];
  const statements = new Set<number>();
  const arms = new Set<number>();
  const deleted = new Set<number>();
  const touched: Span[] = [];
  const gone = removedTokens(changes);
  const left = wordsLeft(oldOwners, gone);
  const newPlace = newPlaces(changes);
  const cutArms = before === null ? () => [] : armsCutIn(before, after, newPlace);
  const lost = new Set<number>();
  // A class without a base, an import without a name: what is gone may be needed elsewhere, as if it were deleted.
  const gives = (index: number, { removed: run }: TokenChange): boolean => {
    const [statement, first] = [before?.statements[index], before?.tokens[run.from]];
    const isGiver = statement?.kind === 'class' || statement?.kind === 'import';
    return isGiver && first !== undefined && first.start < statement.headerEnd;
  };
  for (const change of changes) {
    for (let token = change.added.from; token < change.added.to; token += 1) addIfAny(statements, newOwners[token]);
    for (const span of after.tokens.slice(change.added.from, change.added.to)) touched.push(span);
    // Where nothing that runs came in their place, words are gone as if nothing had.
    if (newOwners.slice(change.added.from, change.added.to).some(runs(after))) continue;
    const remnants = remnantsOf(change, oldOwners, left);
    for (const index of [...remnants.deleted, ...remnants.shortened.filter((index) => gives(index, change))]) {
      deleted.add(index);
    }
    for (let token = change.removed.from; token < change.removed.to; token += 1) lost.add(token);
    for (const token of remnants.nearest) addIfAny(statements, newOwners[newPlace(token)]);
    touched.push(...seam(after.tokens, change.added));
    for (const arm of cutArms(change)) arms.add(arm);
  }
  // Added words introduce what they touch; a seam introduces only what holds both of its sides.
  const isTouched = someWithin(touched);
  after.arms.forEach(({ introducedBy }, index) => {
    if (introducedBy.some(isTouched)) arms.add(index);
  });
  const bodyOf = bodiesIn(after, arms);
  for (const index of [...statements]) addIfAny(statements, bodyOf(index));
  // What stays as it was and runs no more (`import` → `import type`, a block for type checkers only) is gone too.
  if (changes.length > 0) {
    oldOwners.forEach((owner, token) => {
      if (runs(before)(owner) && !gone.has(token) && isInert(after, newOwners[newPlace(token)])) deleted.add(owner);
    });
  }
  const found = {
    statements: [...statements].filter(runs(after)).sort(ascending),
    arms: [...arms].sort(ascending),
    deleted: [...deleted].filter(runs(before)).sort(ascending),
    deletedArms: before === null ? [] : deletedArms(before, lost, deleted),
  };
  const isAttributed = Object.values(found).some((parts) => parts.length > 0);
  const touchesWhatRuns = changes.some(
    ({ added, removed }) =>
      newOwners.slice(added.from, added.to).some(runs(after)) ||
      oldOwners.slice(removed.from, removed.to).some(runs(before)),
  );
  return {
    ...found,
    isInert: changes.length === 0,
    isUnreadable:
      after.tokens.length === 0 ||
      (touchesWhatRuns && !isAttributed) ||
      isUnseen(after, newOwners, changes, 'added') ||
      (before !== null && isUnseen(before, oldOwners, changes, 'removed')),
  };
}

function runs(analysis: SourceAnalysis | null): (statement: number) => boolean {
  return (statement) => analysis?.statements[statement]?.isInert === false;
}

function isInert({ statements }: SourceAnalysis, statement = -1): boolean {
  return statements[statement]?.isInert === true;
}

/** What is left of the statements whose words were taken away without others in their place. */
function remnantsOf(
  { removed }: TokenChange,
  owners: readonly number[],
  left: ReadonlyMap<number, readonly number[]>,
): { readonly deleted: readonly number[]; readonly shortened: readonly number[]; readonly nearest: readonly number[] } {
  const [deleted, shortened, nearest]: [number[], number[], number[]] = [[], [], []];
  const affected = new Set(owners.slice(removed.from, removed.to).filter((owner) => owner >= 0));
  for (const statement of affected) {
    const kept = left.get(statement) ?? [];
    const word = kept[countWhere(kept, (token) => token < removed.to)] ?? kept.at(-1);
    if (word === undefined) deleted.push(statement);
    else {
      shortened.push(statement);
      nearest.push(word);
    }
  }
  return { deleted, shortened, nearest };
}

/** The place where words are missing: a span between the neighbours, so that it lies inside whatever held both. */
function seam(tokens: readonly Token[], { from, to }: TokenChange['added']): readonly Span[] {
  const [left, right] = [tokens[from - 1], tokens[to]];
  if (left === undefined || right === undefined) return [];
  return [{ start: left.end - 1, end: right.start + 1, line: left.line, endLine: right.endLine }];
}

/** Arms that lost words at an edge, where no seam can lie inside them: found again by the word that is left beside the cut. */
function armsCutIn(
  before: SourceAnalysis,
  after: SourceAnalysis,
  newPlace: (token: number) => number,
): (change: TokenChange) => readonly number[] {
  const [oldHolders, newHolders] = [before, after].map(({ arms }) => holdersAmong(arms.map((arm) => arm.introducedBy)));
  const around = (holders: typeof oldHolders, token: Token | undefined) =>
    token === undefined || holders === undefined ? [] : holders(token);
  return ({ removed }) => {
    const edges = [
      { kept: removed.from - 1, gone: removed.from },
      { kept: removed.to, gone: removed.to - 1 },
    ];
    return edges.flatMap(({ kept, gone }) => {
      const cut = new Set(around(oldHolders, before.tokens[gone]));
      const both = around(oldHolders, before.tokens[kept]).filter((index) => cut.has(index));
      const kinds = new Set(both.map((index) => before.arms[index]?.kind));
      if (kinds.size === 0) return [];
      return around(newHolders, after.tokens[newPlace(kept)]).filter((index) => kinds.has(after.arms[index]?.kind));
    });
  };
}

function isUnseen(
  { statements }: SourceAnalysis,
  owners: readonly number[],
  changes: readonly TokenChange[],
  side: keyof TokenChange,
): boolean {
  const touched = changes.flatMap((change) => owners.slice(change[side].from, change[side].to));
  return touched.some((owner) => owner === -1 || statements[owner]?.kind === 'directive');
}

/** The first statement of a function whose head changed, where no arm stands for its body: only a call shows a new head. */
function bodiesIn(
  { statements, arms }: SourceAnalysis,
  introduced: ReadonlySet<number>,
): (head: number) => number | undefined {
  const armsOf = new Map<number, Arm[]>();
  for (const index of introduced) {
    const arm = arms[index];
    const others = arm === undefined ? undefined : armsOf.get(arm.statement);
    if (others !== undefined && arm !== undefined) others.push(arm);
    else if (arm !== undefined) armsOf.set(arm.statement, [arm]);
  }
  return (index) => {
    const head = statements[index];
    if (head?.kind !== 'function') return undefined;
    for (let at = index + 1; at < statements.length; at += 1) {
      const inner = statements[at];
      if (inner === undefined || inner.start >= head.end) return undefined;
      if (inner.isInert || inner.start < head.headerEnd) continue;
      const { start } = inner;
      const isShown = armsOf.get(index)?.some((body) => body.start <= start && start < body.end) ?? false;
      return isShown ? undefined : at;
    }
    return undefined;
  };
}

/** Arms whose words were taken away without others in their place; one that holds a deleted statement is shown by that. */
function deletedArms(
  { arms, tokens, statements }: SourceAnalysis,
  lost: ReadonlySet<number>,
  deleted: ReadonlySet<number>,
): readonly number[] {
  if (lost.size === 0) return [];
  const holdsDeleted = someWithin(statements.filter((_, index) => deleted.has(index)));
  const holdsWord = someWithin(tokens);
  const holdsKept = someWithin(tokens.filter((_, at) => !lost.has(at)));
  return [...arms.keys()].filter((index) => {
    const arm = arms[index];
    if (arm === undefined || deleted.has(arm.statement) || holdsDeleted(arm)) return false;
    return holdsWord(arm) && !holdsKept(arm);
  });
}

function addIfAny(into: Set<number>, index: number | undefined): void {
  if (index !== undefined && index >= 0) into.add(index);
}

function ascending(a: number, b: number): number {
  return a - b;
}
