import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judge, type Evidence, type SuiteEnding } from '../../src/engine/verdict.ts';
import { REASON_CODES, type ReasonCode, type Verdict } from '../../src/model/verdict.ts';
import { FILE, FINDING, judged, PROVEN } from '../support/evidence.ts';

type Case = readonly [reasonCode: ReasonCode, verdict: Verdict, when: string, evidence: Partial<Evidence>];

const deleted = (isExercised: boolean | null) => [{ file: FILE, line: 7, isExercised }];

const TABLE: readonly Case[] = [
  ['tree_moved', 'UNPROVEN', 'the tree moved, whatever else was found', { isTreeStill: false, syntax: [FINDING] }],
  ['tree_moved', 'UNPROVEN', 'it is not known whether the tree moved', { isTreeStill: null }],
  ['syntax_error', 'UNSAFE', 'a syntax error is new', { syntax: [FINDING], ending: 'no_command' }],
  ['import_broken', 'UNSAFE', 'an import is broken', { imports: [FINDING], ending: 'no_command' }],
  ['no_test_command', 'UNPROVEN', 'there is no command', { ending: 'no_command', passed: null }],
  ['runner_missing', 'UNPROVEN', 'the runner could not be started', { ending: 'not_started', passed: null }],
  ['tests_failed', 'UNSAFE', 'a test fails with the change only', { ending: 'red', newFailures: ['t'] }],
  ['tests_failed', 'UNSAFE', 'the command timed out after a new failure', { ending: 'timed_out', newFailures: ['t'] }],
  [
    'timeout_introduced',
    'UNSAFE',
    'the suite ended in time without the change',
    { ending: 'timed_out', baselineEnding: 'green' },
  ],
  ['timeout_introduced', 'UNSAFE', 'it even ended red', { ending: 'timed_out', baselineEnding: 'red' }],
  ['timed_out', 'UNPROVEN', 'both timed out', { ending: 'timed_out', baselineEnding: 'timed_out' }],
  ['timed_out', 'UNPROVEN', 'the end without the change is not known', { ending: 'timed_out', baselineEnding: null }],
  ['run_incomplete', 'UNPROVEN', 'the run was cut short', { ending: 'incomplete' }],
  ['run_incomplete', 'UNPROVEN', 'no run was begun', { ending: 'not_run', passed: null }],
  ['baseline_red', 'UNPROVEN', 'tests fail without the change too', { ending: 'red', preexistingFailures: ['t'] }],
  ['tests_flaky', 'UNPROVEN', 'a test failed and passed', { flaky: ['t'] }],
  ['tests_flaky', 'UNPROVEN', 'the command failed and no test can be blamed', { ending: 'red' }],
  ['tests_not_counted', 'UNPROVEN', 'no runner said what it ran', { passed: null }],
  ['no_tests_ran', 'UNPROVEN', 'no test passed', { passed: 0 }],
  ['suite_narrowed', 'UNPROVEN', 'only a part of the suite ran', { scope: 'narrowed' }],
  ['scope_unknown', 'UNPROVEN', 'it is not known how much ran', { scope: 'unknown' }],
  ['tests_lost', 'UNPROVEN', 'a test is gone', { lost: ['t'] }],
  ['tests_lost', 'UNPROVEN', 'the tests of the baseline are not known', { lost: null }],
  ['tests_lost', 'UNPROVEN', 'the baseline did not end', { baselineEnding: 'incomplete' }],
  ['tests_skipped', 'UNPROVEN', 'a test is skipped now', { newlySkipped: ['t'] }],
  ['tests_skipped', 'UNPROVEN', 'it is not known what was skipped before', { newlySkipped: null }],
  ['tests_changed', 'UNPROVEN', 'the change touches a test', { changedTests: ['test_tide.py'] }],
  ['nothing_changed', 'UNPROVEN', 'nothing differs', { files: [], unmeasured: [] }],
  ['file_deleted', 'UNPROVEN', 'a whole file is gone', { removed: [FILE] }],
  ['shadow_bypassed', 'UNPROVEN', 'another copy was loaded', { bypassed: [FILE], parts: [judged('missed')] }],
  ['coverage_unknown', 'UNPROVEN', 'nothing measured a file', { unmeasured: [{ path: FILE, why: 'because' }] }],
  ['coverage_unknown', 'UNPROVEN', 'a file that can run has no part', { parts: [] }],
  ['coverage_unknown', 'UNPROVEN', 'more parts changed than were judged', { files: [{ path: FILE, toJudge: 2 }] }],
  ['coverage_unknown', 'UNPROVEN', 'it is not known what changed', { files: [{ path: FILE, toJudge: null }] }],
  [
    'coverage_unknown',
    'UNPROVEN',
    'no file is known to have changed',
    { files: [], unmeasured: [{ path: FILE, why: 'because' }] },
  ],
  ['not_exercised', 'UNPROVEN', 'a part never ran', { parts: [judged('exercised'), judged('missed')] }],
  ['not_exercised', 'UNPROVEN', 'a part ran while loading only', { parts: [judged('import_only')] }],
  ['not_exercised', 'UNPROVEN', 'what was deleted had never run', { deleted: deleted(false) }],
  ['not_measurable', 'UNPROVEN', 'a part cannot be seen', { parts: [judged('exercised'), judged('not_measurable')] }],
  ['not_measurable', 'UNPROVEN', 'the witnesses contradict each other', { parts: [judged('contradicted')] }],
  ['not_measurable', 'UNPROVEN', 'a part is excluded', { parts: [judged('exercised'), judged('excluded')] }],
  ['not_measurable', 'UNPROVEN', 'what was deleted could not be seen', { deleted: deleted(null) }],
  ['only_excluded', 'UNPROVEN', 'all parts are excluded', { parts: [judged('excluded')] }],
  ['verified', 'SAFE', 'nothing is missing', {}],
  ['verified', 'SAFE', 'the baseline was red and is mended', { baselineEnding: 'red' }],
  ['verified', 'SAFE', 'what was deleted had run', { parts: [], deleted: deleted(true) }],
  ['verified', 'SAFE', 'nothing that changed can run', { parts: [], files: [{ path: FILE, toJudge: 0 }] }],
];

describe('the verdict', () => {
  test.each(TABLE)('is %s (%s) when %s', (reasonCode, verdict, _when, evidence) => {
    expect(judge({ ...PROVEN, ...evidence })).toEqual({ verdict, reasonCode });
  });

  test('has a row above for every reason', () => {
    expect(new Set(TABLE.map(([reasonCode]) => reasonCode))).toEqual(
      // These two are about how new an answer is, not about evidence.
      new Set(REASON_CODES.filter((code) => code !== 'revision_not_verified' && code !== 'newer_edits_pending')),
    );
  });

  test('is decided by the first row that holds', () => {
    const firsts = TABLE.filter(([code], at) => TABLE.findIndex(([other]) => other === code) === at);
    const upward = firsts.filter(([code]) => code !== 'verified').reverse();
    let evidence = PROVEN;
    const decided = upward.map(([, , , worse]) => judge((evidence = { ...evidence, ...worse })).reasonCode);
    expect(decided).toEqual(upward.map(([code]) => code));
  });
});

/** One way in which evidence becomes weaker. */
type Weakening = readonly [what: string, weaken: (evidence: Evidence) => Evidence];

const ENDINGS: readonly SuiteEnding[] = ['red', 'timed_out', 'incomplete', 'not_run', 'not_started', 'no_command'];

const set = (what: string, change: Partial<Evidence>): Weakening => [what, (evidence) => ({ ...evidence, ...change })];
const add = (key: 'newFailures' | 'preexistingFailures' | 'flaky' | 'changedTests' | 'bypassed'): Weakening => [
  `${key}: one more`,
  (evidence) => ({ ...evidence, [key]: [...evidence[key], 'one'] }),
];
const parts = (what: string, weaken: (parts: Evidence['parts']) => Evidence['parts']): Weakening => [
  `parts: ${what}`,
  (evidence) => ({ ...evidence, parts: weaken(evidence.parts) }),
];

const WEAKENINGS: readonly Weakening[] = [
  set('the tree moved', { isTreeStill: false }),
  set('whether the tree moved is not known', { isTreeStill: null }),
  set('a syntax error', { syntax: [FINDING] }),
  set('a broken import', { imports: [FINDING] }),
  ...ENDINGS.map((ending) => set(`the run ends ${ending}`, { ending })),
  set('the end of the baseline is not known', { baselineEnding: null }),
  set('the baseline did not end', { baselineEnding: 'timed_out' }),
  add('newFailures'),
  add('preexistingFailures'),
  add('flaky'),
  add('changedTests'),
  add('bypassed'),
  set('an unmeasured file', { unmeasured: [{ path: FILE, why: 'because' }] }),
  set('no test passed', { passed: 0 }),
  set('tests are not counted', { passed: null }),
  set('the suite is narrowed', { scope: 'narrowed' }),
  set('the scope is unknown', { scope: 'unknown' }),
  set('what was lost is not known', { lost: null }),
  set('a lost test', { lost: ['t'] }),
  set('what was skipped is not known', { newlySkipped: null }),
  set('a skipped test', { newlySkipped: ['t'] }),
  ...(['missed', 'import_only', 'excluded', 'not_measurable', 'contradicted'] as const).map((status) =>
    parts(`the first becomes ${status}`, ([first, ...rest]) => [{ ...(first ?? judged(status)), status }, ...rest]),
  ),
  parts('the first is not judged', ([, ...rest]) => rest),
  parts('the last is not judged', (list) => list.slice(0, -1)),
  parts('none is judged', () => []),
  set('nothing deleted is judged', { deleted: [] }),
  set('it is not known what changed', { files: [{ path: FILE, toJudge: null }] }),
  set('no file is known', { files: [] }),
  set('a deleted statement that never ran', { deleted: deleted(false), files: [{ path: FILE, toJudge: 2 }] }),
  set('a deleted statement that nobody saw', { deleted: deleted(null), files: [{ path: FILE, toJudge: 2 }] }),
];

/** Weaknesses that leave the other facts as they are, so that the rest can still be judged. */
const arbitraryEvidence: fc.Arbitrary<Evidence> = fc
  .array(fc.constantFrom(...WEAKENINGS), { maxLength: 3 })
  .map((applied) => applied.reduce<Evidence>((evidence, [, weaken]) => weaken(evidence), PROVEN));

const arbitraryParts = fc.array(
  fc
    .constantFrom('exercised', 'missed', 'import_only', 'excluded', 'not_measurable', 'contradicted')
    .map((s) => judged(s)),
  { maxLength: 4 },
);

/** Evidence on parts and deleted statements of any kind, all of them judged. */
const arbitraryJudgement: fc.Arbitrary<Evidence> = fc
  .record({ evidence: arbitraryEvidence, parts: arbitraryParts, gone: fc.array(fc.constantFrom(true, false, null)) })
  .map(({ evidence, parts: own, gone }) => ({
    ...evidence,
    parts: own,
    deleted: gone.flatMap(deleted),
    files: [{ path: FILE, toJudge: own.length + gone.length }],
  }));

describe('the law of evidence', () => {
  test.each(WEAKENINGS.filter(([what]) => what !== 'nothing deleted is judged'))(
    'proven evidence is no longer SAFE when weakened: %s',
    (_what, weaken) => {
      expect(judge(weaken(PROVEN)).verdict).not.toBe('SAFE');
    },
  );

  test('no weakening turns a verdict that is not SAFE into SAFE', () => {
    const becameSafe = (evidence: Evidence, weaken: Weakening[1]): boolean =>
      judge(evidence).verdict !== 'SAFE' && judge(weaken(evidence)).verdict === 'SAFE';
    fc.assert(
      fc.property(fc.oneof(arbitraryEvidence, arbitraryJudgement), (evidence) => {
        const lawless = WEAKENINGS.filter(([, weaken]) => becameSafe(evidence, weaken)).map(([what]) => what);
        expect(lawless).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('SAFE needs every part exercised', () => {
    fc.assert(
      fc.property(arbitraryParts, (list) => {
        const evidence = { ...PROVEN, parts: list, files: [{ path: FILE, toJudge: list.length }] };
        expect(judge(evidence).verdict === 'SAFE').toBe(list.every(({ status }) => status === 'exercised'));
      }),
    );
  });
});
