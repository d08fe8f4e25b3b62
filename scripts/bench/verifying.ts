/** verify_change beside the bare suite, on a project for each of pytest, vitest and node --test; and where the time goes. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { VerifyReport } from '../../src/model/verdict.ts';
import { verifyChange } from '../../src/usecases/verify-change.ts';
import { nodeToolchain } from '../../test/support/node-toolchain.ts';
import { testProduct } from '../../test/support/product.ts';
import { pythonToolchain } from '../../test/support/python-toolchain.ts';
import type { Rig } from './rig.ts';
import type { Section } from './section.ts';
import { interleaved, median } from './statistics.ts';
import { showMs, showRatio, table } from './table.ts';

const TEST_FILES = 20;
/** Work of one test, so that a suite takes seconds as real ones do and not only the start of its runner. */
const WORK = 400_000;

interface Project {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly packages: readonly string[];
  readonly command: readonly [string, ...string[]];
  readonly testCommand: string;
  readonly change: { readonly path: string; readonly newContent: string };
}

const JS_SOURCE = `export function tide(hours) {
  let height = 0;
  for (let step = 0; step < ${WORK}; step += 1) height += Math.sin(hours + step);
  return height > 0;
}
`;
const JS_CHANGED = JS_SOURCE.replace('height > 0', '0 < height');
const PY_SOURCE = `import math


def tide(hours):
    height = 0
    for step in range(${WORK / 8}):
        height += math.sin(hours + step)
    return height > 0
`;

function numbered(make: (number: number) => readonly [string, string]): Record<string, string> {
  return Object.fromEntries(Array.from({ length: TEST_FILES }, (_, number) => make(number)));
}

function projects(): readonly Project[] {
  const python = pythonToolchain();
  return [
    {
      name: 'pytest',
      files: {
        'tide.py': PY_SOURCE,
        ...numbered((n) => [
          `tests/test_tide_${String(n)}.py`,
          `from tide import tide\n\n\ndef test_tide():\n    assert tide(${String(n)}) in (True, False)\n`,
        ]),
        'conftest.py': '',
      },
      packages: [],
      command: [python, '-m', 'pytest', '-q'],
      testCommand: 'python3 -m pytest -q',
      change: { path: 'tide.py', newContent: PY_SOURCE.replace('height > 0', '0 < height') },
    },
    {
      name: 'vitest',
      files: {
        'package.json': '{ "type": "module", "private": true, "scripts": { "test": "vitest run" } }\n',
        'tide.js': JS_SOURCE,
        ...numbered((n) => [
          `tide-${String(n)}.test.js`,
          `import { expect, test } from 'vitest';\nimport { tide } from './tide.js';\ntest('tide', () => expect(typeof tide(${String(n)})).toBe('boolean'));\n`,
        ]),
      },
      packages: ['vitest', '@vitest/coverage-v8'],
      command: ['npx', 'vitest', 'run'],
      testCommand: 'npx vitest run',
      change: { path: 'tide.js', newContent: JS_CHANGED },
    },
    {
      name: 'node --test',
      files: {
        'package.json': '{ "type": "module", "private": true, "scripts": { "test": "node --test" } }\n',
        'tide.js': JS_SOURCE,
        ...numbered((n) => [
          `tide-${String(n)}.test.js`,
          `import { test } from 'node:test';\nimport { tide } from './tide.js';\ntest('tide', () => { tide(${String(n)}); });\n`,
        ]),
      },
      packages: [],
      command: ['node', '--test'],
      testCommand: 'node --test',
      change: { path: 'tide.js', newContent: JS_CHANGED },
    },
  ];
}

/** Verifies each project `rounds` times, never from the cache, with a bare run of the suite in between. */
export async function measureVerifying(rig: Rig, rounds: number): Promise<Section> {
  const measured = [];
  for (const project of projects()) measured.push(await measureProject(rig, project, rounds));
  return {
    title: `verify_change beside the bare suite, medians of ${String(rounds)}`,
    body: [
      table(
        ['suite', 'bare', 'verify_change', 'ratio', 'examining', 'both runs', 'the rest'],
        measured.map(({ name, bareMs, wholeMs, examiningMs, runMs }) => [
          name,
          showMs(bareMs),
          showMs(wholeMs),
          showRatio(wholeMs, bareMs),
          showMs(examiningMs),
          showMs(runMs),
          showMs(wholeMs - examiningMs - runMs),
        ]),
      ),
      'The suite runs with the change and without it at the same time, so two processors are needed for a ratio near 1.',
    ],
    targets: measured.map(({ name, bareMs, wholeMs }) => ({
      what: `verify_change with ${name}: beyond 1.5x the bare suite`,
      value: wholeMs - 1.5 * bareMs,
      most: 300,
      show: showMs,
    })),
  };
}

async function measureProject(rig: Rig, project: Project, rounds: number) {
  const path = [dirname(pythonToolchain()), rig.env['PATH'] ?? ''].join(delimiter);
  const env = { ...rig.env, PATH: path };
  const ground = testProduct({ env, settings: { testTimeoutMs: 120_000 } });
  try {
    for (const [name, text] of Object.entries(project.files)) ground.repo.file(name, text);
    ground.repo.file('.gitignore', 'node_modules\n__pycache__\n.pytest_cache\n');
    linkPackages(ground.root, project.packages);
    ground.repo.commit('start');
    const bare = (): Promise<number> => {
      const started = performance.now();
      const [program, ...args] = project.command;
      execFileSync(program, args, { cwd: ground.root, env: { ...env, CI: '1' }, stdio: 'ignore' });
      return Promise.resolve(performance.now() - started);
    };
    const verify = async (): Promise<VerifyReport> => {
      const request = { repoRoot: ground.root, edits: [project.change], testCommand: project.testCommand, fresh: true };
      const answer = await verifyChange(ground.product, request, {
        signal: new AbortController().signal,
        progress: () => undefined,
      });
      if (!answer.ok) throw new Error(answer.failure.message);
      if (answer.value.verdict !== 'SAFE')
        throw new Error(
          `${project.name}: ${answer.value.reason} ${answer.value.coverage.unknownReason ?? ''} ${answer.value.next ?? ''}`,
        );
      return answer.value;
    };
    await bare();
    await verify();
    const [times] = await interleaved(rounds, [
      async () => ({ bareMs: await bare(), ...timesOf(await timed(verify)) }),
    ]);
    const of = (key: 'bareMs' | 'wholeMs' | 'examiningMs' | 'runMs'): number =>
      median((times ?? []).map((time) => time[key]));
    return {
      name: project.name,
      bareMs: of('bareMs'),
      wholeMs: of('wholeMs'),
      examiningMs: of('examiningMs'),
      runMs: of('runMs'),
    };
  } finally {
    ground.dispose();
  }
}

async function timed(verify: () => Promise<VerifyReport>) {
  const started = performance.now();
  const report = await verify();
  return { report, wholeMs: performance.now() - started };
}

function timesOf({ report, wholeMs }: Awaited<ReturnType<typeof timed>>) {
  return { wholeMs, examiningMs: report.gates.syntax.durationMs, runMs: report.gates.tests.durationMs };
}

function linkPackages(root: string, packages: readonly string[]): void {
  if (packages.length === 0) return;
  const from = nodeToolchain();
  for (const name of packages) {
    const place = join(root, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(from, name), place);
  }
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(from, '.bin/vitest'), join(root, 'node_modules/.bin/vitest'));
  writeFileSync(join(root, 'node_modules/.package-lock.json'), '{}\n');
}
