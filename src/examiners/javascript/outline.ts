/**
 * Walks a syntax tree and lists what of it can run: statements, and the ways through them. Says where each is and where its
 * probe would go; whether the text stands it is found out by parsing (`prove.ts`).
 */
import type { Insertion, Timing } from '../../model/examination.ts';
import { functionArm, hasInferredName, ways } from './arms.ts';
import { beforeStatement, insideClass, wrapStatement, wrapValue } from './insertions.ts';
import type { Outline, OutlineArm, OutlineStatement } from './outline-parts.ts';
import { isChosen, waysOfPause } from './pauses.ts';
import { child, children, isNode, list, withoutParentheses, word, type SyntaxNode } from './syntax-tree.ts';

/** What is known of the place that is being walked. */
interface Place {
  readonly timing: Timing;
  readonly owner: SyntaxNode | null;
  /** What an `await` here keeps waiting; null outside of any statement. */
  readonly reach: SyntaxNode | null;
  readonly isTypeScript: boolean;
  /** Where a list of statements begins to run, for what is hoisted to there. */
  readonly blockStart: number | null;
}

/** Statements that hold a body without braces, and the fields in which they do. */
const BODIES: Readonly<Record<string, readonly string[]>> = {
  IfStatement: ['consequent', 'alternate'],
  ForStatement: ['body'],
  ForInStatement: ['body'],
  ForOfStatement: ['body'],
  WhileStatement: ['body'],
  DoWhileStatement: ['body'],
  WithStatement: ['body'],
};

const INERT = /^(TSInterface|TSTypeAlias|TSDeclareFunction|TSNamespaceExport|TSAbstract|TSIndexSignature)/;
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
const EXPORTS = ['ExportNamedDeclaration', 'ExportDefaultDeclaration'];

/** Outlines a program; a file of declarations has nothing but inert statements. */
export function outline(program: SyntaxNode, file: { isTypeScript: boolean; isDeclarations: boolean }): Outline {
  const statements: OutlineStatement[] = [];
  const arms: OutlineArm[] = [];

  function walkList(nodes: readonly SyntaxNode[], place: Place): void {
    const first = nodes.find((node) => word(node, 'directive') === null);
    const start = first === undefined ? null : startOf(first);
    for (const node of nodes) walkStatement(node, { ...place, blockStart: start });
  }

  function add(node: SyntaxNode, place: Place, probe: readonly Insertion[] | null): void {
    const isInert = file.isDeclarations || isInertStatement(node);
    statements.push({ node, kind: kindOf(node), timing: place.timing, isInert, probe: isInert ? null : probe });
  }

  function walkStatement(node: SyntaxNode, place: Place): void {
    if (node.type === 'BlockStatement') walkList(list(node, 'body'), place);
    else if (node.type !== 'EmptyStatement') {
      const hoisted = isHoisted(node) ? place.blockStart : null;
      add(node, place, beforeStatement(hoisted ?? startOf(node)));
      walkParts(node, { ...place, owner: node, reach: node });
    }
  }

  /** A body without braces gets some; with them its statements are the nested ones. */
  function walkBody(node: SyntaxNode, place: Place): void {
    if (node.type === 'BlockStatement') walkList(list(node, 'body'), place);
    else if (node.type !== 'EmptyStatement') {
      add(node, place, isHoisted(node) ? null : wrapStatement(node));
      walkParts(node, { ...place, owner: node, reach: node });
    }
  }

  function walkParts(node: SyntaxNode, place: Place): void {
    if (isInertStatement(node)) return;
    if (node.type.startsWith('TSEnum')) {
      walkConstants(node, place);
      return;
    }
    if (FUNCTIONS.includes(node.type)) {
      walkFunction(node, place);
      return;
    }
    const pauses = place.reach === null ? [] : waysOfPause(node, place.reach);
    for (const way of [...ways(node), ...pauses]) arms.push({ ...way, timing: place.timing, owner: place.owner });
    const bodies = BODIES[node.type] ?? [];
    for (const field of bodies) {
      const body = child(node, field);
      if (body !== null) walkBody(body, place);
    }
    const bodyNodes = new Set(bodies.map((field) => node[field]).filter(isNode));
    for (const inner of children(node)) {
      if (!bodyNodes.has(inner)) walkInner(inner, isChosen(node, inner) ? { ...place, reach: inner } : place);
    }
  }

  /** A probe among the constants of an enumeration could make them none. */
  function walkConstants(node: SyntaxNode, place: Place): void {
    for (const inner of children(node)) {
      const found = ways(inner).map((way) => ({ ...way, probe: null, timing: place.timing, owner: place.owner }));
      arms.push(...found);
      walkConstants(inner, place);
    }
  }

  /** Anything that is no statement by its place: expressions, functions, classes, clauses. */
  function walkInner(node: SyntaxNode, place: Place): void {
    if (node.type === 'BlockStatement' || node.type === 'StaticBlock' || node.type === 'TSModuleBlock') {
      walkList(list(node, 'body'), place);
    } else if (node.type === 'LabeledStatement' || /Statement$/.test(node.type)) walkParts(node, place);
    else if (node.type === 'SwitchCase') walkCase(node, place);
    else if (isMethod(node)) walkMethod(node, place);
    else if (node.type === 'PropertyDefinition' || node.type === 'AccessorProperty') walkField(node, place);
    else walkParts(node, place);
  }

  function walkCase(node: SyntaxNode, place: Place): void {
    const test = child(node, 'test');
    if (test !== null) walkInner(test, place);
    for (const statement of list(node, 'consequent')) walkStatement(statement, { ...place, blockStart: null });
  }

  /** `headStart` is where a method begins: its name stands before its function. */
  function walkFunction(node: SyntaxNode, place: Place, headStart = node.start): void {
    const inside: Place = { ...place, timing: 'body' };
    const arm = functionArm(node, headStart);
    if (arm !== null) arms.push({ ...arm, timing: 'body', owner: place.owner });
    for (const parameter of list(node, 'params')) walkInner(parameter, inside);
    const body = child(node, 'body');
    if (body !== null) walkInner(body, { ...inside, reach: body });
  }

  function walkMethod(node: SyntaxNode, place: Place): void {
    for (const inner of children(node)) {
      if (inner === node['value'] && FUNCTIONS.includes(inner.type)) walkFunction(inner, place, node.start);
      else walkInner(inner, place);
    }
  }

  function walkField(node: SyntaxNode, place: Place): void {
    const value = child(node, 'value');
    for (const inner of children(node)) if (inner !== value) walkInner(inner, place);
    if (value === null && (place.isTypeScript || node['declare'] === true)) return;
    const inside: Place = { ...place, timing: node['static'] === true ? place.timing : 'body' };
    const bare = value === null ? null : withoutParentheses(value);
    // A function in a field is a method in other clothes: what counts is that it is called.
    if (bare !== null && FUNCTIONS.includes(bare.type) && hasInferredName(bare)) walkFunction(bare, inside, node.start);
    else {
      add(node, inside, bare === null ? null : probeOfField(bare));
      if (bare !== null) walkInner(bare, { ...inside, owner: node, reach: node });
    }
  }

  const { isTypeScript } = file;
  const body = list(program, 'body');
  walkList(body, { timing: 'definition', owner: null, reach: null, isTypeScript, blockStart: null });
  const first = body.find((node) => word(node, 'directive') === null);
  return { statements, arms, firstStatement: first === undefined ? null : startOf(first) };
}

function probeOfField(value: SyntaxNode): readonly Insertion[] | null {
  if (!hasInferredName(value)) return wrapValue(value);
  const body = child(value, 'body');
  return body === null ? null : insideClass(body.start + 1);
}

/** A declared function exists as soon as its block is entered, wherever in the block it is written. */
function isHoisted(node: SyntaxNode): boolean {
  return node.type === 'FunctionDeclaration' || (EXPORTS.includes(node.type) && isHoistedDeclaration(node));
}

function isHoistedDeclaration(node: SyntaxNode): boolean {
  return child(node, 'declaration')?.type === 'FunctionDeclaration';
}

function isMethod(node: SyntaxNode): boolean {
  if (node.type === 'MethodDefinition') return true;
  return node.type === 'Property' && (node['method'] === true || node['kind'] === 'get' || node['kind'] === 'set');
}

/** A decorator may stand before the `export` of its class. */
function startOf(node: SyntaxNode): number {
  const declaration = EXPORTS.includes(node.type) ? child(node, 'declaration') : null;
  return Math.min(node.start, ...list(declaration ?? node, 'decorators').map(({ start }) => start));
}

function isInertStatement(node: SyntaxNode): boolean {
  if (word(node, 'directive') !== null || node['declare'] === true || INERT.test(node.type)) return true;
  if (node['importKind'] === 'type' || node['exportKind'] === 'type') return true;
  const declaration = EXPORTS.includes(node.type) ? child(node, 'declaration') : null;
  return declaration !== null && isInertStatement(declaration);
}

/** `ReturnStatement` → `return`, `VariableDeclaration` → `const`, `ExpressionStatement` → what it does. */
function kindOf(node: SyntaxNode): string {
  if (node.type === 'VariableDeclaration') return word(node, 'kind') ?? 'variable';
  const expression = node.type === 'ExpressionStatement' ? child(node, 'expression') : null;
  if (expression !== null) return word(node, 'directive') === null ? expressionKind(expression) : 'directive';
  if (node.type === 'PropertyDefinition' || node.type === 'AccessorProperty') return 'field';
  return node.type
    .replace(/^TS/, '')
    .replace(/(Statement|Declaration)$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
}

function expressionKind(node: SyntaxNode): string {
  if (node.type === 'AssignmentExpression') return 'assignment';
  if (node.type === 'CallExpression') return 'call';
  if (node.type === 'AwaitExpression') return 'await';
  return 'expression';
}
