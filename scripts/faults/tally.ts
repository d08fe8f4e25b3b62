/** Counts verdicts by suite and fault, and says what came of it: a table, and a line for each violation. */
import type { Options } from './options.ts';
import type { Suite, Trial, Verdict } from './trial.ts';

interface Cell {
  trials: number;
  violations: number;
  missed: number;
  residual: number;
  kept: number;
}

export interface Tally {
  add(suite: Suite, trial: Trial, verdict: Verdict): void;
  /** True for a control of which a violation was found. */
  isCaught(suite: Suite): boolean;
  leftover(line: string): void;
  /** Prints everything and returns the exit code. */
  report(): number;
}

const MOST_LINES = 60;

/** Starts counting. */
export function createTally(options: Options): Tally {
  const started = Date.now();
  const cells = new Map<string, Map<string, Cell>>();
  const controls = new Map<string, number>();
  const lines: string[] = [];
  const leftovers: string[] = [];
  return {
    add: (suite, trial, verdict) => {
      const cell = cellOf(cells, suite.name, trial.fault);
      cell.trials += 1;
      if (verdict.isMissed === true) cell.missed += 1;
      if (verdict.isResidual === true) cell.residual += 1;
      if (verdict.isKeptInWindow === true) cell.kept += 1;
      if (suite.isControl) controls.set(suite.name, controls.get(suite.name) ?? 0);
      if (verdict.violations.length === 0) return;
      cell.violations += 1;
      if (suite.isControl) controls.set(suite.name, (controls.get(suite.name) ?? 0) + 1);
      else lines.push(`${trial.id} (seed ${options.seed})\n    ${verdict.violations.join('\n    ')}`);
      if (!suite.isControl && lines.length <= MOST_LINES) print(`VIOLATION ${lines.at(-1) ?? ''}`);
    },
    isCaught: (suite) => (controls.get(suite.name) ?? 0) > 0,
    leftover: (line) => leftovers.push(line),
    report: () => {
      print(tableOf(cells));
      if (lines.length > MOST_LINES) print(`… and ${lines.length - MOST_LINES} violations that are not shown`);
      for (const line of leftovers) print(`LEFT ${line}`);
      const blind = [...controls].filter(([, count]) => count === 0).map(([name]) => name);
      for (const name of blind) print(`BLIND the control ${name} was not caught`);
      const seconds = Math.round((Date.now() - started) / 1000);
      const total = [...cells.values()].flatMap((row) => [...row.values()]);
      const sum = (key: keyof Cell): number => total.reduce((all, cell) => all + cell[key], 0);
      print(
        `seed ${options.seed}: ${sum('trials')} trials in ${seconds} s, ${lines.length} violations, ` +
          `${sum('missed')} faults that did not strike, ${sum('residual')} foreign replacements lost in the documented window, ` +
          `${sum('kept')} edits in place kept in it; ` +
          `controls caught: ${[...controls].map(([name, count]) => `${name} ${count}`).join(', ')}`,
      );
      if (lines.length > 0) print('Replay one with: npm run faults -- --only <id>');
      return lines.length + leftovers.length + blind.length > 0 ? 1 : 0;
    },
  };
}

function cellOf(cells: Map<string, Map<string, Cell>>, row: string, column: string): Cell {
  const columns = cells.get(row) ?? new Map<string, Cell>();
  cells.set(row, columns);
  const cell = columns.get(column) ?? { trials: 0, violations: 0, missed: 0, residual: 0, kept: 0 };
  columns.set(column, cell);
  return cell;
}

function tableOf(cells: Map<string, Map<string, Cell>>): string {
  const rows = [
    ['scenario', 'fault', 'trials', 'violations', 'not struck', 'lost in the window', 'kept in the window'],
  ];
  for (const [row, columns] of cells) {
    for (const [column, { trials, violations, missed, residual, kept }] of columns) {
      rows.push([row, column, ...[trials, violations, missed, residual, kept].map(String)]);
    }
  }
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((word, column) => word.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
