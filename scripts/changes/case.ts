/** The cases of `fixtures/changes/`: a change of a small project, how it is tested, and the report that must come of it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShadowTier } from '../../src/model/shadow.ts';
import type { CoverageReport, GateReport, VerifyReport } from '../../src/model/verdict.ts';
import { repositoryFolder } from '../fixture-project.ts';

/** How the project of a case is set up, and how it is verified. */
export interface CaseArguments {
  /** Absent where the project's own files are to say it. */
  readonly testCmd?: string;
  /** Tiers of shadow tree it is run on; the overlay alone where nothing is said. */
  readonly tiers?: readonly ShadowTier[];
  /** Packages linked into the project's node_modules. */
  readonly packages?: readonly string[];
  /** Folder that a virtual environment of the project imports from, by its absolute path, as an editable install does. */
  readonly editable?: string;
  readonly timeoutMs?: number;
  /** File that is written over and over while the change is verified. */
  readonly touched?: string;
  /** Place in the matrix of constructs. */
  readonly matrix?: { readonly language: string; readonly construct: string; readonly exercised: boolean };
}

/** What is compared of a report: everything that is the same in every run. */
export interface Expected {
  readonly verdict: VerifyReport['verdict'];
  readonly reasonCode: VerifyReport['reasonCode'];
  readonly reason: string;
  readonly next: string | null;
  readonly gates: Readonly<Record<keyof VerifyReport['gates'], Omit<GateReport, 'durationMs'>>>;
  readonly coverage: Omit<CoverageReport, 'tool'>;
  readonly missingTests: VerifyReport['missingTests'];
  readonly testFilesChanged: readonly string[];
  readonly preexistingFailures: readonly string[];
  readonly flakyTests?: readonly string[];
}

export interface ChangeCase {
  readonly name: string;
  readonly repo: string;
  readonly arguments: CaseArguments;
  readonly tier: ShadowTier;
  readonly change: { readonly unifiedDiff: string } | { readonly edits: VerifyEdits };
  /** Where what must come of it is written. */
  readonly reportPath: string;
}

type VerifyEdits = readonly { readonly path: string; readonly newContent: string }[];

/** Lists every case once for each of its tiers, by name. */
export function changeCases(): readonly ChangeCase[] {
  const folder = join(repositoryFolder(), 'fixtures/changes');
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const read = (file: string): string => readFileSync(join(folder, name, file), 'utf8');
      const given = JSON.parse(read('args.json')) as CaseArguments;
      const change = existsSync(join(folder, name, 'edits.json'))
        ? { edits: JSON.parse(read('edits.json')) as VerifyEdits }
        : { unifiedDiff: read('change.diff') };
      return (given.tiers ?? ['overlay']).map((tier): ChangeCase => {
        const own = join(folder, name, `report.${tier}.json`);
        const reportPath = existsSync(own) ? own : join(folder, name, 'report.json');
        return { name, repo: read('repo').trim(), arguments: given, tier, change, reportPath };
      });
    });
}

/** Reads what must come of a case. */
export function expectedReport({ reportPath }: ChangeCase): Expected {
  return JSON.parse(readFileSync(reportPath, 'utf8')) as Expected;
}

/** Picks out of a report what is compared. */
export function compared(report: VerifyReport): Expected {
  const { verdict, reasonCode, reason, next, gates, missingTests } = report;
  const coverage = without(report.coverage, 'tool');
  const untimed = (gate: GateReport) => without(gate, 'durationMs');
  return {
    verdict,
    reasonCode,
    reason,
    next,
    gates: { syntax: untimed(gates.syntax), imports: untimed(gates.imports), tests: untimed(gates.tests) },
    coverage,
    missingTests,
    testFilesChanged: report.testFilesChanged,
    preexistingFailures: report.preexistingFailures,
    ...(report.flakyTests === undefined ? {} : { flakyTests: report.flakyTests }),
  };
}

function without<Whole extends object, Name extends keyof Whole>(whole: Whole, name: Name): Omit<Whole, Name> {
  return Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name)) as Omit<Whole, Name>;
}
