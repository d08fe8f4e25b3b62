/** The ways through a node: what is taken or not, depending on a value. One rule for each kind of node. */
import { waysOfChain } from './chains.ts';
import { insideBlock, wrapStatement, wrapValue } from './insertions.ts';
import type { Way } from './outline-parts.ts';
import { child, isLogicalAssignment, list, withoutParentheses, word, type SyntaxNode } from './syntax-tree.ts';

type Stretch = readonly [start: number, end: number];

/** Lists the ways through this node itself, not those through nodes inside. */
export function ways(node: SyntaxNode): readonly Way[] {
  switch (node.type) {
    case 'IfStatement':
      return waysOfIf(node);
    case 'ConditionalExpression':
      return waysOfConditional(node);
    case 'LogicalExpression':
      return valueWay('operand', child(node, 'right'), [[node.start, node.end]]);
    case 'AssignmentExpression':
      return isLogicalAssignment(node) ? waysOfAssignment(node) : [];
    case 'AssignmentPattern':
      return waysOfDefault(node);
    case 'ChainExpression':
      return waysOfChain(node);
    case 'SwitchStatement':
      return waysOfSwitch(node);
    case 'TryStatement':
      return waysOfTry(node);
    case 'ForStatement':
      return [...waysOfLoop(node), ...waysOfUpdate(node)];
    case 'DoWhileStatement':
      return waysOfDoWhile(node);
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'WithStatement':
      return waysOfLoop(node);
    default:
      return [];
  }
}

/** The body of a function: any change of its head, or of what an arrow returns, needs a call. */
export function functionArm(node: SyntaxNode, headStart: number): Way | null {
  const body = child(node, 'body');
  if (body === null) return null;
  const isBlock = body.type === 'BlockStatement';
  const head: Stretch = [headStart, isBlock ? body.start : body.end];
  const probe = isBlock ? insideBlock(afterDirectives(body)) : wrapValue(body);
  const kind = isBlock ? 'function' : 'arrow';
  return { kind, start: body.start, end: body.end, introducedBy: [head], probe };
}

/** True for functions and classes that get their name from where they are written: put into anything they would lose it. */
export function hasInferredName(node: SyntaxNode): boolean {
  const value = withoutParentheses(node);
  if (value.type === 'ArrowFunctionExpression') return true;
  return /^(Function|Class)Expression$/.test(value.type) && child(value, 'id') === null;
}

function waysOfIf(node: SyntaxNode): readonly Way[] {
  const [consequent, alternate] = [child(node, 'consequent'), child(node, 'alternate')];
  if (consequent === null) return [];
  const head: Stretch = [node.start, consequent.start];
  const then = bodyWay('then', consequent, [head, [consequent.start, consequent.end]]);
  if (alternate === null) return then;
  return [...then, ...bodyWay('else', alternate, [head, [consequent.end, alternate.end]])];
}

function waysOfConditional(node: SyntaxNode): readonly Way[] {
  const [test, consequent, alternate] = ['test', 'consequent', 'alternate'].map((field) => child(node, field));
  if (!test || !consequent || !alternate) return [];
  const head: Stretch = [node.start, consequent.start];
  return [
    ...valueWay('then', consequent, [head, [consequent.start, consequent.end]]),
    ...valueWay('else', alternate, [head, [consequent.end, node.end]]),
  ];
}

function waysOfAssignment(node: SyntaxNode): readonly Way[] {
  const right = child(node, 'right');
  if (right === null) return [];
  const isNamed = child(node, 'left')?.type === 'Identifier' && hasInferredName(right);
  const [way] = valueWay('operand', right, [[node.start, node.end]]);
  return way === undefined ? [] : [isNamed ? { ...way, probe: null } : way];
}

function waysOfDefault(node: SyntaxNode): readonly Way[] {
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  if (left === null || right === null) return [];
  const [way] = valueWay('default', right, [[left.end, node.end]]);
  return way === undefined ? [] : [hasInferredName(right) ? { ...way, probe: null } : way];
}

function waysOfSwitch(node: SyntaxNode): readonly Way[] {
  const discriminant = child(node, 'discriminant');
  if (discriminant === null) return [];
  return list(node, 'cases').flatMap((clause): readonly Way[] => {
    const [first] = list(clause, 'consequent');
    const test = child(clause, 'test');
    const head: Stretch = [node.start, discriminant.end];
    const probe = first === undefined ? [] : insideBlock(first.start);
    const body: Way = {
      kind: 'case',
      start: clause.start,
      end: clause.end,
      introducedBy: [head, [clause.start, clause.end]],
      probe: probe.length === 0 ? insideBlock(clause.end) : probe,
    };
    // Falling through from the clause above runs the body and not the test.
    return test === null ? [body] : [body, ...valueWay('condition', test, [[clause.start, test.end]])];
  });
}

function waysOfTry(node: SyntaxNode): readonly Way[] {
  const handler = child(node, 'handler');
  const body = handler === null ? null : child(handler, 'body');
  if (handler === null || body === null) return [];
  return [
    {
      kind: 'catch',
      start: handler.start,
      end: handler.end,
      introducedBy: [[handler.start, handler.end]],
      probe: insideBlock(body.start + 1),
    },
  ];
}

function waysOfLoop(node: SyntaxNode): readonly Way[] {
  const body = child(node, 'body');
  return body === null ? [] : bodyWay('loop', body, [[node.start, body.start]]);
}

/** The last part of a head: it never runs where the body is always left before its end. */
function waysOfUpdate(node: SyntaxNode): readonly Way[] {
  const [update, body] = [child(node, 'update'), child(node, 'body')];
  const before = child(node, 'test') ?? child(node, 'init');
  if (update === null || body === null) return [];
  return valueWay('update', update, [[before?.end ?? node.start, body.start]]);
}

function waysOfDoWhile(node: SyntaxNode): readonly Way[] {
  const body = child(node, 'body');
  return body === null ? [] : valueWay('condition', child(node, 'test'), [[body.end, node.end]]);
}

function bodyWay(kind: string, body: SyntaxNode, introducedBy: readonly Stretch[]): readonly Way[] {
  const isDeclaration = /^(Function|Class)Declaration$/.test(body.type);
  const wrapped = isDeclaration ? null : wrapStatement(body);
  const probe = body.type === 'BlockStatement' ? insideBlock(body.start + 1) : wrapped;
  return [{ kind, start: body.start, end: body.end, introducedBy, probe }];
}

function valueWay(kind: string, value: SyntaxNode | null, introducedBy: readonly Stretch[]): readonly Way[] {
  return value === null ? [] : [{ kind, start: value.start, end: value.end, introducedBy, probe: wrapValue(value) }];
}

function afterDirectives(block: SyntaxNode): number {
  const directives = list(block, 'body').filter((node) => word(node, 'directive') !== null);
  return directives.at(-1)?.end ?? block.start + 1;
}
