/** Reads the source files of the product as the compiler sees them: what they import, which names they use. */
import { readFileSync, readdirSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import ts from 'typescript';

interface Import {
  /** Path below `src/` for our own files, the package's name otherwise (`node:fs` for `node:fs/promises`). */
  readonly of: string;
  readonly isOurs: boolean;
  readonly isTypeOnly: boolean;
}

export interface SourceFile {
  /** Path below `src/`, with `/`. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  /** Global names and their first members that the file mentions, e.g. `process`, `process.env`. */
  readonly names: ReadonlySet<string>;
  /** Whether nothing is left of the file once its types are erased. */
  readonly isTypesOnly: boolean;
}

export const REPOSITORY = join(import.meta.dirname, '../..');

/** Reads every file below `src/`, sorted by path. */
export function readSourceFiles(): readonly SourceFile[] {
  return readdirSync(join(REPOSITORY, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readSourceFile(path.split(sep).join('/')))
    .sort((left, right) => (left.path < right.path ? -1 : 1));
}

function readSourceFile(path: string): SourceFile {
  const text = readFileSync(join(REPOSITORY, 'src', path), 'utf8');
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const names = new Set<string>();
  const imports: Import[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      names.add(`${node.expression.text}.${node.name.text}`);
    }
    const specifier = importedBy(node);
    if (specifier !== null) imports.push({ ...named(path, specifier), isTypeOnly: isTypeOnly(node) });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return {
    path,
    lines: text.split('\n').length - 1,
    imports,
    names,
    isTypesOnly: tree.statements.every(
      (statement) =>
        ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || isTypeOnly(statement),
    ),
  };
}

function importedBy(node: ts.Node): string | null {
  const argument =
    ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && node.arguments[0];
  const from = ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ? node.moduleSpecifier : argument;
  return from !== undefined && from !== false && ts.isStringLiteral(from) ? from.text : null;
}

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  return ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

function named(path: string, specifier: string): { of: string; isOurs: boolean } {
  if (specifier.startsWith('.')) return { of: posix.join(posix.dirname(path), specifier), isOurs: true };
  return { of: specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'), isOurs: false };
}
