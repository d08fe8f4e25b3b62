import { expect, test } from 'vitest';
import {
  COMMAND,
  compareRuns,
  type ComparedBaseline,
  type ComparedRun,
  type Comparison,
} from '../../../src/engine/evidence/compare-runs.ts';
import type { TestOutcome } from '../../../src/model/suite.ts';

const NOTHING: Comparison = {
  ending: 'green',
  baselineEnding: 'green',
  newFailures: [],
  preexistingFailures: [],
  flaky: [],
  lost: [],
  newlySkipped: [],
};

/** A run that ended by itself, green unless one of its tests failed. */
function run(tests: Readonly<Record<string, TestOutcome>>, changes: Partial<ComparedBaseline> = {}): ComparedBaseline {
  const list = Object.entries(tests).map(([id, outcome]) => ({ id, times: 1, outcome, message: null, file: null }));
  const ending = list.every(({ outcome }) => outcome !== 'failed') ? 'green' : 'red';
  return { ending, isProbed: false, tests: { runner: 'pytest', tests: list, errors: [], deselected: 0 }, ...changes };
}

const GREEN = run({ a: 'passed', b: 'passed' });
const RED = run({ a: 'failed', b: 'passed' });
const UNCOUNTED = { runner: null, tests: [], errors: [], deselected: 0 };
const COMMAND_RED = run({}, { ending: 'red' });
const CUT = run({}, { ending: 'incomplete' });
const HUNG = run({}, { ending: 'timed_out' });
const PROBED_RED = { ...RED, isProbed: true };

test.each<[what: string, with_: ComparedRun[], without: ComparedBaseline[], expected: Partial<Comparison>]>([
  ['nothing differs', [GREEN], [GREEN], {}],
  [
    'a test fails twice with the change and never without',
    [RED, RED],
    [GREEN, GREEN],
    { ending: 'red', newFailures: ['a'] },
  ],
  [
    'a test fails with the change and without it',
    [RED, RED],
    [RED, RED],
    { ending: 'red', baselineEnding: 'red', preexistingFailures: ['a'] },
  ],
  ['a test fails with the change once', [RED, GREEN], [GREEN, GREEN], { flaky: ['a'] }],
  [
    'a test fails without the change once',
    [RED, RED],
    [RED, GREEN],
    { ending: 'red', baselineEnding: 'red', flaky: ['a'] },
  ],
  ['the change mends a test', [GREEN], [RED], { baselineEnding: 'red' }],
  [
    'a new test fails',
    [run({ a: 'passed', b: 'passed', c: 'failed' })],
    [GREEN],
    { ending: 'red', newFailures: ['c'] },
  ],
  [
    'a file of tests cannot be loaded any more',
    [run({}, { ending: 'red', tests: { ...UNCOUNTED, runner: 'pytest', errors: [{ id: 'x', message: '' }] } })],
    [run({})],
    { ending: 'red', newFailures: ['x'] },
  ],
  [
    'the command fails and no test does',
    [COMMAND_RED, COMMAND_RED],
    [run({}), run({})],
    { ending: 'red', newFailures: [COMMAND] },
  ],
  ['the command fails once', [COMMAND_RED, run({})], [run({}), run({})], { ending: 'red', flaky: [COMMAND] }],
  ['the command fails at last', [CUT, COMMAND_RED], [run({}), run({})], { ending: 'incomplete' }],
  ['the suite hangs once', [HUNG, GREEN], [GREEN, GREEN], { ending: 'red', flaky: [COMMAND] }],
  [
    'it hangs once after a failure',
    [run({ a: 'failed' }, { ending: 'timed_out' }), GREEN],
    [GREEN, GREEN],
    { ending: 'red', flaky: ['a'] },
  ],
  [
    'it hangs when it is run again after a failure',
    [RED, HUNG],
    [GREEN, GREEN],
    { ending: 'red', flaky: [COMMAND, 'a'], lost: ['a', 'b'] },
  ],
  ['it hangs twice', [HUNG, HUNG], [run({}), run({})], { ending: 'timed_out' }],
  [
    'it hangs without the change as well',
    [HUNG, HUNG],
    [HUNG, HUNG],
    { ending: 'timed_out', baselineEnding: 'timed_out', lost: null, newlySkipped: null },
  ],
  ['a run with the change was cut short twice', [CUT, CUT], [run({}), run({})], { ending: 'incomplete' }],
  ['one was cut short', [CUT, GREEN], [GREEN, GREEN], { ending: 'incomplete', flaky: [COMMAND] }],
  [
    'the command fails, and what comes without the change is not known',
    [COMMAND_RED, COMMAND_RED],
    [CUT, CUT],
    { ending: 'incomplete', baselineEnding: 'incomplete', lost: null, newlySkipped: null },
  ],
  [
    'the command fails without the change once',
    [COMMAND_RED, COMMAND_RED],
    [COMMAND_RED, run({})],
    { ending: 'red', baselineEnding: 'red', flaky: [COMMAND] },
  ],
  ['probes break a test without the change', [RED, RED], [PROBED_RED, GREEN], { ending: 'red', newFailures: ['a'] }],
  ['probes hide a test without the change that is lost', [run({ b: 'passed' })], [PROBED_RED, GREEN], { lost: ['a'] }],
  [
    'probes are not what breaks a test without the change',
    [RED, RED],
    [PROBED_RED, RED],
    { ending: 'red', baselineEnding: 'red', preexistingFailures: ['a'] },
  ],
  ['only a run with probes is there without the change', [GREEN], [PROBED_RED], { baselineEnding: 'red' }],
  [
    'a run was cut short after a failure',
    [run({ a: 'failed' }, { ending: 'timed_out' })],
    [run({ a: 'passed' })],
    { ending: 'timed_out', newFailures: ['a'] },
  ],
  [
    'no run without the change ended',
    [RED, RED],
    [CUT, CUT],
    { ending: 'incomplete', baselineEnding: 'incomplete', lost: null, newlySkipped: null },
  ],
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
  ['a test that failed is gone', [run({ b: 'passed' })], [RED], { baselineEnding: 'red' }],
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
  expect(compareRuns([RED, RED], [GREEN, GREEN], { candidate, baseline })).toEqual({
    ...NOTHING,
    ending: 'red',
    ...expected,
  });
});
