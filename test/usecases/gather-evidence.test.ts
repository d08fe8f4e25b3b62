import { describe, expect, test } from 'vitest';
import { measureFiles, probeDeleted } from '../../src/engine/evidence/measured-files.ts';
import { judge, type SuiteEnding } from '../../src/engine/verdict.ts';
import type { CoverageWitness, ProbeHit, TestCase, TestOutcome } from '../../src/model/suite.ts';
import { gatherEvidence } from '../../src/usecases/gather-evidence.ts';
import type { SuiteRun } from '../../src/usecases/run-suite.ts';
import type { BaselineRun, Trial } from '../../src/usecases/trial.ts';
import { analysisOf } from '../support/analysis.ts';
import { judgement, suiteRun } from '../support/judgement.ts';

const PATH = 'tide.py';
const BEFORE = 'gone\nebb';
const AFTER = 'ebb\nfn\n  flood';
/** Of the loading, of `fn` and of what is in it; then of what is deleted. */
const [LOAD, HEAD, BODY, GONE] = [1, 2, 3, 5];

const proposal = [
  {
    path: PATH,
    components: [PATH],
    before: Buffer.from(BEFORE),
    after: Buffer.from(AFTER),
    sha256Before: null,
    sha256After: '',
    mode: null,
  },
];
const examined = [{ path: PATH, before: analysisOf(BEFORE), after: analysisOf(AFTER) }];
const files = measureFiles(proposal, examined, () => false);
const { deleted } = probeDeleted(proposal, files);

interface Seen {
  readonly ending?: SuiteEnding;
  readonly outcome?: TestOutcome;
  readonly hits?: readonly number[];
  readonly witness?: Partial<CoverageWitness>;
}

const ALL = [LOAD, HEAD, BODY];

function run({ ending = 'green', outcome = 'passed', hits = ALL, witness = {} }: Seen = {}): SuiteRun {
  const test: TestCase = { id: 't', times: 1, outcome, message: null, file: 'test_tide.py' };
  const hit = (probe: number): readonly [number, readonly ProbeHit[]] => [
    probe,
    [{ probe, phase: 'test', testId: 't' }],
  ];
  const seen = { path: PATH, isMeasured: true, otherCopies: [], executed: [null, true, true], ...witness };
  return {
    ...suiteRun(ending, [test]),
    hits: new Map(hits.map(hit)),
    coverage: [{ tool: 'coverage.py', unavailable: null, gap: null, files: [seen] }],
  };
}

const without = (seen: Seen = {}): BaselineRun => ({ ...run({ hits: [GONE], ...seen }), isProbed: true });

function gather(candidates: Trial['candidates'], baselines: Trial['baselines'] = [without()]) {
  return gatherEvidence({
    examination: judgement().examination,
    proposal,
    suite: { scope: 'full' },
    trial: { files, deleted, candidates, baselines, apart: null, keepBaseline: () => undefined },
  });
}

const verdictOf = (...given: Parameters<typeof gather>) => {
  const { verdict, reasonCode } = judge({ ...gather(...given), isTreeStill: true });
  return `${verdict} ${reasonCode}`;
};

describe('the evidence of a trial', () => {
  test('is whole where every part was run by a passing test, and the deleted one before', () => {
    const { parts, ...rest } = gather([run()]);
    expect([parts.map(({ status, tests }) => [status, tests]), rest]).toEqual([
      [
        ['exercised', ['t']],
        ['exercised', ['t']],
      ],
      {
        syntax: [],
        imports: [],
        ending: 'green',
        baselineEnding: 'green',
        newFailures: [],
        preexistingFailures: [],
        flaky: [],
        lost: [],
        newlySkipped: [],
        passed: 1,
        scope: 'full',
        changedTests: [],
        bypassed: [],
        unmeasured: [],
        probesAlone: [],
        removed: [],
        files: [{ path: PATH, toJudge: 3 }],
        deleted: [{ file: PATH, line: 1, isExercised: true }],
      },
    ]);
  });

  test.each<[what: string, candidates: Trial['candidates'], verdict: string]>([
    ['one green run', [run()], 'SAFE verified'],
    ['a run that hung, then a green one', [run({ ending: 'timed_out' }), run()], 'UNPROVEN tests_flaky'],
    ['a run that was cut short, then a green one', [run({ ending: 'incomplete' }), run()], 'UNPROVEN run_incomplete'],
    ['a run that failed without a name, then a green one', [run({ ending: 'red' }), run()], 'UNPROVEN tests_flaky'],
    [
      'a test that failed, then a green run',
      [run({ ending: 'red', outcome: 'failed' }), run()],
      'UNPROVEN tests_flaky',
    ],
    ['two runs that hung', [run({ ending: 'timed_out' }), run({ ending: 'timed_out' })], 'UNSAFE timeout_introduced'],
    [
      'a test that failed twice',
      [run({ ending: 'red', outcome: 'failed' }), run({ ending: 'red', outcome: 'failed' })],
      'UNSAFE tests_failed',
    ],
    ['a part that no test ran', [run({ hits: [LOAD, HEAD] })], 'UNPROVEN not_exercised'],
    ['a test that is expected to fail', [run({ outcome: 'expected_failure' })], 'UNPROVEN no_tests_ran'],
  ])('with the change %s', (_what, candidates, verdict) => {
    expect(verdictOf(candidates)).toBe(verdict);
  });

  test('takes what ran, and which copy was loaded, from the run with the probes alone', () => {
    const second = run({
      ending: 'red',
      outcome: 'failed',
      hits: [],
      witness: { isMeasured: false, otherCopies: ['/b'] },
    });
    const { bypassed, parts, passed } = gather([run({ ending: 'red' }), second]);
    expect([bypassed, parts.map(({ status }) => status), passed]).toEqual([[], ['exercised', 'exercised'], 0]);
  });

  test.each<[what: string, baselines: Trial['baselines'], isExercised: boolean | null]>([
    ['a passing test ran it', [without()], true],
    ['no test ran it', [without({ hits: [] })], false],
    ['a failing test ran it', [without({ ending: 'red', outcome: 'failed' })], false],
    ['the run was cut short before it', [without({ ending: 'timed_out', hits: [] })], null],
    [
      'only the first run had its probe',
      [without({ ending: 'red' }), { ...without({ hits: [] }), isProbed: false }],
      true,
    ],
    ['there is no run without the change', [], null],
  ])('tells of what is deleted: %s', (_what, baselines, isExercised) => {
    expect(gather([run()], baselines).deleted).toEqual([{ file: PATH, line: 1, isExercised }]);
  });
});
