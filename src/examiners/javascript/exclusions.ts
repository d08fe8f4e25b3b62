/** Finds what its author marked as not to be covered, by the comments that istanbul, c8 and Vitest obey. */
import type { OutlineArm, OutlineStatement } from './outline-parts.ts';
import type { SyntaxNode } from './syntax-tree.ts';

interface Comment {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

const MARK =
  /^\W*(?:istanbul|c8|v8|node:coverage)\s+(?:ignore\s+)?(next|if|else|start|stop|file|disable|enable)\b\s*(\d+)?/;

interface Parts {
  readonly statements: readonly OutlineStatement[];
  readonly arms: readonly OutlineArm[];
}

/** Tells of a stretch whether it is left out: whether it lies in one that is. */
export function excluder(
  text: string,
  comments: readonly Comment[],
  parts: Parts,
): (from: number, to: number) => boolean {
  const sorted = [...exclusions(text, comments, parts)].sort((a, b) => a.start - b.start);
  let last = -Infinity;
  // For each the last end of it and of all that start before it.
  const ends = sorted.map(({ end }) => (last = Math.max(last, end)));
  return (from, to) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.start ?? Infinity) <= from) low = middle + 1;
      else high = middle;
    }
    return (ends[low - 1] ?? -Infinity) >= to;
  };
}

function exclusions(text: string, comments: readonly Comment[], parts: Parts): readonly Stretch[] {
  const found: Stretch[] = [];
  let open: number | null = null;
  let finder: Finder | null = null;
  for (const { value, start, end } of comments) {
    const [mark, what, count] = MARK.exec(value) ?? [];
    if (mark === undefined) continue;
    if (what === 'file') found.push({ start: 0, end: text.length });
    else if (what === 'start' || what === 'disable') open ??= start;
    else if (what === 'stop' || what === 'enable') {
      if (open !== null) found.push({ start: open, end });
      open = null;
    } else if (count !== undefined) found.push({ start: end, end: lineEnd(text, end, Number(count)) });
    else found.push(...following(text, end, what ?? 'next', (finder ??= finderOf(parts))));
  }
  if (open !== null) found.push({ start: open, end: text.length });
  return found;
}

/** The parts of a file by where they start, and the arms by the statement that holds them; all in their own order. */
interface Finder {
  readonly statementsAt: ReadonlyMap<number, readonly OutlineStatement[]>;
  readonly armsAt: ReadonlyMap<number, readonly OutlineArm[]>;
  readonly armsOf: ReadonlyMap<SyntaxNode | null, readonly OutlineArm[]>;
}

function finderOf({ statements, arms }: Parts): Finder {
  return {
    statementsAt: groupBy(statements, ({ node }) => node.start),
    armsAt: groupBy(arms, ({ start }) => start),
    armsOf: groupBy(arms, ({ owner }) => owner),
  };
}

function groupBy<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function following(text: string, from: number, what: string, finder: Finder): readonly Stretch[] {
  const next = from + (/^(?:\s|\/\*[^]*?\*\/|\/\/.*)*/.exec(text.slice(from))?.[0].length ?? 0);
  const here = finder.statementsAt.get(next) ?? [];
  if (what === 'next') {
    const ends = [...here.map(({ node }) => node.end), ...(finder.armsAt.get(next) ?? []).map(({ end }) => end)];
    return ends.length === 0 ? [] : [{ start: next, end: Math.max(...ends) }];
  }
  const kind = what === 'if' ? 'then' : 'else';
  const arms = here.flatMap(({ node }) => finder.armsOf.get(node)?.find((arm) => arm.kind === kind) ?? []);
  // Of several statements that start here the outermost one is meant.
  return arms.slice(0, 1);
}

function lineEnd(text: string, from: number, count: number): number {
  let at = text.indexOf('\n', from);
  for (let line = 0; line < count && at !== -1; line += 1) at = text.indexOf('\n', at + 1);
  return at === -1 ? text.length : at;
}
