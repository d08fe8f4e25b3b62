/**
 * Parses one source file, and gives the tree in the only form the examiner needs: nodes with a type, a place and fields that
 * are looked up by name. The sole owner of oxc-parser.
 */
import { parseSync, visitorKeys, type Comment, type EcmaScriptModule } from 'oxc-parser';

export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export interface SyntaxError {
  readonly message: string;
  readonly offset: number;
}

export interface SyntaxTree {
  /** Carrying the tree over costs more than parsing: it is not done before it is asked for. */
  readonly program: () => SyntaxNode;
  readonly comments: readonly Comment[];
  readonly module: EcmaScriptModule;
  readonly errors: readonly SyntaxError[];
}

type Dialect = 'js' | 'jsx' | 'ts' | 'tsx' | 'dts';
type Goal = 'module' | 'commonjs' | 'unambiguous';

/** Parses a file by the rules that its name gives; where the name leaves open what it is, the reading without errors counts. */
export function parse(path: string, text: string): SyntaxTree {
  const trees: SyntaxTree[] = [];
  for (const goal of goalsOf(path)) {
    const tree = parseAs(path, text, goal);
    if (tree.errors.length === 0) return tree;
    trees.push(tree);
  }
  const [first] = trees;
  return first ?? parseAs(path, text, 'unambiguous');
}

export function isTypeScript(path: string): boolean {
  return /\.[mc]?tsx?$/i.test(path);
}

/** A file of declarations holds nothing that runs. */
export function isDeclarationFile(path: string): boolean {
  return /\.d\.([^./]+\.)?[mc]?ts$/i.test(path);
}

function parseAs(path: string, text: string, goal: Goal): SyntaxTree {
  const options = { lang: dialectOf(path), sourceType: goal, preserveParens: true, showSemanticErrors: true };
  const result = parseSync(path, text, options);
  const errors = result.errors
    .filter(({ severity }) => isError(severity))
    .map(({ message, labels }) => ({ message, offset: labels[0]?.start ?? 0 }));
  const program = (): SyntaxNode => {
    const root: unknown = result.program;
    if (!isNode(root)) throw new Error(`the parser gave no tree for ${path}`);
    return root;
  };
  return { program, comments: result.comments, module: result.module, errors };
}

/** The parser's severities are an enumeration that exists in its types only. */
function isError(severity: string): boolean {
  return severity === 'Error';
}

function dialectOf(path: string): Dialect {
  if (isDeclarationFile(path)) return 'dts';
  if (/\.tsx$/i.test(path)) return 'tsx';
  return isTypeScript(path) ? 'ts' : 'jsx';
}

/** Most specific first: a `.js` file may be either kind, and a `return` at its top level is fine in the second. */
function goalsOf(path: string): readonly Goal[] {
  if (/\.m[jt]s$/i.test(path)) return ['module'];
  if (/\.c[jt]s$/i.test(path)) return ['commonjs'];
  return ['unambiguous', 'commonjs'];
}

export function isNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    'start' in value &&
    typeof value.start === 'number'
  );
}

/** The node in a field, if there is one. */
export function child(node: SyntaxNode, field: string): SyntaxNode | null {
  const value = node[field];
  return isNode(value) ? value : null;
}

/** The nodes in a field that holds a list; holes are left out. */
export function list(node: SyntaxNode, field: string): readonly SyntaxNode[] {
  const value = node[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function word(node: SyntaxNode | null, field: string): string | null {
  const value = node?.[field];
  return typeof value === 'string' ? value : null;
}

/** All nodes directly below, in the order of the text as far as the grammar goes. */
export function children(node: SyntaxNode): readonly SyntaxNode[] {
  return (visitorKeys[node.type] ?? []).flatMap((field) => {
    const single = child(node, field);
    return single === null ? list(node, field) : [single];
  });
}

export function withoutParentheses(node: SyntaxNode): SyntaxNode {
  const inner = node.type === 'ParenthesizedExpression' ? child(node, 'expression') : null;
  return inner === null ? node : withoutParentheses(inner);
}

/** Assigns only where the left side asks for it: `??=`, `||=`, `&&=`. */
export function isLogicalAssignment(node: SyntaxNode): boolean {
  return node.type === 'AssignmentExpression' && ['&&=', '||=', '??='].includes(word(node, 'operator') ?? '');
}
