import { describe, expect, test } from 'vitest';
import { COMMAND } from '../../src/engine/evidence/compare-runs.ts';
import { measureFiles } from '../../src/engine/evidence/measured-files.ts';
import type { Evidence, SuiteEnding } from '../../src/engine/verdict.ts';
import { REASON_CODES } from '../../src/model/verdict.ts';
import { verifyReport as published } from '../../src/tools/verify-change-output.ts';
import { verifyReportText } from '../../src/tools/verify-report-text.ts';
import { explain } from '../../src/usecases/verify-reasons.ts';
import { verifyReport } from '../../src/usecases/verify-report.ts';
import type { Trial } from '../../src/usecases/trial.ts';
import { analysisOf } from '../support/analysis.ts';
import { FILE, FINDING, judged } from '../support/evidence.ts';
import { judgement, proposed, suiteRun } from '../support/judgement.ts';

/** Runs with the change that ended so. */
function ended(first: SuiteEnding, ...others: readonly SuiteEnding[]): Trial {
  const candidates = [suiteRun(first), ...others.map((ending) => suiteRun(ending))] as const;
  return { files: [], deleted: [], candidates, baselines: [], apart: null, keepBaseline: () => undefined };
}

describe('the report', () => {
  test('has the fields of the contract, in its order, before ours', () => {
    const report = verifyReport(judgement({ parts: [judged('missed')] }));
    expect(Object.keys(report).slice(0, 8)).toEqual([
      'verdict',
      'reportVersion',
      'gates',
      'changedFiles',
      'testFilesChanged',
      'coverage',
      'reason',
      'missingTests',
    ]);
    expect(report).toMatchObject({
      verdict: 'UNPROVEN',
      changedFiles: [FILE],
      reason: 'Tests pass, but the changed code is not exercised by any test.',
      missingTests: [{ file: FILE, hint: `add a test exercising ${FILE}:3` }],
      coverage: {
        uncovered: [{ file: FILE, line: 3 }],
        filesWithUncovered: 1,
        changedStatements: { total: 1, covered: 0 },
      },
      shadow: { tier: 'copy', preparedMs: 3, why: 'no overlay here' },
      notes: ['a note'],
      durationMs: 100,
    });
  });

  test('is as published for every kind of evidence', () => {
    const kinds: readonly Partial<Evidence>[] = [
      {},
      { syntax: [FINDING, FINDING] },
      { imports: [FINDING] },
      { flaky: ['t'] },
      { parts: [judged('missed', { isArm: true }), judged('import_only'), judged('excluded')] },
      { deleted: [{ file: FILE, line: 1, isExercised: false }] },
      { unmeasured: [{ path: FILE, why: 'because' }], bypassed: ['x'] },
    ];
    expect(kinds.map((kind) => published.safeParse(verifyReport(judgement(kind))).error?.message)).toEqual(
      kinds.map(() => undefined),
    );
  });

  test('a statement is covered only when every arm that the change brought into it is', () => {
    const parts = [
      judged('exercised'),
      judged('missed', { isArm: true, kind: 'else', span: { start: 9, end: 10, line: 5, endLine: 5 } }),
    ];
    expect(verifyReport(judgement({ parts })).coverage).toMatchObject({
      uncovered: [{ file: FILE, line: 3 }],
      changedStatements: { total: 1, covered: 0 },
      notExercised: [{ file: FILE, line: 5, what: 'arm: else', why: 'no passing test ran it' }],
    });
  });

  test('a line that holds two missing statements is listed once, and each statement is named by its text', () => {
    const after = Buffer.from('x = a or b; y = c\n');
    const span = (start: number, end: number) => ({ start, end, line: 1, endLine: 1 });
    const parts = [
      judged('exercised', { kind: 'assignment', span: span(0, 10) }),
      judged('missed', { isArm: true, kind: 'operand', span: span(9, 10) }),
      judged('missed', { kind: 'assignment', statement: 1, span: span(12, 17) }),
    ];
    const proposal = [{ ...proposed(FILE), after }];
    const { coverage, missingTests } = verifyReport(judgement({ parts }, { proposal }));
    expect({ coverage, missingTests }).toEqual({
      coverage: {
        tool: 'none',
        changedLinesCovered: 'unknown',
        uncovered: [{ file: FILE, line: 1 }],
        filesWithUncovered: 1,
        changedStatements: { total: 2, covered: 0 },
        inertOnlyFiles: [],
        notExercised: [
          { file: FILE, line: 1, what: 'arm: operand', text: 'b', why: 'no passing test ran it' },
          { file: FILE, line: 1, what: 'assignment', text: 'y = c', why: 'no passing test ran it' },
        ],
        unknownReason: 'No test ran, because the verification was ended.',
      },
      missingTests: [
        { file: FILE, hint: `add a test exercising ${FILE}:1: the \`or\` side (\`b\`)` },
        { file: FILE, hint: `add a test exercising ${FILE}:1 (\`y = c\`)` },
      ],
    });
  });

  test('the ways through a statement that never ran are named with it, at their own lines, three at most', () => {
    const arm = (line: number) =>
      judged('missed', { isArm: true, kind: 'else', span: { start: 0, end: 0, line, endLine: line } });
    const hints = (count: number) =>
      verifyReport(
        judgement({ parts: [judged('missed'), ...Array.from({ length: count }, (_, at) => arm(3 + at))] }),
      ).missingTests.map(({ hint }) => hint);
    expect([hints(2), hints(5)]).toEqual([
      [`add a test exercising ${FILE}:3, and in it the else side and the else side in line 4`],
      [
        `add a test exercising ${FILE}:3, and in it the else side and the else side in line 4 and the else side in line 5 and 2 more ways through it`,
      ],
    ]);
  });

  test.each<[what: string, evidence: Partial<Evidence>, trial: Trial | null, coverage: object]>([
    [
      'no test command is known',
      { ending: 'no_command', parts: [] },
      null,
      { changedLinesCovered: 'unknown', unknownReason: 'No test ran, because no test command is known.' },
    ],
    [
      'the runner is missing before any run',
      { ending: 'not_started', parts: [] },
      null,
      {
        changedLinesCovered: 'unknown',
        unknownReason: 'No test ran, because the command could not be started (its program is missing).',
      },
    ],
    [
      'the runner turns out to be missing',
      { ending: 'not_started', parts: [judged('missed')] },
      ended('not_started'),
      { changedLinesCovered: 'unknown', unknownReason: 'No test ran, because the command could not be started.' },
    ],
    [
      'an earlier gate failed',
      { ending: 'not_run', syntax: [FINDING], parts: [] },
      null,
      { changedLinesCovered: 'unknown', unknownReason: 'No test ran, because an earlier gate failed.' },
    ],
    [
      'nothing can tell of a part',
      { parts: [judged('exercised'), judged('not_measurable', { statement: 1 })] },
      ended('green'),
      {
        changedLinesCovered: 'unknown',
        unknownReason: 'Of 1 changed part nothing can tell whether it ran.',
        changedStatements: { total: 2, covered: 1 },
      },
    ],
    [
      'all of it is excluded',
      { parts: [judged('excluded')] },
      ended('green'),
      {
        changedLinesCovered: 'unknown',
        unknownReason: '1 changed part is excluded by the author.',
        changedStatements: { total: 0, covered: 0 },
      },
    ],
    [
      'one part did not run',
      { parts: [judged('not_measurable'), judged('missed')] },
      ended('green'),
      { changedLinesCovered: false },
    ],
    ['all of it ran', {}, ended('green'), { changedLinesCovered: true }],
  ])('coverage says why it is unknown, and is not where it is known: %s', (_what, evidence, trial, coverage) => {
    const { unknownReason, ...rest } = verifyReport(judgement(evidence, { trial })).coverage;
    expect({ ...rest, ...(unknownReason === undefined ? {} : { unknownReason }) }).toMatchObject(coverage);
    expect(unknownReason !== undefined).toBe(rest.changedLinesCovered === 'unknown');
  });

  test('a file that loses an arm and nothing else only lost something', () => {
    const arm = { ...analysisOf('if a\n  b').arms[0], introducedBy: [] };
    const files = measureFiles([], [{ path: FILE, before: null, after: analysisOf('a') }], () => false).map((file) => ({
      ...file,
      changed: { ...file.changed, statements: [], arms: [], deleted: [], deletedArms: arm.kind === 'then' ? [0] : [] },
    }));
    const { coverage } = verifyReport(judgement({}, { trial: { ...ended('green'), files } }));
    expect(coverage.removalOnlyFiles).toEqual([FILE]);
  });

  test.each<[reasonCode: string, evidence: Partial<Evidence>]>([
    ['baseline_red', { preexistingFailures: ['t'] }],
    ['tests_changed', { changedTests: ['test_tide.py'] }],
    ['coverage_unknown', { unmeasured: [{ path: FILE, why: 'because' }] }],
  ])('no test is asked for where none can move the verdict: %s', (reasonCode, evidence) => {
    const report = verifyReport(judgement({ ...evidence, parts: [judged('missed')] }));
    expect([report.reasonCode, report.missingTests]).toEqual([reasonCode, []]);
  });

  test('no test is asked for where none can show more', () => {
    const parts = [judged('not_measurable')];
    expect(verifyReport(judgement({ parts })).missingTests).toEqual([]);
  });

  test('definitions that count by loading alone are listed, each line once', () => {
    const loaded = { ...judged('exercised', { timing: 'definition' }), isLoadedOnly: true };
    const { coverage } = verifyReport(judgement({ parts: [loaded, loaded, judged('exercised', { statement: 1 })] }));
    expect(coverage.loadedOnly).toEqual([{ file: FILE, line: 3 }]);
  });

  test('a list that is cut says so', () => {
    const parts = Array.from({ length: 201 }, (_, at) =>
      judged('missed', { statement: at, span: { start: at, end: at, line: at + 1, endLine: at + 1 } }),
    );
    const { coverage, missingTests, missingTestsTruncated } = verifyReport(judgement({ parts }));
    expect([coverage.uncovered.length, coverage.uncoveredTruncated]).toEqual([200, { shown: 200, total: 201 }]);
    expect([missingTests.length, missingTestsTruncated]).toEqual([50, { shown: 50, total: 201 }]);
  });

  test('a gate says what the change introduced', () => {
    expect(verifyReport(judgement({ syntax: [FINDING, FINDING], ending: 'not_run' })).gates).toEqual({
      syntax: {
        passed: false,
        durationMs: 12,
        blockingReason: `${FILE}:3: invalid syntax (and 1 more)`,
        status: 'failed',
        findings: [1, 2].map(() => ({ file: FILE, line: 3, message: 'invalid syntax' })),
      },
      imports: { passed: true, durationMs: 0, status: 'passed' },
      tests: {
        passed: false,
        durationMs: 0,
        blockingReason: 'no test ran, because an earlier gate failed',
        status: 'skipped',
      },
    });
  });

  test.each<[what: string, message: string, blockingReason: string]>([
    [
      'a traceback',
      'Traceback (most recent call last):\n  File "a.py"\n    x\nAssertionError: 1 != 2\n- 1\n+ 2\n',
      'AssertionError: 1 != 2',
    ],
    [
      'a traceback behind another',
      'Traceback (most recent call last):\n  a\nKeyError: 1\n\nDuring handling:\n\nTraceback (most recent call last):\n  b\nValueError\n',
      'ValueError',
    ],
    ['a traceback that was cut', 'Traceback (most recent call last):\n  File "a.py", li…', '  File "a.py", li…'],
    ['words', 'expected 1\nto be 2', 'expected 1'],
  ])('the gate of the tests shows what a failure is called: %s', (_what, message, words) => {
    const failed = suiteRun('red', [{ id: 't', times: 1, outcome: 'failed', message, file: null }]);
    const trial = { ...ended('red'), candidates: [failed] } as const;
    const { gates } = verifyReport(judgement({ ending: 'red', newFailures: ['t'] }, { trial }));
    expect(gates.tests).toEqual({
      passed: false,
      durationMs: 10,
      blockingReason: `t failed: ${words}`,
      status: 'failed',
    });
  });

  test('a green run after one that hung has not passed', () => {
    const trial = ended('timed_out', 'green');
    const report = verifyReport(judgement({ ending: 'red', flaky: [COMMAND] }, { trial }));
    const happened = 'did not end in time in its first run and succeeded in its second';
    expect([report.gates.tests, report.reason]).toEqual([
      { passed: false, durationMs: 10, blockingReason: `the command ${happened}`, status: 'unmeasured' },
      `With the change the command ${happened}, and no failing test says why.`,
    ]);
  });

  test('a gate that could not look at a file has not passed, and one that knows no checker says so', () => {
    const examination = { ...judgement().examination, files: [] };
    expect(verifyReport(judgement({}, { examination })).gates.syntax).toEqual({
      passed: false,
      durationMs: 12,
      blockingReason: 'a changed file could not be examined',
      status: 'unmeasured',
    });
    expect(verifyReport(judgement({}, { examination, proposal: [proposed('tide.txt')] })).gates.syntax).toEqual({
      passed: true,
      durationMs: 12,
      status: 'not_checked',
    });
  });

  test('as text begins with the verdict and ends with what it cost', () => {
    const report = verifyReport(judgement({ parts: [judged('missed')] }));
    const lines = verifyReportText(report).split('\n');
    expect([lines[0], lines.at(-1)]).toEqual([
      'UNPROVEN [not_exercised]: Tests pass, but the changed code is not exercised by any test.',
      'Shadow tree: copy (no overlay here), ready after 3 ms; 100 ms in all.',
    ]);
    expect(lines).toContain('Not exercised:');
    expect(lines).toContain(`  ${FILE}:3 return (b): no passing test ran it`);
  });
});

describe('the reason', () => {
  test.each([
    ['not_exercised', 'Tests pass, but the changed code is not exercised by any test.'],
    ['coverage_unknown', 'Tests pass, but coverage of the changed code could not be determined.'],
  ] as const)('%s is the sentence of the contract', (reasonCode, sentence) => {
    expect(explain({ ...judgement(), reasonCode }).reason).toBe(sentence);
  });

  test.each(['shadow_bypassed', 'not_measurable'] as const)(
    '%s begins with the sentence of the contract',
    (reasonCode) => {
      expect(explain({ ...judgement(), reasonCode }).reason).toMatch(
        /^Tests pass, but coverage of the changed code could not be determined\. /u,
      );
    },
  );

  test.each(REASON_CODES.filter((code) => code !== 'verified' && code !== 'coverage_unknown'))(
    '%s is a sentence, and says what to do',
    (reasonCode) => {
      const { reason, next } = explain({ ...judgement({ lost: ['t'], newlySkipped: ['t'] }), reasonCode });
      expect(reason).toMatch(/^[A-Z1].*\.$/u);
      expect(next).toMatch(/^[A-Z].*\.$/u);
    },
  );

  test.each<[trial: Trial, evidence: Partial<Evidence>, reason: string]>([
    [
      ended('incomplete'),
      { ending: 'incomplete' },
      'With the change the command was cut short or left results that cannot be read.',
    ],
    [
      ended('red', 'red'),
      { ending: 'incomplete', baselineEnding: 'timed_out' },
      'With the change the command failed, and without it the run did not come to its end.',
    ],
  ])('of a run that says nothing tells what happened', (trial, evidence, reason) => {
    expect(explain(judgement(evidence, { trial })).reason).toBe(reason);
  });

  test('a baseline that did not end is not called a lost test', () => {
    const { reason } = explain(judgement({ baselineEnding: 'incomplete' }));
    expect(reason).toBe('Which tests ran without the change is not known, so none can be shown to be missing now.');
  });
});
