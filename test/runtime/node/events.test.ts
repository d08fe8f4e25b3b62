/** What the agents report of tests that pass, fail, are skipped or cannot be loaded; and that nothing else changes for a reader. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { nodeProject, type NodeProject, type NodeRun } from '../../support/node-project.ts';
import { NODE_TOOLCHAIN_MS, nodeToolchain } from '../../support/node-toolchain.ts';

const projects: NodeProject[] = [];

beforeAll(() => {
  nodeToolchain();
}, NODE_TOOLCHAIN_MS);

afterEach(() => {
  for (const project of projects.splice(0)) project.dispose();
});

function runIn(files: Readonly<Record<string, string>>, ...argv: readonly string[]): NodeRun {
  const project = nodeProject(files);
  projects.push(project);
  return project.run(argv, []);
}

function summary({ tests, exitCode }: NodeRun) {
  return {
    exitCode,
    runner: tests.runner,
    unreadable: tests.unreadable,
    tests: Object.fromEntries(
      tests.tests.map(({ id, outcome, message }) => [
        id,
        message === null ? outcome : `${outcome}: ${message.split('\n', 1)[0] ?? ''}`,
      ]),
    ),
    errors: tests.errors.map(({ id }) => id),
  };
}

const MODULE = { 'package.json': '{"type": "module"}' };

describe('node --test', () => {
  it('reports tests at any depth, skipped ones and those to do, and files that cannot be loaded', () => {
    const run = runIn(
      {
        ...MODULE,
        'test/a.test.js': `import test, { describe, it } from 'node:test';
          test('outer', async (t) => { await t.test('inner', () => {}); });
          describe('suite', () => { it('good', () => {}); it('bad', () => { throw new Error('no') }); it.skip('later', () => {}); it('why', { skip: 'not here' }, () => {}); });
          test('unfinished', { todo: true }, () => { throw new Error('todo') });
          test.todo('nothing yet');`,
        'test/b.test.js': "import './no.js'",
      },
      'node',
      '--test',
    );
    expect(summary(run)).toEqual({
      exitCode: 1,
      runner: 'node:test',
      unreadable: 0,
      tests: {
        'test/a.test.js > outer > inner': 'passed',
        'test/a.test.js > outer': 'passed',
        'test/a.test.js > suite > good': 'passed',
        'test/a.test.js > suite > bad': 'failed: Error: no',
        'test/a.test.js > suite > later': 'skipped',
        'test/a.test.js > suite > why': 'skipped: not here',
        'test/a.test.js > unfinished': 'expected_failure: Error: todo',
        'test/a.test.js > nothing yet': 'skipped',
      },
      errors: ['test/b.test.js'],
    });
  });

  it.each([
    ['its usual reporter', [], /^# pass 1$/m],
    ['a reporter that the command names', ['--test-reporter=spec'], /^ℹ pass 1$/m],
    ['a reporter with a destination', ['--test-reporter=spec', '--test-reporter-destination=stdout'], /^ℹ pass 1$/m],
  ])('prints by %s', (_what, words, expected) => {
    const files = { ...MODULE, 'test/a.test.js': "import test from 'node:test'; test('a', () => {});" };
    const run = runIn(files, 'node', '--test', ...words);
    expect(run.output).toMatch(expected);
    expect(summary(run)).toEqual({
      exitCode: 0,
      runner: 'node:test',
      unreadable: 0,
      tests: { 'test/a.test.js > a': 'passed' },
      errors: [],
    });
  });

  it('is seen behind npm test, and leaves the output of its children alone', () => {
    const run = runIn(
      {
        'package.json': '{"type": "module", "scripts": {"test": "node --test test/*.js"}}',
        'test/a.js': `import test from 'node:test'; import assert from 'node:assert'; import { execFileSync } from 'node:child_process';
          test('a', () => assert.equal(String(execFileSync(process.execPath, ['-p', '1'])), '1\\n'));`,
      },
      'npm',
      'test',
    );
    expect(summary(run).tests).toEqual({ 'test/a.js > a': 'passed' });
  });
});

describe('mocha', () => {
  it('reports tests, pending ones, hooks that fail and how many were left out', () => {
    const run = runIn(
      {
        'test/a.js': `const assert = require('assert');
          describe('suite', () => { it('good', () => {}); it('bad', () => { throw new Error('no') }); it.skip('later', () => {}); it('pending'); it('out', () => {}); });
          describe('hooked', () => { before('set up', () => { throw new Error('hook') }); it('never', () => {}); });`,
      },
      ...['npx', 'mocha', 'test', '--grep', 'out', '--invert'],
    );
    expect({ ...summary(run), deselected: run.tests.deselected }).toEqual({
      exitCode: 2,
      runner: 'mocha',
      unreadable: 0,
      tests: {
        'test/a.js > suite > good': 'passed',
        'test/a.js > suite > bad': 'failed: Error: no',
        'test/a.js > suite > later': 'skipped',
        'test/a.js > suite > pending': 'skipped',
      },
      errors: ['test/a.js > hooked > "before all" hook: set up for "never"'],
      deselected: 1,
    });
  });
});

const FRAMED = `describe('suite', () => { test('good', () => {}); test('bad', () => { throw new Error('no') }); test.skip('later', () => {}); test.todo('pending'); });`;
const FRAMED_TESTS = {
  'test/a.test.js > suite > good': 'passed',
  'test/a.test.js > suite > bad': 'failed: Error: no',
  'test/a.test.js > suite > later': 'skipped',
  'test/a.test.js > suite > pending': 'skipped',
};

describe('jest', () => {
  it.each([['--runInBand'], ['--maxWorkers=2']])('reports tests, and files that cannot be loaded, with %s', (word) => {
    const files = {
      'package.json': '{}',
      'test/a.test.js': FRAMED,
      'test/b.test.js': "require('./no')",
      'test/c.test.js': "test('c', () => {})",
    };
    expect(summary(runIn(files, 'npx', 'jest', word))).toEqual({
      exitCode: 1,
      runner: 'jest',
      unreadable: 0,
      tests: { ...FRAMED_TESTS, 'test/c.test.js > c': 'passed' },
      errors: ['test/b.test.js'],
    });
  });

  it('prints by the reporters of the project', () => {
    const reporter = "module.exports = class { onRunComplete() { console.log('mine was here'); } }";
    const files = {
      'package.json': '{"jest": {"reporters": ["./mine.js"]}}',
      'mine.js': reporter,
      'test/a.test.js': "test('a', () => {})",
    };
    const run = runIn(files, 'npx', 'jest');
    expect({ tests: summary(run).tests, printed: run.output.includes('mine was here') }).toEqual({
      tests: { 'test/a.test.js > a': 'passed' },
      printed: true,
    });
  });
});

describe('vitest', () => {
  const tests = `import { describe, test } from 'vitest'; ${FRAMED}`;

  it('reports tests, and files that cannot be loaded', () => {
    const files = { ...MODULE, 'test/a.test.js': tests, 'test/b.test.js': "import './no'" };
    expect(summary(runIn(files, 'npx', 'vitest', 'run'))).toEqual({
      exitCode: 1,
      runner: 'vitest',
      unreadable: 0,
      tests: FRAMED_TESTS,
      errors: ['test/b.test.js'],
    });
  });

  it.each([
    ['of the command', ['--reporter=tap-flat'], '', /^TAP version 13$/m],
    ['of the configuration', [], "'tap-flat'", /^TAP version 13$/m],
    ['that the project wrote', [], "'./mine.js'", /mine was here/],
    ['that Vitest has by itself', [], '', /Tests .*1 passed/],
  ])('prints by the reporter %s', (_what, words, configured, expected) => {
    const files = {
      ...MODULE,
      'mine.js': "export default class { onTestRunEnd() { console.log('mine was here'); } }",
      'test/a.test.js': "import { test } from 'vitest'; test('a', () => {});",
      ...(configured === '' ? {} : { 'vitest.config.js': `export default { test: { reporters: [${configured}] } }` }),
    };
    const run = runIn(files, 'npx', 'vitest', 'run', ...words);
    expect(run.output).toMatch(expected);
    expect(summary(run).tests).toEqual({ 'test/a.test.js > a': 'passed' });
  });

  it('is seen behind a script of several commands', () => {
    const files = {
      'package.json':
        '{"type": "module", "scripts": {"test": "npm run lint && npm run unit", "lint": "node -p 1", "unit": "vitest run"}}',
      'test/a.test.js': "import { test } from 'vitest'; test('a', () => {});",
    };
    expect(summary(runIn(files, 'npm', 'test')).tests).toEqual({ 'test/a.test.js > a': 'passed' });
  });
});

describe('a process that runs no test', () => {
  it('behaves as it would without the agent', () => {
    const run = runIn(
      { 'a.cjs': 'console.log(Object.keys(process).includes("__surepatch_record__"), process.argv.length)' },
      'node',
      'a.cjs',
    );
    expect({ output: run.output, exitCode: run.exitCode, tests: run.tests.tests }).toEqual({
      output: 'false 2\n',
      exitCode: 0,
      tests: [],
    });
  });
});
