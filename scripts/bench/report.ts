/** Sections → the text on stdout and between the markers of the docs. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Section, Target } from './section.ts';
import { table } from './table.ts';

const BEGIN = '<!-- npm run bench -- --write: from here -->';
const END = '<!-- npm run bench -- --write: to here -->';

/** Puts the report together: machine, targets, then the sections. */
export function composeReport(machine: string, sections: readonly Section[]): string {
  const targets = sections.flatMap((section) => section.targets);
  const parts = sections.flatMap(({ title, body }) => [`### ${title}`, ...body]);
  return [`Measured on: ${machine}`, '### Targets', showTargets(targets), ...parts].join('\n\n');
}

/** Replaces what stands between the markers of the page. */
export function writeReport(page: string, report: string): void {
  const text = readFileSync(page, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${page} lacks its markers.`);
  writeFileSync(page, `${text.slice(0, begin + BEGIN.length)}\n\n${report}\n\n${text.slice(end)}`);
}

function showTargets(targets: readonly Target[]): string {
  const rows = targets.map(({ what, value, most, show }) => {
    const isMet = Number.isNaN(value) ? '-' : value <= most ? 'yes' : 'NO';
    return [what, show(value), show(most), isMet];
  });
  return table(['what', 'measured', 'at most', 'met'], rows);
}
