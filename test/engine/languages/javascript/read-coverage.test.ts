/** What is read of the coverage that real runs left behind, and of none. */
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { javascript } from '../../../../src/engine/languages/javascript/javascript.ts';
import { analysisOf } from '../../../support/analysis.ts';
import { nodeProject, type NodeProject, type NodeRun } from '../../../support/node-project.ts';
import { NODE_TOOLCHAIN_MS, nodeToolchain } from '../../../support/node-toolchain.ts';

const projects: NodeProject[] = [];

beforeAll(() => {
  nodeToolchain();
}, NODE_TOOLCHAIN_MS);

afterEach(() => {
  for (const project of projects.splice(0)) project.dispose();
});

const SOURCE = `const table = [1];
export function called(a) {
  const first = a;
  return first;
}
export function loaded(a) {
  return a;
}
export function late(a) {
  a.go();
  return 3;
}
export function* lazy() {
  const one = 1;
  yield one;
}
export function uncalled() {
  return table;
}
loaded(1);
`;
const TESTS = 'called(1); late({ go() {} }); lazy().next();';

function run(files: Readonly<Record<string, string>>, ...argv: readonly string[]): NodeRun {
  const project = nodeProject(files);
  projects.push(project);
  return project.run(argv, ['src/a.js']);
}

/** Statement → what the source says of it. */
function answers({ examined, coverage }: NodeRun) {
  const [witness] = coverage.files;
  const said = (examined[0]?.after.statements ?? []).map(({ start, end }, index) => {
    return [SOURCE.slice(start, end).split('\n', 1)[0] ?? '', witness?.executed[index]];
  });
  const { tool, unavailable } = coverage;
  return { tool, unavailable, isMeasured: witness?.isMeasured, said: Object.fromEntries(said) as unknown };
}

const importing = "import { called, late, lazy } from '../src/a.js';";

describe('coverage', () => {
  it('of V8 is believed where it can tell', () => {
    const files = {
      'package.json': '{"type": "module"}',
      'src/a.js': SOURCE,
      'test/a.test.js': `import test from 'node:test'; ${importing} test('a', () => { ${TESTS} });`,
    };
    expect(answers(run(files, 'node', '--test'))).toEqual({
      tool: 'v8',
      unavailable: null,
      isMeasured: true,
      said: {
        'const table = [1];': true,
        'export function called(a) {': true,
        'const first = a;': true,
        'return first;': true,
        'export function loaded(a) {': true,
        // It ran, but while loading, and no test called it.
        'return a;': null,
        'export function late(a) {': true,
        'a.go();': true,
        // The call before it could have thrown.
        'return 3;': null,
        'export function* lazy() {': true,
        'const one = 1;': null,
        'yield one;': null,
        'export function uncalled() {': true,
        'return table;': false,
        'loaded(1);': true,
      },
    });
  });

  it.each([
    ['vitest', { 'package.json': '{"type": "module"}' }, "import { test } from 'vitest';", ['run']],
    [
      'jest',
      {
        'package.json': '{}',
        'babel.config.js': "module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] };",
      },
      '',
      [],
    ],
  ])('of %s tells what never ran', (tool, own, header, words) => {
    const files = {
      ...own,
      'src/a.js': SOURCE,
      'test/a.test.js': `${header} ${importing} test('a', () => { ${TESTS} });`,
    };
    const { said, ...rest } = answers(run(files, 'npx', tool, ...words));
    const never = Object.entries(said as Record<string, unknown>).filter(([, answer]) => answer === false);
    expect({ ...rest, never }).toEqual({
      tool,
      unavailable: null,
      isMeasured: true,
      never: [['return table;', false]],
    });
  });

  it('says why there is none', () => {
    const places = { root: '/r', runFolder: '/run', runtimeFolder: '/s', changedFiles: ['a.js'] };
    const changed = [{ path: 'a.js', before: null, after: analysisOf('a') }];
    const reading = (files: Readonly<Record<string, unknown>>) => {
      const entries = Object.entries(files).map(([path, value]) => {
        return [path, Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))] as const;
      });
      const { unavailable, gap } = javascript.readCoverage(new Map(entries), changed, places, () => null);
      return [unavailable, gap];
    };
    expect([
      reading({}),
      reading({ 'coverage/vitest.json': { enabled: false } }),
      reading({ 'coverage/jest.json': { enabled: false } }),
      reading({ 'coverage/jest.json': { enabled: true } }),
      reading({ 'coverage/v8-1-0.json': { files: [{ other: '/r/dist/a.js' }] } }),
      reading({ 'coverage/others-1-0': '/r/dist/a.js\n', 'coverage/vitest.json': { enabled: false } }),
      reading({ 'coverage/others-1-0': '/r/other/a.js\n' }),
    ]).toEqual([
      ['No process that could be measured loaded a changed file.', 'not_loaded'],
      [
        'Vitest measured no coverage: @vitest/coverage-v8 is not installed, or the project has rules of its own for it.',
        'no_source',
      ],
      ['jest measured no coverage, because the project has rules of its own for it.', 'no_source'],
      ['No process that could be measured loaded a changed file.', 'not_loaded'],
      ['No process loaded a changed file; other files of the same name were loaded.', 'broken'],
      ['No process loaded a changed file; other files of the same name were loaded.', 'broken'],
      ['No process that could be measured loaded a changed file.', 'not_loaded'],
    ]);
  });

  it.each([
    ['node:test', ['node', '--test'], "import test from 'node:test';"],
    ['mocha', ['npx', 'mocha', 'test/a.test.js'], "import { it as test } from 'mocha';"],
    ['vitest', ['npx', 'vitest', 'run'], "import { test } from 'vitest';"],
  ])('under %s names what was loaded in place of the changed file', (_runner, argv, header) => {
    const files = {
      'package.json': '{"type": "module"}',
      'src/a.js': SOURCE,
      'lib/other/a.js': 'export const a = 1;\n',
      'dist/a.js': SOURCE,
      'test/a.test.js': `${header} ${importing.replace('/src/', '/dist/')} import '../lib/other/a.js'; test('a', () => { ${TESTS} });`,
    };
    const { coverage, tests, output } = run(files, ...argv);
    const root = projects.at(-1)?.root ?? '';
    const outcomes = tests.tests.map(({ outcome }) => outcome);
    expect({ outcomes, copies: coverage.files[0]?.otherCopies }, output).toEqual({
      outcomes: ['passed'],
      copies: [join(root, 'dist/a.js')],
    });
  });
});
