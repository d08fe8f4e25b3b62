/** Which names a node of the tree declares for what is inside it, and by which node each is declared. */
import { child, children, list, word, type SyntaxNode } from './syntax-tree.ts';

export type Declarations = ReadonlyMap<string, SyntaxNode>;

const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

/** Names that are declared here hide those of the same name from outside. */
export function declarationsIn(scope: SyntaxNode): Declarations {
  const found = new Map<string, SyntaxNode>();
  const add = (pattern: SyntaxNode | null, by: SyntaxNode): void => {
    if (pattern !== null) for (const name of boundNames(pattern)) found.set(name, by);
  };
  const declare = (node: SyntaxNode): void => {
    const declared = /^Export(Named|Default)Declaration$/.test(node.type) ? child(node, 'declaration') : node;
    if (declared?.type === 'VariableDeclaration') {
      for (const declarator of list(declared, 'declarations')) add(child(declarator, 'id'), declarator);
    } else if (declared !== null && /Declaration$/.test(declared.type)) add(child(declared, 'id'), declared);
  };
  if (FUNCTION.test(scope.type)) {
    add(child(scope, 'id'), scope);
    for (const parameter of list(scope, 'params')) add(parameter, scope);
    for (const variable of variablesBelow(child(scope, 'body'))) declare(variable);
  } else if (/^Class/.test(scope.type)) add(child(scope, 'id'), scope);
  else if (scope.type === 'CatchClause') add(child(scope, 'param'), scope);
  else if (scope.type === 'SwitchStatement') {
    for (const clause of list(scope, 'cases')) for (const node of list(clause, 'consequent')) declare(node);
  } else if (/^For/.test(scope.type)) {
    for (const field of ['init', 'left']) {
      const head = child(scope, field);
      if (head !== null) declare(head);
    }
  } else for (const node of list(scope, 'body')) declare(node);
  return found;
}

/** Declarations by `var`, which hold for the whole function. */
function variablesBelow(node: SyntaxNode | null): readonly SyntaxNode[] {
  if (node === null || FUNCTION.test(node.type)) return [];
  const own = node.type === 'VariableDeclaration' && word(node, 'kind') === 'var' ? [node] : [];
  return [...own, ...children(node).flatMap(variablesBelow)];
}

function boundNames(pattern: SyntaxNode): readonly string[] {
  if (pattern.type === 'Identifier') return [word(pattern, 'name') ?? ''];
  if (pattern.type === 'Property') return namesIn(child(pattern, 'value'));
  if (pattern.type === 'AssignmentPattern') return namesIn(child(pattern, 'left'));
  if (pattern.type === 'RestElement') return namesIn(child(pattern, 'argument'));
  if (pattern.type === 'TSParameterProperty') return namesIn(child(pattern, 'parameter'));
  return [...list(pattern, 'properties'), ...list(pattern, 'elements')].flatMap(boundNames);
}

function namesIn(pattern: SyntaxNode | null): readonly string[] {
  return pattern === null ? [] : boundNames(pattern);
}
