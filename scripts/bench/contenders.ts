/** Everything that can apply a patch to a file here, ours and others', each started the same way. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FILE } from './corpus.ts';
import type { InProcessFigures } from './in-process.ts';
import { measureProcess, type MeasuredProcess } from './measured-process.ts';
import { commitAll } from './repository.ts';
import { NODE, type Rig } from './rig.ts';

export interface Contender {
  readonly name: string;
  /** Whether `ms` is told by the process itself, without the start of Node. */
  readonly inProcess: boolean;
  /** Applies the patch (absolute path) to `pristine`, put in place beforehand, outside the measured time. */
  readonly apply: (pristine: string, patch: string, boundMs: number) => Promise<Trial>;
}

export interface Trial {
  /** In milliseconds; the bound where it was reached. */
  readonly ms: number;
  readonly cpuMs: number | null;
  readonly peakKiB: number | null;
  readonly outcome: 'applied' | 'refused' | 'bound reached';
  /** Parts in milliseconds, where the process tells them. */
  readonly parts: Readonly<Record<string, number>>;
}

/** The names by which the report speaks of contenders. */
export const NAMES = {
  engine: 'Surepatch engine (in process)',
  cli: 'surepatch write-fix (plain folder)',
  cliGit: 'surepatch write-fix (git repository)',
  copy: 'node: read + write + fsync (in process)',
  cp: 'cp',
  git: 'git apply',
  patch: 'patch --binary -F0',
  jsdiff: 'jsdiff 9 (in process)',
} as const;

/** Prepares the contenders in folders of their own; `pristine` is what the repository gets to commit. */
export function makeContenders(rig: Rig, pristine: string): readonly Contender[] {
  const plain = rig.folder('plain');
  const repository = rig.folder('repository');
  copyFileSync(pristine, join(repository, FILE));
  commitAll(repository, rig.env);
  const out = join(rig.folder('out'), 'out.txt');

  const program = (name: string, folder: string, command: (patch: string) => readonly string[]): Contender => ({
    name,
    inProcess: false,
    apply: async (from, patch, boundMs) => {
      clear(folder);
      prepare(from, join(folder, FILE));
      return trialOf(await run(rig, command(patch), folder, boundMs), boundMs);
    },
  });
  const work = (name: string, kind: string): Contender => ({
    name,
    inProcess: true,
    apply: async (from, patch, boundMs) => {
      prepare(from, join(plain, FILE));
      const command = [NODE, rig.bench, '--child', 'apply', kind, join(plain, FILE), patch, out];
      return told(await run(rig, command, plain, boundMs), boundMs);
    },
  });
  const writeFix = (folder: string) => (patch: string) => [
    NODE,
    rig.main,
    'write-fix',
    '--root',
    folder,
    '--file',
    join(folder, FILE),
    '--diff',
    patch,
  ];

  return [
    work(NAMES.engine, 'engine'),
    program(NAMES.cli, plain, writeFix(plain)),
    program(NAMES.cliGit, repository, writeFix(repository)),
    work(NAMES.copy, 'copy'),
    program(NAMES.cp, plain, () => ['cp', FILE, `${FILE}.copy`]),
    program(NAMES.patch, plain, (patch) => ['patch', '--binary', '-F0', '-s', '-i', patch, FILE]),
    work(NAMES.jsdiff, 'jsdiff'),
    program(NAMES.git, plain, (patch) => ['git', 'apply', '--whitespace=nowarn', patch]),
  ];
}

function run(rig: Rig, command: readonly string[], cwd: string, boundMs: number): Promise<MeasuredProcess> {
  return measureProcess({ command, cwd, env: rig.env, scratch: rig.scratch, boundMs });
}

function clear(folder: string): void {
  for (const name of readdirSync(folder)) if (name !== '.git') rmSync(join(folder, name));
}

/** Puts the file in place and lets the disk settle, so that nobody pays for another's unwritten pages. */
function prepare(from: string, to: string): void {
  copyFileSync(from, to);
  execFileSync('sync', ['-f', to]);
}

function trialOf({ ms, cpuMs, peakKiB, exitCode }: MeasuredProcess, boundMs: number): Trial {
  if (exitCode === null) return { ms: boundMs, cpuMs: null, peakKiB: null, outcome: 'bound reached', parts: {} };
  return { ms, cpuMs, peakKiB, outcome: exitCode === 0 ? 'applied' : 'refused', parts: {} };
}

function told(process: MeasuredProcess, boundMs: number): Trial {
  const trial = trialOf(process, boundMs);
  if (trial.outcome === 'bound reached') return trial;
  const figures: unknown = JSON.parse(process.stdout === '' ? '{}' : process.stdout);
  if (!isFigures(figures)) throw new Error(`a child of the benchmark broke down: ${process.stderr}`);
  const { ms, cpuMs, parts } = figures;
  return { ...trial, ms, cpuMs, outcome: figures.applied ? 'applied' : 'refused', parts };
}

function isFigures(value: unknown): value is InProcessFigures {
  return typeof value === 'object' && value !== null && 'ms' in value && 'cpuMs' in value && 'parts' in value;
}
