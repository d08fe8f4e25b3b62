/** How to see what a command runs: one preload for every Node process, and words for the runners that take them. */
import { posix } from 'node:path';
import type { Instrumentation, ProjectFacts, RunPlaces } from '../language.ts';
import { runnerOf, type Runner, type RunnerCommand } from './runner-command.ts';

/** Settings by which a project measures coverage itself; ours would change what it demands. */
const OWN_COVERAGE: Readonly<Record<'vitest' | 'jest', { readonly file: RegExp; readonly setting: RegExp }>> = {
  vitest: { file: /^(?:vite|vitest)\.(?:config|workspace)\./u, setting: /\bthresholds?\b|\benabled\s*:\s*true/u },
  jest: { file: /^(?:jest\.config\.|package\.json$)/u, setting: /\bcollectCoverage\b/u },
};

export function instrument(
  argv: readonly string[],
  project: ProjectFacts,
  places: RunPlaces,
  environment: Readonly<Record<string, string>>,
): Instrumentation {
  const folder = posix.join(places.runtimeFolder, 'node');
  const command = runnerOf(argv, project);
  const sources = places.changedFiles.filter((path) => /\.(?:[mc]?[jt]s|[jt]sx)$/iu.test(path));
  const words = wordsFor(command, project, places, sources);
  // The runners that load modules by themselves measure them by themselves too.
  const hasV8 = command.runner !== 'vitest' && command.runner !== 'jest';
  const given = environment['NODE_OPTIONS'] ?? '';
  return {
    arguments: words.length === 0 ? [] : [...command.separators, ...words],
    environment: {
      NODE_OPTIONS: `--require ${JSON.stringify(posix.join(folder, 'preload.cjs'))} ${given}`.trim(),
      SUREPATCH_ROOT: places.root,
      SUREPATCH_CHANGED: sources.join('\n'),
      SUREPATCH_RECORDER: posix.join(folder, 'recorder.cjs'),
      ...(hasV8 && sources.length > 0 ? { SUREPATCH_V8: '1' } : {}),
    },
  };
}

function wordsFor(
  command: RunnerCommand,
  project: ProjectFacts,
  places: RunPlaces,
  sources: readonly string[],
): readonly string[] {
  const folder = posix.join(places.runFolder, 'coverage', command.runner ?? '');
  if (command.runner === 'vitest') {
    const reporter = `--reporter=${posix.join(places.runtimeFolder, 'node/vitest-reporter.mjs')}`;
    const provider = providerOf(project);
    if (provider === null || !mayMeasure(command, project, sources)) return [reporter];
    return [
      reporter,
      '--coverage.enabled=true',
      `--coverage.provider=${provider}`,
      '--coverage.reporter=json',
      `--coverage.reportsDirectory=${folder}`,
      '--coverage.reportOnFailure=true',
      ...sources.map((path) => `--coverage.include=${path}`),
    ];
  }
  if (command.runner !== 'jest' || !mayMeasure(command, project, sources)) return [];
  return [
    '--coverage',
    // What a project demands of a whole measured suite, a run that measures a few files must not be held to.
    '--coverageThreshold={}',
    '--coverageReporters=json',
    `--coverageDirectory=${folder}`,
    ...sources.map((path) => `--collectCoverageFrom=${path}`),
  ];
}

/** Vitest ends in an error when it is to measure and cannot. */
function providerOf(project: ProjectFacts): 'v8' | 'istanbul' | null {
  const installed = project.list('node_modules/@vitest').map((name) => name.replace(/\/$/u, ''));
  if (installed.includes('coverage-v8')) return 'v8';
  return installed.includes('coverage-istanbul') ? 'istanbul' : null;
}

function mayMeasure({ runner, words }: RunnerCommand, project: ProjectFacts, sources: readonly string[]): boolean {
  if (sources.length === 0 || words.some((word) => /coverage/iu.test(word))) return false;
  const own = isMeasuring(runner) ? OWN_COVERAGE[runner] : null;
  const files = project.list('.').filter((name) => own?.file.test(name) === true);
  return !files.some((name) => own?.setting.test(project.read(name) ?? '') === true);
}

function isMeasuring(runner: Runner | null): runner is 'vitest' | 'jest' {
  return runner === 'vitest' || runner === 'jest';
}
