/** Sections → the text on stdout and between the markers of the docs. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Machine } from './machine.ts';
import type { Section, Target } from './section.ts';
import { table } from './table.ts';

const BEGIN = '<!-- npm run bench -- --write: from here -->';
const END = '<!-- npm run bench -- --write: to here -->';

/** Puts the report together: machine, targets, then the sections. */
export function composeReport({ facts, load, cores }: Machine, sections: readonly Section[]): string {
  const targets = sections.flatMap((section) => section.targets);
  const parts = sections.flatMap(({ title, body }) => [`### ${title}`, ...body]);
  return [`Measured on: ${facts}`, '### Targets', ...caution(load, cores), showTargets(targets), ...parts].join('\n\n');
}

function caution(load: number, cores: number): readonly string[] {
  if (load <= cores) return [];
  const sentence = `The machine was busy with other work (load ${load.toFixed(1)} on ${String(cores)} cores).`;
  return [
    `**${sentence} What is missed in milliseconds may be met on a quiet machine; read the ratios and the memory.**`,
  ];
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
