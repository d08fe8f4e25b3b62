/**
 * Finds what a file reads of namespaces: of modules that it asks for as a whole. A namespace that is handed on, or read by a
 * computed name, cannot be followed and says nothing; so does a name whose absence the file provides for.
 */
import { declarationsIn } from './scopes.ts';
import { child, children, list, withoutParentheses, word, type SyntaxNode } from './syntax-tree.ts';

/** A name that the file has from another module; null is the module as a whole. */
export interface Imported {
  readonly specifier: string;
  readonly imported: string | null;
}

/** `names` lead from what was imported to what is read. */
export interface MemberRead extends Imported {
  readonly names: readonly string[];
  readonly offset: number;
}

type Origin = Omit<MemberRead, 'offset'>;
type Known = ReadonlyMap<string, Origin>;

const COMPARES = ['==', '!=', '===', '!==', 'in', 'instanceof'];

export function memberReads(program: SyntaxNode, imports: ReadonlyMap<string, Imported>): readonly MemberRead[] {
  const reads: MemberRead[] = [];
  const provided = new Set<string>();
  const provide = (origin: Origin | null): void => {
    if (origin !== null) provided.add(keyOf(origin));
  };

  /** What is only looked at to see whether it is there. */
  function guard(node: SyntaxNode | null, known: Known): void {
    if (node === null) return;
    const asked = withoutParentheses(node);
    if (asked.type === 'UnaryExpression') guard(child(asked, 'argument'), known);
    else if (asked.type === 'LogicalExpression' || asked.type === 'BinaryExpression') {
      const [left, right] = [child(asked, 'left'), child(asked, 'right')];
      guard(left, known);
      guard(right, known);
      const whole = word(asked, 'operator') === 'in' && right !== null ? originOf(right, known) : null;
      const name = word(left, 'value');
      if (whole !== null && name !== null) provide(member(whole, name));
    } else provide(originOf(asked, known));
  }

  function guards(node: SyntaxNode, known: Known): void {
    if (/^(If|Conditional|While|For|DoWhile)(Statement|Expression)$/.test(node.type)) guard(child(node, 'test'), known);
    else if (node.type === 'LogicalExpression' || node.type === 'AssignmentExpression')
      guard(child(node, 'left'), known);
    else if (node.type === 'UnaryExpression') guard(node, known);
    else if (node.type === 'BinaryExpression' && COMPARES.includes(word(node, 'operator') ?? '')) guard(node, known);
    else if (node['optional'] === true) guard(child(node, 'callee') ?? child(node, 'object'), known);
  }

  function readPattern(pattern: SyntaxNode | null, origin: Origin | null): void {
    if (pattern?.type !== 'ObjectPattern' || origin === null) return;
    for (const property of list(pattern, 'properties')) {
      const key = property['computed'] === true ? null : child(property, 'key');
      const name = word(key, 'name') ?? word(key, 'value');
      if (key === null || name === null) continue;
      if (child(property, 'value')?.type === 'AssignmentPattern') provide(member(origin, name));
      reads.push({ ...member(origin, name), offset: key.start });
    }
  }

  function walk(node: SyntaxNode, outside: Known): void {
    const known = new Map(outside);
    for (const [name, by] of declarationsIn(node)) {
      const init =
        by.type === 'VariableDeclarator' && child(by, 'id')?.type === 'Identifier' ? child(by, 'init') : null;
      const origin = by.type === 'TSImportEqualsDeclaration' ? child(by, 'moduleReference') : init;
      const from = origin === null ? null : originOf(origin, outside);
      if (from === null) known.delete(name);
      else known.set(name, from);
    }
    guards(node, known);
    const read = memberOf(node, known);
    if (read !== null) reads.push(read);
    if (node.type === 'VariableDeclarator') readPattern(child(node, 'id'), originIn(child(node, 'init'), known));
    // What breaks in a `try` is caught.
    const caught = node.type === 'TryStatement' && child(node, 'handler') !== null ? child(node, 'block') : null;
    for (const inner of children(node)) if (inner !== caught) walk(inner, known);
  }

  walk(program, new Map([...imports].map(([name, from]) => [name, { ...from, names: [] }])));
  return reads.filter((read) => !provided.has(keyOf(read)));
}

function keyOf({ specifier, imported, names }: Origin): string {
  return JSON.stringify([specifier, imported, names]);
}

function member(origin: Origin, name: string): Origin {
  return { ...origin, names: [...origin.names, name] };
}

function originIn(node: SyntaxNode | null, known: Known): Origin | null {
  return node === null ? null : originOf(node, known);
}

/** The module, or what of it, that an expression gives. */
function originOf(node: SyntaxNode, known: Known): Origin | null {
  const bare = withoutParentheses(node);
  if (/^(JSX)?Identifier$/.test(bare.type)) return known.get(word(bare, 'name') ?? '') ?? null;
  const awaited = bare.type === 'AwaitExpression' ? child(bare, 'argument') : null;
  if (awaited?.type === 'ImportExpression') return wholeOf(child(awaited, 'source'));
  if (bare.type === 'TSExternalModuleReference') return wholeOf(child(bare, 'expression'));
  if (bare.type === 'CallExpression') {
    const isRequire = word(child(bare, 'callee'), 'name') === 'require' && !known.has('require');
    return isRequire ? wholeOf(list(bare, 'arguments')[0] ?? null) : null;
  }
  return memberOf(bare, known);
}

function wholeOf(source: SyntaxNode | null): Origin | null {
  const specifier = source?.type === 'Literal' ? word(source, 'value') : null;
  return specifier === null ? null : { specifier, imported: null, names: [] };
}

function memberOf(node: SyntaxNode, known: Known): MemberRead | null {
  if (!/^((JSX)?MemberExpression|TSQualifiedName)$/.test(node.type)) return null;
  const object = child(node, 'object') ?? child(node, 'left');
  const property = child(node, 'property') ?? child(node, 'right');
  const origin = originIn(object, known);
  const name = word(property, node['computed'] === true ? 'value' : 'name');
  if (origin === null || property === null || name === null || property.type === 'PrivateIdentifier') return null;
  return { ...member(origin, name), offset: property.start };
}
