/** The ways through an optional chain: whether it goes on behind each of its `?.`, where nothing evaluates the rest if not. */
import type { Insertion } from '../../model/examination.ts';
import { beforeName, intoCall, wrapValue } from './insertions.ts';
import type { Way } from './outline-parts.ts';
import { child, list, type SyntaxNode } from './syntax-tree.ts';

/** One way for each `?.`, introduced by any change of the chain: what stands before it decides whether it goes on. */
export function waysOfChain(chain: SyntaxNode): readonly Way[] {
  const ways: Way[] = [];
  for (let link = child(chain, 'expression'); link !== null; link = before(link)) {
    if (link['optional'] === true) ways.push({ ...wayBehind(link), introducedBy: [[chain.start, chain.end]] });
  }
  return ways.reverse();
}

function before(link: SyntaxNode): SyntaxNode | null {
  if (!/^(Call|Member|TSNonNull)Expression$/.test(link.type)) return null;
  return child(link, 'callee') ?? child(link, 'object') ?? child(link, 'expression');
}

function wayBehind(link: SyntaxNode): Omit<Way, 'introducedBy'> {
  const property = child(link, 'property');
  const [first] = list(link, 'arguments');
  const value = property ?? (first?.type === 'SpreadElement' ? child(first, 'argument') : first);
  if (!value) return { kind: 'operand', start: link.end - 1, end: link.end, probe: intoCall(link.end - 1) };
  const isName = property !== null && link['computed'] !== true;
  return { kind: 'operand', start: value.start, end: value.end, probe: isName ? probeOfName(value) : wrapValue(value) };
}

/** A private name cannot be computed, so that nothing can be put before it. */
function probeOfName(name: SyntaxNode): readonly Insertion[] | null {
  return name.type === 'PrivateIdentifier' ? null : beforeName(name);
}
