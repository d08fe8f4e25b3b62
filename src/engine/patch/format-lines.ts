/** Writes changed lines as the hunks of a unified diff, byte for byte: lines that are no UTF-8 stay what they are. */
import { bytesOfLines, type LineChange, type Lines } from './line-changes.ts';

const CONTEXT = 3;
const MARKER = '\\ No newline at end of file\n';

/** The diff of changes that are ascending and apart; without file names, which whoever keeps it knows. */
export function formatChanges(before: Lines, changes: readonly LineChange[]): Buffer {
  const hunks: string[] = [];
  let added = 0;
  for (const group of groupsOf(changes)) {
    const first = group[0];
    const last = group.at(-1);
    if (first === undefined || last === undefined) continue;
    const from = Math.max(0, first.from - CONTEXT);
    const end = Math.min(before.length, last.from + last.count + CONTEXT);
    const grown = group.reduce((sum, { text, count }) => sum + text.length - count, 0);
    const [oldCount, newCount] = [end - from, end - from + grown];
    hunks.push(`@@ -${startOf(from, oldCount)},${oldCount} +${startOf(from + added, newCount)},${newCount} @@\n`);
    let at = from;
    for (const { from: start, count, text } of group) {
      hunks.push(...before.slice(at, start).map((line) => marked(' ', line)));
      hunks.push(...before.slice(start, start + count).map((line) => marked('-', line)));
      hunks.push(...text.map((line) => marked('+', line)));
      at = start + count;
    }
    hunks.push(...before.slice(at, end).map((line) => marked(' ', line)));
    added += grown;
  }
  return bytesOfLines(hunks);
}

/** Changes whose lines around meet stand in one hunk. */
function groupsOf(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && change.from - last.from - last.count <= 2 * CONTEXT) {
      group.push(change);
    } else groups.push([change]);
  }
  return groups;
}

/** An empty side is named by the line before it. */
function startOf(from: number, count: number): number {
  return count === 0 ? from : from + 1;
}

function marked(prefix: string, line: string): string {
  return line.endsWith('\n') ? prefix + line : `${prefix}${line}\n${MARKER}`;
}
