import { expect, test } from 'vitest';
import { COMMAND, compareRuns, type ComparedRun, type Comparison } from '../../../src/engine/evidence/compare-runs.ts';
import type { TestOutcome } from '../../../src/model/suite.ts';

const NOTHING: Comparison = { newFailures: [], preexistingFailures: [], flaky: [], lost: [], newlySkipped: [] };

/** A run that ended by itself, green unless one of its tests failed. */
function run(tests: Readonly<Record<string, TestOutcome>>, changes: Partial<ComparedRun> = {}): ComparedRun {
  const list = Object.entries(tests).map(([id, outcome]) => ({ id, times: 1, outcome, message: null, file: null }));
  const isGreen = list.every(({ outcome }) => outcome !== 'failed');
  return { hasEnded: true, isGreen, tests: { runner: 'pytest', tests: list, errors: [], deselected: 0 }, ...changes };
}

const GREEN = run({ a: 'passed', b: 'passed' });
const RED = run({ a: 'failed', b: 'passed' });
const UNCOUNTED = { runner: null, tests: [], errors: [], deselected: 0 };
const COMMAND_RED = run({}, { isGreen: false });
const CUT = run({}, { hasEnded: false, isGreen: false });

test.each<[what: string, with_: ComparedRun[], without: ComparedRun[], expected: Partial<Comparison>]>([
  ['nothing differs', [GREEN], [GREEN], {}],
  ['a test fails twice with the change and never without', [RED, RED], [GREEN, GREEN], { newFailures: ['a'] }],
  ['a test fails with the change and without it', [RED, RED], [RED, RED], { preexistingFailures: ['a'], lost: [] }],
  ['a test fails with the change once', [RED, GREEN], [GREEN, GREEN], { flaky: ['a'] }],
  ['a test fails without the change once', [RED, RED], [RED, GREEN], { flaky: ['a'] }],
  ['the change mends a test', [GREEN], [RED], {}],
  ['a new test fails', [run({ a: 'passed', b: 'passed', c: 'failed' })], [GREEN], { newFailures: ['c'] }],
  [
    'a file of tests cannot be loaded any more',
    [run({}, { isGreen: false, tests: { ...UNCOUNTED, runner: 'pytest', errors: [{ id: 'x', message: '' }] } })],
    [run({})],
    { newFailures: ['x'] },
  ],
  ['the command fails and no test does', [COMMAND_RED, COMMAND_RED], [run({}), run({})], { newFailures: [COMMAND] }],
  ['the command fails once', [COMMAND_RED, run({})], [run({}), run({})], {}],
  ['a run with the change was cut short', [CUT, CUT], [run({}), run({})], {}],
  [
    'a run was cut short after a failure',
    [run({ a: 'failed' }, { hasEnded: false })],
    [run({ a: 'passed' })],
    { newFailures: ['a'] },
  ],
  ['no run without the change ended', [RED, RED], [CUT, CUT], { lost: null, newlySkipped: null }],
  [
    'no runner speaks without the change',
    [GREEN],
    [{ ...GREEN, tests: UNCOUNTED }],
    { lost: null, newlySkipped: null },
  ],
  ['a test that passed is gone', [run({ a: 'passed' })], [GREEN], { lost: ['b'] }],
  [
    'one of two tests of one name is gone',
    [GREEN],
    [{ ...GREEN, tests: { ...GREEN.tests, tests: GREEN.tests.tests.map((test) => ({ ...test, times: 2 })) } }],
    { lost: ['a', 'b'] },
  ],
  ['a test that failed is gone', [run({ b: 'passed' })], [RED], {}],
  ['a test is skipped now', [run({ a: 'skipped', b: 'passed' })], [GREEN], { newlySkipped: ['a'] }],
  ['a test is expected to fail now', [run({ a: 'expected_failure', b: 'passed' })], [GREEN], { newlySkipped: ['a'] }],
  ['a test was skipped before', [run({ a: 'skipped', b: 'passed' })], [run({ a: 'skipped', b: 'passed' })], {}],
])('%s', (_what, candidates, baselines, expected) => {
  expect(compareRuns(candidates, baselines)).toEqual({ ...NOTHING, ...expected });
});

test.each<[what: string, candidate: ComparedRun, baseline: ComparedRun, expected: Partial<Comparison>]>([
  ['fails so as well, and not without the change', run({ a: 'failed' }), run({ a: 'passed' }), { newFailures: ['a'] }],
  ['is not found without the change', run({ a: 'failed' }), run({}), { newFailures: ['a'] }],
  ['passes so', run({ a: 'passed' }), run({ a: 'passed' }), { flaky: ['a'] }],
  ['fails so without the change too', run({ a: 'failed' }), run({ a: 'failed' }), { flaky: ['a'] }],
])('a new failure that is run apart and %s', (_what, candidate, baseline, expected) => {
  expect(compareRuns([RED, RED], [GREEN, GREEN], { candidate, baseline })).toEqual({ ...NOTHING, ...expected });
});
