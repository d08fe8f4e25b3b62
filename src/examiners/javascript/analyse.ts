/** One text of a file → its words, statements and arms, or what is wrong with its syntax. */
import type { Arm, SourceAnalysis, Span, Statement } from '../../model/examination.ts';
import { excluder } from './exclusions.ts';
import { loadProbe } from './insertions.ts';
import { analyseJson } from './json.ts';
import { outline } from './outline.ts';
import type { Outline } from './outline-parts.ts';
import { placesOf, type Places } from './places.ts';
import { standing, type Probe } from './prove.ts';
import { syntaxFindings } from './syntax-findings.ts';
import { isDeclarationFile, isTypeScript, parse, type SyntaxTree } from './syntax-tree.ts';
import { tokensOf } from './tokens.ts';

/** Analyses a file. The text of before gets probes too: they show whether tests ran what a change deletes. */
export function analyse(path: string, text: string): SourceAnalysis {
  const places = placesOf(text);
  if (/\.jsonc?$/i.test(path)) return analyseJson(path, text, places);
  const tree = parse(path, text);
  const syntax = syntaxFindings(path, text, tree.errors, places);
  if (syntax.length > 0) return { syntax, tokens: [], statements: [], arms: [], loadProbe: null };
  const isDeclarations = isDeclarationFile(path);
  const parts = outline(tree.program(), { isTypeScript: isTypeScript(path), isDeclarations });
  const starts = new Set(parts.statements.map(({ node }) => node.start));
  const tokens = tokensOf(text, tree.comments, starts, places);
  const at = isDeclarations ? null : parts.firstStatement;
  const first = at === null ? null : loadProbe(at, isTypeScript(path));
  return { syntax, tokens, ...describe(path, text, tree, parts, first, places) };
}

function describe(
  path: string,
  text: string,
  tree: SyntaxTree,
  parts: Outline,
  first: Probe | null,
  places: Places,
): Omit<SourceAnalysis, 'syntax' | 'tokens'> {
  const statements = [...parts.statements].sort((a, b) => a.node.start - b.node.start || b.node.end - a.node.end);
  const probes = [...statements, ...parts.arms].flatMap(({ probe }) => (probe === null ? [] : [probe]));
  const kept = first === null ? null : standing(path, text, first, probes);
  const keep = (probe: Probe | null): Probe | null => (probe !== null && kept?.has(probe) === true ? probe : null);
  const isExcluded = excluder(text, tree.comments, parts);
  const indexOf = new Map(statements.map(({ node }, index) => [node, index]));
  const nodes = statements.map(({ node }) => node);
  return {
    statements: statements.map(({ node, kind, timing, isInert, probe }, index): Statement => {
      const next = nodes[index + 1];
      return {
        ...places.span(node.start, node.end),
        timing,
        kind,
        headerEnd: next !== undefined && next.start < node.end ? next.start : node.end,
        isExcluded: isExcluded(node.start, node.end),
        isInert,
        probe: keep(probe),
      };
    }),
    arms: parts.arms
      .flatMap((arm): readonly Arm[] => {
        const statement = arm.owner === null ? undefined : indexOf.get(arm.owner);
        if (statement === undefined) return [];
        const { start, end, timing, kind, probe } = arm;
        const introducedBy = arm.introducedBy.flatMap(([from, to]) =>
          withoutNested(from, to, nodes, statement + 1, places),
        );
        const own = { timing, kind, statement, introducedBy, isExcluded: isExcluded(start, end), probe: keep(probe) };
        return [{ ...places.span(start, end), ...own }];
      })
      .sort((a, b) => a.start - b.start || b.end - a.end),
    loadProbe: kept === null ? null : first,
  };
}

/** What is left of a stretch when the statements that begin in it are taken out: those of `nodes`, in order, from `first` on. */
function withoutNested(
  from: number,
  to: number,
  nodes: readonly { readonly start: number; readonly end: number }[],
  first: number,
  places: Places,
): readonly Span[] {
  const left: Span[] = [];
  let at = from;
  let index = firstFrom(nodes, first, at);
  for (let node = nodes[index]; node !== undefined && node.start < to; node = nodes[index]) {
    if (node.start > at) left.push(places.span(at, node.start));
    at = Math.min(node.end, to);
    // Whatever is nested in this one goes with it.
    index = firstFrom(nodes, index + 1, at);
  }
  if (at < to) left.push(places.span(at, to));
  return left;
}

/** Index of the first node, not before `low`, that starts at an offset or behind it. */
function firstFrom(nodes: readonly { readonly start: number }[], low: number, offset: number): number {
  let [first, end] = [low, nodes.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    if ((nodes[middle]?.start ?? offset) < offset) first = middle + 1;
    else end = middle;
  }
  return first;
}
