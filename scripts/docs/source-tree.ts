/** The source tree of docs/design.md: one line a file, its purpose being the first sentence of its header comment. */
import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { replaceBlock } from './blocks.ts';

const HEADER = /^(?:#![^\n]*\n)?\/\*\*(.*?)\*\//s;
const SENTENCE = /^.*?\.(?=\s+[A-Z“`]|$)/;

/** Lists every source file below `src/` with its purpose, as a fenced block. Throws for a file without a header. */
export function sourceTree(repository: string): string {
  const source = join(repository, 'src');
  const paths = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const names = paths.map((path) => path.split(sep).join('/')).sort();
  const width = Math.max(...names.map((name) => name.length));
  const lines = names.map(
    (name) => `${name.padEnd(width)}  ${purpose(readFileSync(join(source, name), 'utf8'), name)}`,
  );
  return ['```', ...lines, '```'].join('\n');
}

/** Returns the design page with its source tree brought up to date. */
export function withSourceTree(page: string, repository: string): string {
  return replaceBlock(page, 'source-tree', sourceTree(repository));
}

function purpose(text: string, name: string): string {
  const comment = HEADER.exec(text)?.[1];
  if (comment === undefined) throw new Error(`src/${name} does not begin with a comment that says what it is for.`);
  const [paragraph = ''] = comment
    .replaceAll(/\n\s*\*[ \t]?/g, '\n')
    .trim()
    .split('\n\n', 1);
  const words = paragraph.replaceAll(/\s*\n\s*/g, ' ');
  return (SENTENCE.exec(words)?.[0] ?? words).replace(/[.:]$/, '');
}
