/** Finds what its author marked as not to be covered, by the comments that istanbul, c8 and Vitest obey. */
import type { OutlineArm, OutlineStatement } from './outline-parts.ts';

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

/** Returns the stretches of the text that are left out. */
export function exclusions(
  text: string,
  comments: readonly Comment[],
  parts: { readonly statements: readonly OutlineStatement[]; readonly arms: readonly OutlineArm[] },
): readonly Stretch[] {
  const found: Stretch[] = [];
  let open: number | null = null;
  for (const { value, start, end } of comments) {
    const [mark, what, count] = MARK.exec(value) ?? [];
    if (mark === undefined) continue;
    if (what === 'file') found.push({ start: 0, end: text.length });
    else if (what === 'start' || what === 'disable') open ??= start;
    else if (what === 'stop' || what === 'enable') {
      if (open !== null) found.push({ start: open, end });
      open = null;
    } else if (count !== undefined) found.push({ start: end, end: lineEnd(text, end, Number(count)) });
    else found.push(...following(text, end, what ?? 'next', parts));
  }
  if (open !== null) found.push({ start: open, end: text.length });
  return found;
}

function following(
  text: string,
  from: number,
  what: string,
  { statements, arms }: { readonly statements: readonly OutlineStatement[]; readonly arms: readonly OutlineArm[] },
): readonly Stretch[] {
  const next = from + (/^(?:\s|\/\*[^]*?\*\/|\/\/.*)*/.exec(text.slice(from))?.[0].length ?? 0);
  const here = statements.filter(({ node }) => node.start === next);
  if (what === 'next') {
    const ends = [
      ...here.map(({ node }) => node.end),
      ...arms.filter(({ start }) => start === next).map(({ end }) => end),
    ];
    return ends.length === 0 ? [] : [{ start: next, end: Math.max(...ends) }];
  }
  const owners = new Set(here.map(({ node }) => node));
  const kind = what === 'if' ? 'then' : 'else';
  return arms.filter((arm) => arm.kind === kind && arm.owner !== null && owners.has(arm.owner)).slice(0, 1);
}

function lineEnd(text: string, from: number, count: number): number {
  let at = text.indexOf('\n', from);
  for (let line = 0; line < count && at !== -1; line += 1) at = text.indexOf('\n', at + 1);
  return at === -1 ? text.length : at;
}
