/** The generated parts of a Markdown page: whatever stands between a pair of markers belongs to a script. */

/** Returns the page with the named block replaced; throws when the page has no such pair of markers. */
export function replaceBlock(page: string, name: string, body: string): string {
  const start = `<!-- generated: ${name} -->\n`;
  const end = '<!-- /generated -->\n';
  const from = page.indexOf(start);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`The page has no block "${name}".`);
  return `${page.slice(0, from + start.length)}\n${body.trimEnd()}\n\n${page.slice(to)}`;
}

const COLUMNS = 120;

/** Lays rows out as a Markdown table, with its columns aligned where that keeps the lines short. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...[head, ...body].map((row) => row[column]?.length ?? 0)));
  const isShort = widths.reduce((sum, width) => sum + width + 3, 1) <= COLUMNS;
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(isShort ? (widths[at] ?? 0) : 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(isShort ? width : 3))), ...body.map(line)].join('\n');
}
