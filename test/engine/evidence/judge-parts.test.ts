import { expect, test } from 'vitest';
import { judgeParts, passing, type PartStatus } from '../../../src/engine/evidence/judge-parts.ts';
import type { Part } from '../../../src/engine/evidence/place-probes.ts';
import type { ProbePhase, TestOutcome } from '../../../src/model/suite.ts';
import { FILE, PART } from '../../support/evidence.ts';

interface Seen {
  readonly part?: Partial<Part>;
  readonly hits?: readonly (readonly [phase: ProbePhase, testId: string])[];
  /** What the coverage source saw of the statement; absent: it measured nothing. */
  readonly executed?: boolean | null;
  readonly isWhole?: boolean;
}

const TESTS: Readonly<Record<string, TestOutcome>> = {
  good: 'passed',
  bad: 'failed',
  off: 'skipped',
  known: 'expected_failure',
  odd: 'unexpected_pass',
};

function judge({ part = {}, hits = [], executed, isWhole = true }: Seen) {
  const tests = Object.entries(TESTS).map(([id, outcome]) => ({
    id,
    outcome,
    message: null,
    times: 1,
    file: outcome === 'passed' ? 'good.js' : 'bad.js',
  }));
  const [judged] = judgeParts([{ ...PART, ...part }], {
    hits: new Map([[1, hits.map(([phase, testId]) => ({ probe: 1, phase, testId }))]]),
    isWhole,
    tests: { runner: 'pytest', tests, errors: [], deselected: 0 },
    witnesses: [
      { path: FILE, isMeasured: executed !== undefined, otherCopies: [], executed: [executed ?? null] },
      { path: 'other.py', isMeasured: true, otherCopies: [], executed: [true] },
    ],
  });
  return judged;
}

const NO_PROBE = { probe: null };
const DEFINITION = { timing: 'definition' } as const;
const EXCLUDED = { isExcluded: true };
const ARM = { isArm: true };

test.each<[what: string, seen: Seen, status: PartStatus, tests: readonly string[]]>([
  ['a passing test ran it', { hits: [['test', 'good']] }, 'exercised', ['good']],
  [
    'two hits of one test',
    {
      hits: [
        ['test', 'good'],
        ['test', 'good'],
      ],
    },
    'exercised',
    ['good'],
  ],
  [
    'a passing test and a failing one ran it',
    {
      hits: [
        ['test', 'bad'],
        ['test', 'good'],
      ],
    },
    'exercised',
    ['good'],
  ],
  ['loading ran a body', { hits: [['load', '']] }, 'import_only', []],
  ['loading ran a definition', { part: DEFINITION, hits: [['load', '']] }, 'exercised', []],
  ['a failing test ran it', { hits: [['test', 'bad']] }, 'missed', []],
  ['a skipped test ran it', { hits: [['test', 'off']] }, 'missed', []],
  ['a test that is expected to fail ran it', { hits: [['test', 'known']] }, 'missed', []],
  ['a test that passed unexpectedly ran it', { hits: [['test', 'odd']] }, 'missed', []],
  [
    'a failing test and loading ran it',
    {
      hits: [
        ['test', 'bad'],
        ['load', ''],
      ],
    },
    'import_only',
    [],
  ],
  ['nothing ran it', {}, 'missed', []],
  ['nothing ran it, whatever coverage says', { executed: true }, 'missed', []],
  ['only a file of passing tests is named', { hits: [['test', 'good.js']] }, 'exercised', ['good.js']],
  ['only a file with a failing test is named', { hits: [['test', 'bad.js']] }, 'not_measurable', []],
  ['no test is named, and one does not pass', { hits: [['test', '']] }, 'not_measurable', []],
  ['the coverage source agrees', { hits: [['test', 'good']], executed: true }, 'exercised', ['good']],
  ['the coverage source cannot tell', { hits: [['test', 'good']], executed: null }, 'exercised', ['good']],
  ['the coverage source disagrees', { hits: [['test', 'good']], executed: false }, 'contradicted', ['good']],
  [
    'it disagrees on an arm, which it cannot see',
    { part: ARM, hits: [['test', 'good']], executed: false },
    'exercised',
    ['good'],
  ],
  ['no probe, and coverage saw it run', { part: NO_PROBE, executed: true }, 'exercised', []],
  ['no probe, and coverage saw an arm run', { part: { ...NO_PROBE, ...ARM }, executed: true }, 'not_measurable', []],
  ['no probe, and coverage saw that it did not run', { part: NO_PROBE, executed: false }, 'missed', []],
  ['no probe, and coverage cannot tell', { part: NO_PROBE, executed: null }, 'not_measurable', []],
  ['no probe, and nothing measured the file', { part: NO_PROBE }, 'not_measurable', []],
  ['a test that nothing is known of ran it', { hits: [['test', 'stray']] }, 'not_measurable', []],
  [
    'the run was cut short after a passing test ran it',
    { isWhole: false, hits: [['test', 'good']] },
    'exercised',
    ['good'],
  ],
  ['the run was cut short before anything ran it', { isWhole: false }, 'not_measurable', []],
  [
    'it was cut short, and coverage saw nothing',
    { isWhole: false, part: NO_PROBE, executed: false },
    'not_measurable',
    [],
  ],
  ['excluded, and run all the same', { part: EXCLUDED, hits: [['test', 'good']] }, 'exercised', ['good']],
  ['excluded, and not run', { part: EXCLUDED }, 'excluded', []],
  ['excluded, and run while loading', { part: EXCLUDED, hits: [['load', '']] }, 'excluded', []],
])('%s', (_what, seen, status, tests) => {
  expect(judge(seen)).toMatchObject({ status, tests });
});

test.each<[what: string, seen: Seen, isLoadedOnly: boolean]>([
  ['a definition that was loaded', { part: DEFINITION, hits: [['load', '']] }, true],
  [
    'a definition that was loaded, and run by a failing test',
    {
      part: DEFINITION,
      hits: [
        ['load', ''],
        ['test', 'bad'],
      ],
    },
    true,
  ],
  [
    'a definition that a passing test ran as well',
    {
      part: DEFINITION,
      hits: [
        ['load', ''],
        ['test', 'good'],
      ],
    },
    false,
  ],
  ['a definition that coverage alone saw', { part: { ...NO_PROBE, ...DEFINITION }, executed: true }, true],
  ['a definition that never ran', { part: DEFINITION }, false],
  [
    'a definition on which probe and coverage disagree',
    { part: DEFINITION, hits: [['load', '']], executed: false },
    false,
  ],
  ['a body that a test ran', { hits: [['test', 'good']] }, false],
  ['a body that was loaded only', { hits: [['load', '']] }, false],
])('%s counts by loading alone or not', (_what, seen, isLoadedOnly) => {
  expect(judge(seen)?.isLoadedOnly).toBe(isLoadedOnly);
});

test.each<[what: string, tests: readonly (readonly [outcome: TestOutcome, file: string | null])[], expected: unknown]>([
  [
    'all passed',
    [
      ['passed', 'a.js'],
      ['passed', 'b.js'],
    ],
    { 'a.js': true, '': true, stray: null },
  ],
  [
    'one of the file skipped itself',
    [
      ['passed', 'a.js'],
      ['skipped', 'a.js'],
    ],
    { 'a.js': null, '': null, stray: null },
  ],
  [
    'one of another file did',
    [
      ['passed', 'a.js'],
      ['skipped', 'b.js'],
    ],
    { 'a.js': true, '': null, stray: null },
  ],
  [
    'one of an unknown file failed',
    [
      ['passed', 'a.js'],
      ['failed', null],
    ],
    { 'a.js': null, '': null, stray: null },
  ],
  ['there are none', [], { 'a.js': null, '': null, stray: null }],
])('what a file, all tests and an unknown name say where %s', (_what, outcomes, expected) => {
  const tests = outcomes.map(([outcome, file], at) => ({ id: `t${at}`, outcome, file, message: null, times: 1 }));
  const isPassing = passing({ runner: 'mocha', tests, errors: [], deselected: 0 });
  expect(Object.fromEntries(['a.js', '', 'stray'].map((id) => [id, isPassing(id)]))).toEqual(expected);
});
