/**
 * Which statements and arms of a file a change is about.
 *
 * A changed word belongs to the innermost statement of the new text that holds it. Words that were only taken away belong
 * to the statement that is left of theirs; where nothing is left of it, the statement itself was deleted, and so is an arm
 * of which nothing is left. An arm is introduced by any change of its condition or of itself, and the body of a function by
 * any change of its head. Types never run and are passed over.
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
  const removed = removedTokens(changes);
  const words = wordsOf(oldOwners);
  const lost = new Set<number>();
  // A class without a base, an import without a name: what is gone may be needed elsewhere, as if it were deleted.
  const gives = (index: number, { removed: run }: TokenChange): boolean => {
    const [statement, first] = [before?.statements[index], before?.tokens[run.from]];
    const isGiver = statement?.kind === 'class' || statement?.kind === 'import';
    return isGiver && first !== undefined && first.start < statement.headerEnd;
  };
  for (const change of changes) {
    const touched = spansOf(after.tokens, change.added);
    for (let token = change.added.from; token < change.added.to; token += 1) addIfAny(statements, newOwners[token]);
    if (touched.length === 0) {
      const remnants = remnantsOf(change, oldOwners, words, removed, changes);
      for (const gone of [...remnants.deleted, ...remnants.shortened.filter((index) => gives(index, change))]) {
        deleted.add(gone);
      }
      for (let token = change.removed.from; token < change.removed.to; token += 1) lost.add(token);
      for (const token of remnants.left) addIfAny(statements, newOwners[token]);
      touched.push(...seam(after.tokens, change.added.from));
      for (const arm of cutArms(change, before, after, changes)) arms.add(arm);
    }
    after.arms.forEach((arm, index) => {
      if (isIntroduced(arm, touched)) arms.add(index);
    });
  }
  for (const index of [...statements]) addIfAny(statements, bodyOf(index, after, arms));
  const runs = (all: readonly Statement[]) => (index: number) => all[index]?.isInert === false;
  return {
    statements: [...statements].filter(runs(after.statements)).sort(ascending),
    arms: [...arms].sort(ascending),
    deleted: [...deleted].filter(runs(before?.statements ?? [])).sort(ascending),
    deletedArms: before === null ? [] : deletedArms(before, lost, deleted),
    isInert: changes.length === 0,
    isUnreadable:
      after.tokens.length === 0 ||
      isUnseen(after, newOwners, changes, 'added') ||
      (before !== null && isUnseen(before, oldOwners, changes, 'removed')),
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
): { readonly deleted: readonly number[]; readonly shortened: readonly number[]; readonly left: readonly number[] } {
  const [deleted, shortened, left]: [number[], number[], number[]] = [[], [], []];
  const affected = new Set(owners.slice(removed.from, removed.to).filter((owner) => owner >= 0));
  for (const statement of affected) {
    const kept = (words.get(statement) ?? []).filter((token) => !gone.has(token));
    const nearest = kept.find((token) => token >= removed.to) ?? kept.at(-1);
    if (nearest === undefined) deleted.push(statement);
    else {
      shortened.push(statement);
      left.push(newPlace(nearest, changes));
    }
  }
  return { deleted, shortened, left };
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

/** Arms that lost words at an edge, where no seam can lie inside them: found again by the word that is left beside the cut. */
function cutArms(
  { removed }: TokenChange,
  before: SourceAnalysis | null,
  after: SourceAnalysis,
  changes: readonly TokenChange[],
): readonly number[] {
  if (before === null) return [];
  const edges = [
    { kept: removed.from - 1, gone: removed.from },
    { kept: removed.to, gone: removed.to - 1 },
  ];
  return edges.flatMap(({ kept, gone }) => {
    const [left, lost, place] = [before.tokens[kept], before.tokens[gone], after.tokens[newPlace(kept, changes)]];
    const holds = (arm: Arm, token: Token | undefined): boolean => arm.introducedBy.some((by) => isWithin(token, by));
    const kinds = before.arms.filter((arm) => holds(arm, left) && holds(arm, lost)).map(({ kind }) => kind);
    if (kinds.length === 0) return [];
    return [...after.arms.keys()].filter((index) => {
      const arm = after.arms[index];
      return arm !== undefined && kinds.includes(arm.kind) && holds(arm, place);
    });
  });
}

/** Added words introduce what they touch; a seam introduces only what holds both of its sides. */
function isIntroduced({ introducedBy }: Arm, touched: readonly Span[]): boolean {
  return touched.some((span) => introducedBy.some((by) => by.start <= span.start && span.end <= by.end));
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
function bodyOf(
  index: number,
  { statements, arms }: SourceAnalysis,
  introduced: ReadonlySet<number>,
): number | undefined {
  const head = statements[index];
  if (head?.kind !== 'function') return undefined;
  const first = statements.findIndex(
    ({ start, isInert }, at) => at > index && !isInert && start >= head.headerEnd && start < head.end,
  );
  const start = statements[first]?.start;
  if (start === undefined) return undefined;
  const isShown = [...introduced].some((arm) => {
    const body = arms[arm];
    return body?.statement === index && body.start <= start && start < body.end;
  });
  return isShown ? undefined : first;
}

/** Arms whose words were taken away without others in their place; one that holds a deleted statement is shown by that. */
function deletedArms(
  { arms, tokens, statements }: SourceAnalysis,
  lost: ReadonlySet<number>,
  deleted: ReadonlySet<number>,
): readonly number[] {
  if (lost.size === 0) return [];
  const gone = [...deleted].map((index) => statements[index]);
  return [...arms.keys()].filter((index) => {
    const arm = arms[index];
    if (arm === undefined || deleted.has(arm.statement)) return false;
    if (gone.some((one) => one !== undefined && arm.start <= one.start && one.end <= arm.end)) return false;
    const own = [...tokens.keys()].filter((at) => isWithin(tokens[at], arm));
    return own.length > 0 && own.every((at) => lost.has(at));
  });
}

function isWithin(token: Token | undefined, { start, end }: Span): boolean {
  return token !== undefined && start <= token.start && token.end <= end;
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
