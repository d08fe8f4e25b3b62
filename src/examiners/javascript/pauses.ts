/** What waits at an `await` or a `yield`: it runs only when the promise is kept, or the generator is asked again. */
import { passOn } from './insertions.ts';
import type { Way } from './outline-parts.ts';
import { child, isLogicalAssignment, withoutParentheses, type SyntaxNode } from './syntax-tree.ts';

/** `reach` is what the pause keeps waiting: its statement, the body of its arrow, or the way on which it lies. */
export function waysOfPause(node: SyntaxNode, reach: SyntaxNode): readonly Way[] {
  if (node.type !== 'AwaitExpression' && node.type !== 'YieldExpression') return [];
  if (withoutParentheses(contentOf(reach)) === node) return [];
  // At the start of a statement, a parenthesis could be read as a call of what is on the line above.
  const probe = node.start === reach.start ? null : passOn(node);
  const introducedBy = [
    [reach.start, node.start],
    [node.end, reach.end],
  ] as const;
  return [{ kind: 'resumption', start: node.start, end: node.end, introducedBy, probe }];
}

/** True for a part that a node evaluates only on one of its ways. */
export function isChosen(node: SyntaxNode, part: SyntaxNode): boolean {
  if (node.type === 'ConditionalExpression') return part !== node['test'];
  const isDecided = /^(LogicalExpression|AssignmentPattern)$/.test(node.type) || isLogicalAssignment(node);
  return isDecided && part === node['right'];
}

/** A statement that only waits, or returns what it waited for, keeps nothing waiting. */
function contentOf(reach: SyntaxNode): SyntaxNode {
  if (reach.type === 'ExpressionStatement') return child(reach, 'expression') ?? reach;
  return reach.type === 'ReturnStatement' ? (child(reach, 'argument') ?? reach) : reach;
}
