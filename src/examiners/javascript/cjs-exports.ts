/**
 * The names that a CommonJS module gives, where they are plainly written. A name that is given on some way only counts as
 * given; exports that are made, copied or handed to others while the module runs are not decided.
 */
import type { Imported } from './namespaces.ts';
import { declarationsIn } from './scopes.ts';
import { child, children, list, withoutParentheses, word, type SyntaxNode } from './syntax-tree.ts';

export interface CommonExports {
  readonly names: ReadonlySet<string>;
  /** Names under which another module is given as a whole. */
  readonly handedOn: ReadonlyMap<string, Imported>;
  /** Specifiers of modules that are given in place of this one. */
  readonly stars: readonly string[];
  readonly isUndecided: boolean;
}

/** A text without any of these gives nothing. */
const MAY_GIVE = /\b(?:exports|module|this|define|eval)\b/;
const OWN = ['exports', 'module', 'require'];
const OWN_THIS = /^(?:Function(?:Declaration|Expression)|PropertyDefinition|AccessorProperty|StaticBlock)$/;
const HARMLESS = /^(?:BinaryExpression|UnaryExpression)$/;

/** Reads a text that holds no `import` and no `export`. */
export function commonExports(text: string, program: () => SyntaxNode): CommonExports {
  const names = new Set<string>();
  const handedOn = new Map<string, Imported>();
  const stars: string[] = [];
  let isUndecided = false;
  const undecided = (): void => {
    isUndecided = true;
  };
  const required = new Map<string, string>();

  function give(name: string, value: SyntaxNode): void {
    const given = innermost(value);
    if (given.type === 'UnaryExpression' && word(given, 'operator') === 'void') return;
    const specifier = requiredBy(given) ?? required.get(word(given, 'name') ?? '');
    // Given in two ways, it may be either.
    if (names.has(name)) handedOn.delete(name);
    else if (specifier !== undefined) handedOn.set(name, { specifier, imported: null });
    names.add(name);
  }

  /** What becomes of `module.exports` as a whole. */
  function giveAll(value: SyntaxNode): void {
    const given = unfrozen(innermost(value));
    const specifier = requiredBy(given);
    if (specifier !== undefined) stars.push(specifier);
    else if (given.type === 'ObjectExpression') {
      for (const property of list(given, 'properties')) {
        const name = property['computed'] === true ? null : nameOf(child(property, 'key'));
        const own = child(property, 'value');
        if (name === null || own === null) undecided();
        else give(name, own);
      }
    } else if (!isExports(given)) undecided();
  }

  /** `isTarget`: a pattern or a loop may assign to it. */
  function walk(node: SyntaxNode, parent: SyntaxNode | null, hasThis: boolean, isTarget: boolean): void {
    for (const name of declarationsIn(node).keys()) if (OWN.includes(name)) undecided();
    if (node.type === 'ThisExpression' && hasThis) undecided();
    if (node.type === 'CallExpression' && ['define', 'eval'].includes(nameOf(child(node, 'callee')) ?? '')) undecided();
    const passed = new Set<SyntaxNode>();
    const pass = (inner: SyntaxNode | null): void => {
      if (inner !== null) passed.add(inner);
    };
    const [left, right] = [child(node, 'left'), child(node, 'right')];
    if (node.type === 'AssignmentExpression' && left !== null && right !== null) {
      const member = memberOfExports(left);
      if (isExports(left)) {
        if (!isDropped(node, parent)) undecided();
        giveAll(right);
        pass(left);
        if (isExports(innermost(right))) pass(right);
      } else if (member !== null) {
        give(member, right);
        pass(left);
      }
    }
    const defined = definedBy(node);
    if (defined !== null) {
      names.add(defined.name);
      pass(defined.of);
    }
    if (memberOfExports(node) !== null) {
      if (isTarget) undecided();
      pass(child(node, 'object'));
    } else if (isExports(node) || isModule(node)) {
      const isLookedAt = parent !== null && HARMLESS.test(parent.type);
      if (!isLookedAt && !(isModule(node) && isMember(parent, node))) undecided();
      if (node.type !== 'Identifier') return;
    }
    const isPattern = /^(?:ObjectPattern|ArrayPattern|AssignmentPattern|RestElement|For(?:In|Of)Statement)$/.test(
      node.type,
    );
    const below = isPattern || (node.type === 'Property' && isTarget);
    for (const inner of children(node)) {
      if (!passed.has(inner)) walk(inner, node, hasThis && !OWN_THIS.test(node.type), below);
    }
  }

  if (MAY_GIVE.test(text)) {
    const root = program();
    for (const [name, by] of declarationsIn(root)) {
      const init =
        by.type === 'VariableDeclarator' && child(by, 'id')?.type === 'Identifier' ? child(by, 'init') : null;
      const specifier = init === null ? undefined : requiredBy(withoutParentheses(init));
      if (specifier !== undefined) required.set(name, specifier);
    }
    walk(root, null, true, false);
  }
  return { names, handedOn, stars, isUndecided };
}

/** Behind a chain of assignments. */
function innermost(value: SyntaxNode): SyntaxNode {
  const bare = withoutParentheses(value);
  const right = bare.type === 'AssignmentExpression' ? child(bare, 'right') : null;
  return right === null ? bare : innermost(right);
}

function unfrozen(value: SyntaxNode): SyntaxNode {
  const callee = value.type === 'CallExpression' ? child(value, 'callee') : null;
  const isFreeze = nameOf(child(callee ?? value, 'object')) === 'Object' && propertyOf(callee) === 'freeze';
  const [first] = isFreeze ? list(value, 'arguments') : [];
  return first === undefined ? value : withoutParentheses(first);
}

function requiredBy(node: SyntaxNode): string | undefined {
  const isRequire = node.type === 'CallExpression' && nameOf(child(node, 'callee')) === 'require';
  const [first] = isRequire ? list(node, 'arguments') : [];
  return (first?.type === 'Literal' ? word(first, 'value') : null) ?? undefined;
}

/** `Object.defineProperty(exports, 'name', …)`. */
function definedBy(node: SyntaxNode): { readonly name: string; readonly of: SyntaxNode } | null {
  const callee = node.type === 'CallExpression' ? child(node, 'callee') : null;
  if (propertyOf(callee) !== 'defineProperty') return null;
  const [of, key] = list(node, 'arguments');
  const name = key?.type === 'Literal' ? word(key, 'value') : null;
  return of === undefined || name === null || !isExports(of) ? null : { name, of };
}

/** Where the value of an assignment ends: nowhere, or in the exports again. */
function isDropped(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  if (parent?.type === 'ExpressionStatement') return true;
  const left =
    parent?.type === 'AssignmentExpression' && child(parent, 'right') === node ? child(parent, 'left') : null;
  return left !== null && (isExports(left) || memberOfExports(left) !== null);
}

function isModule(node: SyntaxNode): boolean {
  return node.type === 'Identifier' && word(node, 'name') === 'module';
}

/** `exports` or `module.exports`. */
function isExports(node: SyntaxNode): boolean {
  if (node.type === 'Identifier') return word(node, 'name') === 'exports';
  const object = node.type === 'MemberExpression' ? child(node, 'object') : null;
  return object !== null && isModule(object) && propertyOf(node) === 'exports';
}

function isMember(node: SyntaxNode | null, object: SyntaxNode): boolean {
  return node !== null && child(node, 'object') === object && propertyOf(node) !== null;
}

/** The name in `exports.name` and `module.exports['name']`. */
function memberOfExports(node: SyntaxNode): string | null {
  const object = node.type === 'MemberExpression' ? child(node, 'object') : null;
  return object !== null && isExports(object) ? propertyOf(node) : null;
}

function propertyOf(node: SyntaxNode | null): string | null {
  if (node?.type !== 'MemberExpression') return null;
  const property = child(node, 'property');
  return node['computed'] === true ? word(property, 'value') : nameOf(property);
}

/** Of an identifier, or of a key that is a string. */
function nameOf(node: SyntaxNode | null): string | null {
  return node?.type === 'Identifier' ? word(node, 'name') : node?.type === 'Literal' ? word(node, 'value') : null;
}
