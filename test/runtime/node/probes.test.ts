/** Every probe, under every runner, against what really ran. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeProject, type NodeProject, type NodeRun, type ProbedPart } from '../../support/node-project.ts';
import { NODE_TOOLCHAIN_MS, nodeToolchain } from '../../support/node-toolchain.ts';
import { PROBE_CASES } from './probe-cases.ts';

type Dialect = 'js' | 'ts';

interface Way {
  readonly name: string;
  readonly dialect: Dialect;
  readonly command: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** First lines of the test file. */
  readonly header: string;
  readonly test: 'test' | 'it';
  /** Whether hits name the test. */
  readonly namesTests: boolean;
}

const MODULE = { 'package.json': '{"type": "module"}' };
const BABEL = {
  'package.json': '{}',
  'babel.config.js':
    "module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }], '@babel/preset-typescript'] };",
};
const NODE_TEST = "import { test } from 'node:test';";
const VITEST = "import { test } from 'vitest';";

const WAYS: readonly Way[] = [
  {
    name: 'node --test',
    dialect: 'js',
    command: ['node', '--test'],
    files: MODULE,
    header: NODE_TEST,
    test: 'test',
    namesTests: true,
  },
  {
    name: 'tsx --test',
    dialect: 'ts',
    command: ['npx', 'tsx', '--test', 'test/cases.test.ts'],
    files: MODULE,
    header: NODE_TEST,
    test: 'test',
    namesTests: true,
  },
  {
    name: 'mocha',
    dialect: 'js',
    command: ['npx', 'mocha', 'test'],
    files: MODULE,
    header: '',
    test: 'it',
    namesTests: true,
  },
  {
    name: 'mocha with tsx',
    dialect: 'ts',
    command: ['npx', 'mocha', '--import=tsx', 'test/*.ts'],
    files: MODULE,
    header: 'declare const it: any;',
    test: 'it',
    namesTests: true,
  },
  {
    name: 'mocha in parallel',
    dialect: 'js',
    command: ['npx', 'mocha', '--parallel', 'test'],
    files: MODULE,
    header: '',
    test: 'it',
    namesTests: true,
  },
  {
    name: 'vitest',
    dialect: 'js',
    command: ['npx', 'vitest', 'run'],
    files: MODULE,
    header: VITEST,
    test: 'test',
    namesTests: true,
  },
  {
    name: 'vitest in threads',
    dialect: 'ts',
    command: ['npx', 'vitest', 'run', '--pool=threads'],
    files: MODULE,
    header: VITEST,
    test: 'test',
    namesTests: true,
  },
  {
    name: 'vitest in vm contexts',
    dialect: 'ts',
    command: ['npx', 'vitest', 'run', '--pool=vmForks'],
    files: MODULE,
    header: VITEST,
    test: 'test',
    namesTests: true,
  },
  { name: 'jest', dialect: 'js', command: ['npx', 'jest'], files: BABEL, header: '', test: 'test', namesTests: true },
  {
    name: 'jest',
    dialect: 'ts',
    command: ['npx', 'jest'],
    files: BABEL,
    header: 'declare const test: any;',
    test: 'test',
    namesTests: true,
  },
];

const CHILD =
  'function asked() {\n  return 101;\n}\nfunction notAsked() {\n  return 102;\n}\nprocess.argv[2] ? asked() : notAsked;\n';

beforeAll(() => {
  nodeToolchain();
}, NODE_TOOLCHAIN_MS);

describe.each(WAYS)('with $name, in $dialect', ({ name: way, dialect, command, files, header, test }) => {
  const witnessTool = ['vitest', 'jest'].find((runner) => way.startsWith(runner)) ?? 'v8';
  const path = `src/cases.${dialect}`;
  let project: NodeProject;
  let run: NodeRun;

  beforeAll(() => {
    const type = dialect === 'ts' ? ': any' : '';
    const source = PROBE_CASES.flatMap(({ source: text }, index) =>
      ['Yes', 'No'].map((suffix) => text.replaceAll('§', type).replaceAll(/\bF\b/g, `f${index}${suffix}`)),
    ).join('\n');
    const tests = PROBE_CASES.flatMap(({ name, exercised, not }, index) => [
      `${test}(${JSON.stringify(`${name}, exercised`)}, async () => { ${exercised.replaceAll(/\bF\b/g, `c.f${index}Yes`)}; });`,
      `${test}(${JSON.stringify(`${name}, not`)}, async () => { ${not.replaceAll(/\bF\b/g, `c.f${index}No`)}; });`,
    ]);
    const imports = `import { execFileSync } from 'node:child_process';\nimport * as c from '../src/cases.${dialect === 'ts' && !command.includes('jest') ? 'ts' : 'js'}';`;
    const child = `${test}('child', async () => { execFileSync(process.execPath, ['src/child.cjs', '1'], { env: { ...process.env, ONE: '1' } }); });`;
    project = nodeProject({
      ...files,
      [path]: source,
      'src/child.cjs': CHILD,
      [`test/cases.test.${dialect}`]: [
        header,
        imports.replace("cases.js'", dialect === 'ts' ? "cases'" : "cases.js'"),
        ...tests,
        child,
      ].join('\n'),
    });
    run = project.run(command, [path, 'src/child.cjs']);
  }, 120_000);

  afterAll(() => {
    project.dispose();
  });

  it('runs green, as it would without probes', () => {
    expect({ exitCode: run.exitCode, output: run.exitCode === 0 ? '' : run.output }).toEqual({
      exitCode: 0,
      output: '',
    });
  });

  it('reports every test once', () => {
    const ids = [...PROBE_CASES.flatMap(({ name }) => [`${name}, exercised`, `${name}, not`]), 'child'].map(
      (name) => `test/cases.test.${dialect} > ${name}`,
    );
    const seen = run.tests.tests.map(({ id, outcome, file }) => ({ id, outcome, file }));
    expect(seen).toEqual(ids.map((id) => ({ id, outcome: 'passed', file: `test/cases.test.${dialect}` })));
  });

  it.each(PROBE_CASES.map((one, index) => ({ ...one, index })))('tells what ran: $name', ({ name, parts, index }) => {
    const type = dialect === 'ts' ? ': any' : '';
    const source = PROBE_CASES[index]?.source.replaceAll('§', type) ?? '';
    for (const [which, suffix] of (['exercised', 'not'] as const).entries()) {
      const id = `test/cases.test.${dialect} > ${name}, ${suffix}`;
      const own = source.replaceAll(/\bF\b/g, `f${index}${which === 0 ? 'Yes' : 'No'}`);
      const expected = Object.entries(parts).map(([part, hit]) => [part, hit[which] === true ? [id] : []]);
      expect(Object.fromEntries(bodyParts(run, path, own))).toEqual(Object.fromEntries(expected));
    }
  });

  it('counts what a child process of a test ran for that test', () => {
    const seen = run.parts
      .filter(({ file, timing, isArm }) => file === 'src/child.cjs' && timing === 'body' && !isArm)
      .map(({ text, hits }) => [text, hits.map(({ phase, testId }) => [phase, testId])]);
    expect(seen).toEqual([
      ['return 101;', [['test', `test/cases.test.${dialect} > child`]]],
      ['return 102;', []],
    ]);
  });

  it('has a second witness that says nothing else', () => {
    const [witness] = run.coverage.files;
    const statements = run.parts.filter(({ file, isArm, probe }) => file === path && !isArm && probe !== null);
    const contradicted = statements.filter(({ statement, timing, hits }) => {
      const executed = witness?.executed[statement];
      const counts = timing === 'definition' ? hits : hits.filter(({ phase }) => phase === 'test');
      return (executed === false && hits.length > 0) || (executed === true && counts.length === 0);
    });
    const { tool, unavailable } = run.coverage;
    expect({ tool, unavailable, isMeasured: witness?.isMeasured, contradicted }).toEqual({
      tool: witnessTool,
      unavailable: null,
      isMeasured: true,
      contradicted: [],
    });
    // A runner that does not measure the children of its tests cannot say that something never ran.
    const answers = new Set(witness?.executed);
    expect(answers).toEqual(new Set(witnessTool === 'v8' ? [true, false, null] : [null]));
  });

  it('finds definitions hit while loading', () => {
    const definitions = run.parts.filter(
      ({ file, timing, probe }) => file === path && timing === 'definition' && probe !== null,
    );
    const unseen = definitions.filter(({ hits }) => !hits.some(({ phase }) => phase === 'load'));
    expect({ some: definitions.length > 0, unseen }).toEqual({ some: true, unseen: [] });
  });
});

/** Parts of bodies of one case: kind and text → tests that hit it. */
function bodyParts({ parts, examined }: NodeRun, path: string, source: string): [string, readonly string[]][] {
  const whole = parts.find(({ file, text }) => file === path && text === source);
  const inside = (part: ProbedPart): boolean =>
    whole !== undefined && part.span.start >= whole.span.start && part.span.end <= whole.span.end;
  expect({ source, found: whole !== undefined, examined: examined.length }).toEqual({
    source,
    found: true,
    examined: 2,
  });
  return parts
    .filter((part) => part.file === path && part.timing === 'body' && inside(part))
    .map((part) => [
      `${part.kind} ${part.text}`,
      part.hits.filter(({ phase }) => phase === 'test').map(({ testId }) => testId),
    ]);
}

describe('beyond the process of a test', () => {
  it('hits of threads and of children that are killed are kept, for the test that started them', () => {
    const project = nodeProject({
      ...MODULE,
      'src/work.js': `import { isMainThread, parentPort } from 'node:worker_threads';
        export function job() { return 42; }
        export function die() { process.kill(process.pid, 'SIGKILL'); }
        if (!isMainThread) parentPort.postMessage(job());
        if (process.argv[2] === 'die') die();`,
      'test/a.test.js': `import test from 'node:test'; import { Worker } from 'node:worker_threads';
        import { once } from 'node:events'; import { spawn } from 'node:child_process';
        test('thread', () => once(new Worker(new URL('../src/work.js', import.meta.url)), 'message'));
        test('killed', () => once(spawn(process.execPath, ['src/work.js', 'die']), 'exit'));`,
    });
    const { parts, coverage } = project.run(['node', '--test'], ['src/work.js']);
    project.dispose();
    const seen = parts
      .filter(({ timing, isArm }) => timing === 'body' && !isArm)
      .map(({ text, hits }) => [text, ...hits.map(({ phase, testId }) => `${phase} ${testId}`)]);
    expect({ seen, never: coverage.files[0]?.executed.includes(false) }).toEqual({
      seen: [
        ['return 42;', 'test test/a.test.js > thread'],
        ["process.kill(process.pid, 'SIGKILL');", 'test test/a.test.js > killed'],
      ],
      // The killed process left no counts, so nobody can say what never ran.
      never: false,
    });
  }, 60_000);
});
