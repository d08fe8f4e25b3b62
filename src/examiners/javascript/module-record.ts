/** What a file imports and exports, by its text alone. */
import { commonExports } from './cjs-exports.ts';
import { memberReads, type Imported, type MemberRead } from './namespaces.ts';
import { child, children, isNode, list, parse, word, type SyntaxNode } from './syntax-tree.ts';

export interface ImportedName {
  readonly name: string;
  readonly specifier: string;
  readonly offset: number;
}

export interface Request {
  readonly specifier: string;
  readonly offset: number;
  /** Only types are asked for: nothing is left of it when the program runs. */
  readonly isTypeOnly: boolean;
  /** Its absence is provided for: `import()`, or inside a `try`. */
  readonly isGuarded: boolean;
}

export interface ModuleRecord {
  readonly requests: readonly Request[];
  /** Names that are asked of other modules, `default` among them. */
  readonly names: readonly ImportedName[];
  /** Own exports; those that are handed on by name are here too. */
  readonly exports: ReadonlySet<string>;
  /** Own exports that are another module's, or another module as a whole. */
  readonly handedOn: ReadonlyMap<string, Imported>;
  /** What is read of what was imported; looked for when it is first asked for. */
  readonly reads: () => readonly MemberRead[];
  /** Specifiers of `export * from`. */
  readonly stars: readonly string[];
  /** True for CommonJS, whose exports as a whole are its default one too. */
  readonly isCommon: boolean;
  /** True for what makes its exports while it runs. */
  readonly isUndecided: boolean;
  readonly hasSyntaxError: boolean;
  /** Specifiers that are computed, so that nobody can tell what they name. */
  readonly computed: number;
}

/** Only a text that holds one of these needs its tree looked through. */
const ASKS_WHILE_RUNNING = /\brequire\b|\bimport\s*[(.]|\bexport\s*=/;

export function moduleRecord(path: string, text: string): ModuleRecord {
  const { program, module, errors } = parse(path, text);
  const body = ASKS_WHILE_RUNNING.test(text) ? list(program(), 'body') : [];
  const requests: Request[] = [];
  const names: ImportedName[] = [];
  const stars: string[] = [];
  const imports = new Map<string, Imported>();
  const handedOn = new Map<string, Imported>();
  for (const { moduleRequest, entries } of module.staticImports) {
    const isTypeOnly = entries.length > 0 && entries.every(({ isType }) => isType);
    requests.push({ specifier: moduleRequest.value, offset: moduleRequest.start, isTypeOnly, isGuarded: false });
    for (const { importName, localName } of entries) {
      const name = is(importName.kind, 'Default') ? 'default' : importName.name;
      const isWhole = is(importName.kind, 'NamespaceObject');
      imports.set(localName.value, { specifier: moduleRequest.value, imported: isWhole ? null : name });
      if (isWhole || name === null) continue;
      names.push({ name, specifier: moduleRequest.value, offset: importName.start ?? localName.start });
    }
  }
  const exports = new Set<string>();
  for (const { moduleRequest, importName, exportName, localName, isType, start } of module.staticExports.flatMap(
    ({ entries }) => entries,
  )) {
    const exported = is(exportName.kind, 'Default') ? 'default' : exportName.name;
    if (exported !== null) exports.add(exported);
    const own = moduleRequest === null ? imports.get(localName.name ?? '') : undefined;
    if (own !== undefined && exported !== null) handedOn.set(exported, own);
    if (moduleRequest === null) continue;
    const specifier = moduleRequest.value;
    requests.push({ specifier, offset: moduleRequest.start, isTypeOnly: isType, isGuarded: false });
    if (exported !== null) handedOn.set(exported, { specifier, imported: importName.name });
    if (is(importName.kind, 'AllButDefault')) stars.push(specifier);
    else if (importName.name !== null && is(importName.kind, 'Name')) {
      names.push({ name: importName.name, specifier, offset: importName.start ?? start });
    }
  }
  const dynamic = { requests, computed: 0 };
  for (const node of body) findRequires(node, false, dynamic);
  const isExportAssigned = body.some(({ type }) => type === 'TSExportAssignment');
  const common = module.hasModuleSyntax || isExportAssigned ? null : commonExports(text, program);
  for (const name of common?.names ?? []) exports.add(name);
  for (const [name, from] of common?.handedOn ?? []) handedOn.set(name, from);
  stars.push(...(common?.stars ?? []));
  return {
    requests,
    names,
    exports,
    handedOn,
    reads: () => (imports.size > 0 || body.length > 0 ? memberReads(program(), imports) : []),
    stars,
    isCommon: common !== null,
    isUndecided: isExportAssigned || common?.isUndecided === true,
    hasSyntaxError: errors.length > 0,
    computed: dynamic.computed,
  };
}

/** The parser's kinds are enumerations that exist in its types only. */
function is(kind: string, wanted: string): boolean {
  return kind === wanted;
}

function findRequires(node: SyntaxNode, isGuarded: boolean, found: { requests: Request[]; computed: number }): void {
  const asked = requested(node);
  if (asked !== null) {
    const specifier = asked.type === 'Literal' ? word(asked, 'value') : null;
    const guard = isGuarded || node.type === 'ImportExpression';
    if (specifier === null) found.computed += 1;
    else found.requests.push({ specifier, offset: asked.start, isTypeOnly: false, isGuarded: guard });
  }
  const guarded = node.type === 'TryStatement' && child(node, 'handler') !== null ? child(node, 'block') : null;
  for (const inner of children(node)) findRequires(inner, isGuarded || inner === guarded, found);
}

/** What is asked for by `require(…)`, `import(…)` or `import x = require(…)`. */
function requested(node: SyntaxNode): SyntaxNode | null {
  if (node.type === 'ImportExpression') return child(node, 'source');
  if (node.type === 'TSExternalModuleReference') return child(node, 'expression');
  const callee = node.type === 'CallExpression' ? child(node, 'callee') : null;
  const [first] = callee?.type === 'Identifier' && word(callee, 'name') === 'require' ? list(node, 'arguments') : [];
  return isNode(first) ? first : null;
}
