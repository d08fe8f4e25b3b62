/** Markdown tables with aligned columns: readable on a terminal and in the docs alike. */

export type Row = readonly string[];

/** Lays out a table; the first column is text, the others are figures. */
export function table(head: Row, rows: readonly Row[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, ...[head, ...rows].map((row) => (row[column] ?? '').length), title.length),
  );
  const line = (row: Row): string => {
    const cells = widths.map((width, column) => {
      const cell = row[column] ?? '';
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    return `| ${cells.join(' | ')} |`;
  };
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** Milliseconds in two or three digits. */
export function showMs(ms: number): string {
  if (Number.isNaN(ms)) return '-';
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  return `${ms >= 100 ? ms.toFixed(0) : ms.toFixed(ms >= 10 ? 1 : 2)} ms`;
}

/** KiB as MB. */
export function showMemory(kib: number | null): string {
  return kib === null || Number.isNaN(kib) ? '-' : `${(kib / 1024).toFixed(0)} MB`;
}

/** How many times as much. */
export function showRatio(value: number, of: number): string {
  const ratio = value / of;
  return Number.isNaN(ratio) ? '-' : `${ratio >= 100 ? ratio.toFixed(0) : ratio.toFixed(2)}x`;
}
