import { describe, expect, test } from 'vitest';
import { judge, type Evidence } from '../../src/engine/verdict.ts';
import type { ProposedFile } from '../../src/model/proposal.ts';
import { REASON_CODES } from '../../src/model/verdict.ts';
import { verifyReport as published } from '../../src/tools/verify-change-output.ts';
import { verifyReportText } from '../../src/tools/verify-report-text.ts';
import { explain } from '../../src/usecases/verify-reasons.ts';
import type { Judgement } from '../../src/usecases/judgement.ts';
import { verifyReport } from '../../src/usecases/verify-report.ts';
import { analysisOf } from '../support/analysis.ts';
import { FILE, FINDING, judged, PROVEN } from '../support/evidence.ts';

const proposed = (path: string): ProposedFile => ({
  components: path.split('/'),
  path,
  before: Buffer.from('a'),
  after: Buffer.from('b'),
  sha256Before: null,
  sha256After: '',
  mode: null,
});

function judgement(evidence: Partial<Evidence> = {}, changes: Partial<Judgement> = {}): Judgement {
  const whole = { ...PROVEN, ...evidence };
  return {
    ...judge(whole),
    evidence: whole,
    proposal: [proposed(FILE)],
    examination: {
      files: [{ path: FILE, before: null, after: analysisOf('a') }],
      syntax: [],
      imports: [],
      undecided: [],
      unexamined: [],
      durationMs: 12.4,
    },
    trial: null,
    missing: null,
    tree: {
      tier: 'copy',
      reason: 'no overlay here',
      root: '/srv/app',
      runFolder: '/run',
      preparedMs: 3.2,
      notes: [],
      examinerWrapper: null,
      suiteWrapper: () => Promise.resolve({ ok: true, value: null }),
      write: () => undefined,
      read: () => null,
      dispose: () => Promise.resolve(),
    },
    movedPaths: ['a.py'],
    notes: ['a note'],
    durationMs: 99.6,
    ...changes,
  };
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

  test('a baseline that did not end is not called a lost test', () => {
    const { reason } = explain(judgement({ baselineEnding: 'incomplete' }));
    expect(reason).toBe('Which tests ran without the change is not known, so none can be shown to be missing now.');
  });
});
