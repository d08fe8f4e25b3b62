/** The saved form of verify_change on a real project: what is on disk against HEAD, by revision, with real runs. */
import { cpSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { repositoryFolder } from '../../scripts/fixture-project.ts';
import type { SavedReport, SavedRequest } from '../../src/model/saved-verification.ts';
import { recordChangedPaths } from '../../src/usecases/record-changed-paths.ts';
import { verifyInEitherForm, type VerifyAnyRequest } from '../../src/usecases/verify-form.ts';
import { pythonToolchain } from '../support/python-toolchain.ts';
import { testProduct, type TestProduct } from '../support/product.ts';

const TOOLCHAIN_LIMIT_MS = 300_000;
const LIMIT_MS = 120_000;
const WAIT_MS = 110_000;
const ADD = 'def add(a, b):\n return b + a\n\n\ndef scale(a, factor):\n return a * factor\n';
const BROKEN = ADD.replace('b + a', 'b - a');

let ground: TestProduct;

beforeEach(() => {
  const path = [dirname(pythonToolchain()), process.env['PATH'] ?? ''].join(delimiter);
  ground = testProduct({ env: { ...process.env, PATH: path }, settings: { testTimeoutMs: LIMIT_MS } });
  cpSync(join(repositoryFolder(), 'fixtures/repos/python-calc'), ground.root, { recursive: true });
  ground.repo.commit('start');
}, TOOLCHAIN_LIMIT_MS);

afterEach(async () => {
  await ground.product.savedRuns.stop();
  ground.dispose();
});

function ask(request: Partial<VerifyAnyRequest>, signal = new AbortController().signal) {
  const whole = { testCommand: 'python3 -m pytest -q', ...request };
  return verifyInEitherForm(ground.product, whole, { signal, progress: () => undefined });
}

async function verify(request: Partial<SavedRequest>): Promise<SavedReport> {
  const answer = await ask({ waitMs: WAIT_MS, ...request });
  if (!answer.ok) throw new Error(`${answer.failure.code}: ${answer.failure.message}`);
  if (!('freshness' in answer.value)) throw new Error('not the saved form');
  return answer.value;
}

async function record(...paths: readonly string[]) {
  const receipt = await recordChangedPaths(ground.product, { paths });
  if (!receipt.ok) throw new Error(receipt.failure.message);
  return { paths: receipt.value.paths, minRevision: receipt.value.min_revision, epoch: receipt.value.epoch };
}

async function refusal(request: Partial<VerifyAnyRequest>): Promise<string> {
  const answer = await ask(request);
  return answer.ok ? 'answered' : answer.failure.code;
}

test(
  'a saved edit that is tested is SAFE against HEAD, at the floor of its receipt',
  async () => {
    ground.repo.file('calc.py', ADD);
    const floor = await record('calc.py');
    const report = await verify(floor);
    expect(report).toMatchObject({
      verdict: 'SAFE',
      reasonCode: 'verified',
      changedFiles: ['calc.py'],
      verification_id: null,
      freshness: {
        requested_revision: floor.minRevision,
        verified_revision: floor.minRevision,
        satisfied: true,
        is_stale: false,
        state: 'idle',
        dirty_path_count: 0,
      },
      baseline: { kind: 'head', head: ground.repo.git('rev-parse', 'HEAD').trim(), comparable: true, reasons: [] },
      regressions: [],
      fixes: [],
      regression_count: 0,
      fix_count: 0,
      disappeared: [],
      scope_paths: ['calc.py'],
      scope_path_count: 1,
      truncated: false,
      caveats: [],
      last_verified: null,
      wait: { requested_ms: WAIT_MS, effective_ms: WAIT_MS, timed_out: false },
    });
  },
  LIMIT_MS,
);

test(
  'a saved edit that breaks a test is a regression, and mending it is a fix against the last result',
  async () => {
    ground.repo.file('calc.py', BROKEN);
    const broken = await verify(await record('calc.py'));
    expect([broken.verdict, broken.reasonCode, broken.regression_count]).toEqual(['UNSAFE', 'tests_failed', 1]);
    expect(broken.regressions).toMatchObject([{ kind: 'test', class: 'regression', in_scope: false }]);
    ground.repo.file('calc.py', ADD);
    const mended = await verify({ ...(await record('calc.py')), baseline: 'last_verified' });
    expect(mended).toMatchObject({
      baseline: { kind: 'last_verified', comparable: true },
      regression_count: 0,
      fix_count: 1,
      fixes: [{ kind: 'test', class: 'fix', id: broken.regressions[0]?.id }],
    });
  },
  LIMIT_MS,
);

test(
  'what was lost or broken stays so when it is measured against the result that lost or broke it',
  async () => {
    const guard = '@pytest.mark.skipif(isinstance(calc.add(1, 1), float), reason="whole numbers only")';
    ground.repo.file(
      'tests/test_guard.py',
      `import calc\nimport pytest\n\n\n${guard}\ndef test_guard():\n    assert calc\n`,
    );
    ground.repo.commit('guard');
    const verdicts: unknown[] = [];
    for (const text of [ADD.replace('b + a', 'float(a + b)'), BROKEN]) {
      ground.repo.file('calc.py', text);
      await verify({ paths: ['calc.py'] });
      for (const baseline of ['head', 'last_verified'] as const) {
        const {
          verdict,
          reasonCode,
          regression_count: regressions,
          disappeared,
        } = await verify({
          paths: ['calc.py'],
          baseline,
        });
        verdicts.push([baseline, verdict, reasonCode, regressions, disappeared.length]);
      }
    }
    expect(verdicts).toEqual([
      ['head', 'UNPROVEN', 'tests_skipped', 0, 1],
      ['last_verified', 'UNPROVEN', 'tests_skipped', 0, 0],
      ['head', 'UNSAFE', 'tests_failed', 1, 0],
      ['last_verified', 'UNSAFE', 'tests_failed', 0, 0],
    ]);
  },
  LIMIT_MS,
);

test(
  'a finding is counted against a last result about the same paths, and not against one about others',
  async () => {
    ground.repo.file('extra.py', 'import not_installed_here\n');
    ground.repo.commit('a finding that stands');
    ground.repo.file('calc.py', ADD);
    ground.repo.file('extra.py', 'import not_installed_here\n\nLOW = 1\n');
    await verify({ paths: ['calc.py'] });
    const counted = async (...paths: readonly string[]) => {
      const {
        baseline,
        regression_count: count,
        regressions,
        caveats,
      } = await verify({ paths, baseline: 'last_verified' });
      return { isComparable: baseline?.comparable, count, regressions, caveats };
    };
    const caveats = ['Findings are not counted: the baseline is about other paths.'];
    expect([await counted('extra.py'), await counted('.')]).toEqual([
      { isComparable: true, count: 0, regressions: [], caveats },
      { isComparable: true, count: 0, regressions: [], caveats },
    ]);
    ground.repo.file('extra.py', 'import not_installed_here\n\nLOW = 2\n');
    expect(await counted('.')).toEqual({ isComparable: true, count: 0, regressions: [], caveats: [] });
  },
  LIMIT_MS,
);

test(
  'a file that was deleted is put back for the baseline, and its deletion is never SAFE',
  async () => {
    ground.repo.file('unused.py', 'LOW = 1\n');
    ground.repo.commit('more');
    rmSync(join(ground.root, 'unused.py'));
    const report = await verify({ paths: ['.'] });
    expect(report).toMatchObject({
      verdict: 'UNPROVEN',
      reasonCode: 'file_deleted',
      changedFiles: ['unused.py'],
      regression_count: 0,
    });
  },
  LIMIT_MS,
);

test(
  'without a commit nothing is comparable, and what fails is UNSAFE all the same',
  async () => {
    rmSync(join(ground.root, '.git'), { recursive: true });
    ground.repo.file('calc.py', BROKEN);
    const report = await verify({ paths: ['calc.py'] });
    expect(report).toMatchObject({
      verdict: 'UNSAFE',
      reasonCode: 'tests_failed',
      baseline: { kind: 'none', comparable: false },
      regression_count: null,
      fix_count: null,
      regressions: [],
    });
    expect(report.reason).toContain('there is nothing to compare with');
  },
  LIMIT_MS,
);

test(
  'an edit that nobody told of is noticed, and a wait that ends leaves only the name of the older result',
  async () => {
    ground.repo.file('calc.py', ADD);
    const first = await verify({ paths: ['calc.py'] });
    ground.repo.file('calc.py', BROKEN);
    const second = await verify({ paths: ['calc.py'], waitMs: 0 });
    expect(second).toMatchObject({
      verdict: 'UNPROVEN',
      reasonCode: 'revision_not_verified',
      freshness: { satisfied: false, is_stale: true, state: 'running' },
      last_verified: { revision: first.freshness.verified_revision, verdict: 'SAFE', state_id: first.state_id },
      wait: { requested_ms: 0, effective_ms: 0, timed_out: true },
      regression_count: null,
      baseline: null,
    });
    expect(['gates', 'coverage', 'tests', 'changedFiles'].filter((name) => name in second)).toEqual([]);
    expect((await verify({ paths: ['calc.py'] })).verdict).toBe('UNSAFE');
  },
  LIMIT_MS,
);

test(
  'a floor that is reached satisfies although something was edited since, and SAFE becomes UNPROVEN',
  async () => {
    ground.repo.file('calc.py', ADD);
    const floor = await record('calc.py');
    await verify(floor);
    ground.repo.file('note.txt', 'later\n');
    expect(await verify({ ...floor, waitMs: 0 })).toMatchObject({
      verdict: 'UNPROVEN',
      reasonCode: 'newer_edits_pending',
      freshness: { satisfied: true, is_stale: true, verified_revision: floor.minRevision },
    });
  },
  LIMIT_MS,
);

test(
  'an ignored file that was asked about is looked at again, whatever was asked in between',
  async () => {
    ground.repo.file('.gitignore', 'made\n');
    ground.repo.commit('ignore');
    ground.repo.file('made/a.txt', 'one\n');
    const first = await verify({ paths: ['made/a.txt'] });
    ground.repo.file('calc.py', ADD);
    ground.repo.file('made/a.txt', 'two\n');
    await verify({ paths: ['calc.py'] });
    const { freshness } = await verify({ paths: ['made/a.txt'] });
    expect([freshness.satisfied, freshness.is_stale, freshness.observed_revision]).toEqual([true, false, 2]);
    expect(freshness.verified_revision).toBeGreaterThan(first.freshness.observed_revision);
  },
  LIMIT_MS,
);

test(
  'a tree that no look takes in whole is neither verified nor answered from an earlier result',
  async () => {
    ground.repo.file('calc.py', ADD);
    await verify({ paths: ['calc.py'] });
    const { host } = ground.product;
    const captureState: typeof host.captureState = async (...asked) => {
      return { ...(await host.captureState(...asked)), isComplete: false };
    };
    const product = { ...ground.product, host: { ...host, captureState } };
    const request = { paths: ['calc.py'], testCommand: 'python3 -m pytest -q', waitMs: WAIT_MS };
    const call = { signal: new AbortController().signal, progress: () => undefined };
    expect(await verifyInEitherForm(product, request, call)).toMatchObject({
      value: {
        verdict: 'UNPROVEN',
        reasonCode: 'revision_not_verified',
        freshness: { satisfied: false, last_error: { code: 'TREE_TOO_LARGE' } },
      },
    });
  },
  LIMIT_MS,
);

test(
  'an empty scope is all that is pending, and lists are cut to the number asked for and say so',
  async () => {
    ground.repo.file('calc.py', ADD);
    ground.repo.file('notes/a.txt', 'low\n');
    ground.repo.file('notes/b.txt', 'high\n');
    ground.repo.file('other.txt', 'not touched by anybody who said so\n');
    await record('calc.py', 'notes');
    const report = await verify({ paths: [], maxItems: 2 });
    expect(report).toMatchObject({
      scope_paths: ['calc.py', 'notes'],
      changedFiles: ['calc.py', 'notes/a.txt'],
      truncated: true,
      capped: [{ list: 'changedFiles', shown: 2, total: 3 }],
      reasonCode: 'coverage_unknown',
    });
  },
  LIMIT_MS,
);

test('forms must not be mixed, floors must be of this server, and a first wait that ends is pending', async () => {
  ground.repo.file('calc.py', ADD);
  const { epoch } = await record('calc.py');
  expect([
    await refusal({ paths: ['calc.py'], unifiedDiff: 'x' }),
    await refusal({}),
    await refusal({ paths: ['calc.py'], epoch: 'older' }),
    await refusal({ paths: ['calc.py'], epoch, minRevision: 99 }),
    await refusal({ paths: ['../calc.py'] }),
    await refusal({ paths: ['calc.py'], testCommand: 'sh -c true' }),
    await refusal({ paths: ['calc.py'], waitMs: 0 }),
  ]).toEqual([
    'AMBIGUOUS_FORM',
    'NOTHING_TO_VERIFY',
    'EPOCH_MISMATCH',
    'REVISION_UNKNOWN',
    'BAD_PATH',
    'COMMAND_NOT_ALLOWED',
    'VERIFICATION_PENDING',
  ]);
});

test(
  'a runner that is missing is a failed attempt, shown with its revision, and answered at once when idle',
  async () => {
    ground.repo.file('calc.py', ADD);
    const request = { paths: ['calc.py'], testCommand: 'npx vitest run', waitMs: WAIT_MS };
    const [first, again] = [await ask(request), await ask({ ...request, waitMs: 0 })];
    const codes = [first, again].map((answer) => (answer.ok ? 'answered' : answer.failure.code));
    expect(codes).toEqual(['VERIFICATION_FAILED', 'VERIFICATION_FAILED']);
    const { revision } = ground.product.revisions.current(ground.root);
    expect(ground.product.revisions.freshness(ground.root)).toMatchObject({
      state: 'failed',
      last_error: { revision, code: 'runner_missing' },
    });
  },
  LIMIT_MS,
);

test(
  'nothing found before answers once a file has changed that git ignores and the suite may read',
  async () => {
    ground.repo.file('.gitignore', 'tables/\n');
    ground.repo.file('tables/scale.txt', '2\n');
    ground.repo.commit('ignore the tables');
    ground.repo.file('calc.py', ADD);
    const first = await verify({ paths: ['calc.py'] });
    await sleep(100);
    const kept = await verify({ paths: ['calc.py'], waitMs: 0 });
    ground.repo.file('tables/scale.txt', '3\n');
    const asked = await verify({ paths: ['calc.py'], waitMs: 0 });
    expect([first.verdict, kept.verdict, asked.reasonCode]).toEqual(['SAFE', 'SAFE', 'revision_not_verified']);
  },
  LIMIT_MS,
);

test(
  'without a wait in the call the first question waits 30 s and a later one not at all, and no wait is longer than 120 s',
  async () => {
    ground.repo.file('calc.py', ADD);
    const waits = [];
    for (const waitMs of [undefined, undefined, 999_999]) {
      const { wait } = await verify({ paths: ['calc.py'], waitMs });
      waits.push([wait.requested_ms, wait.effective_ms]);
    }
    expect(waits).toEqual([
      [null, 30_000],
      [null, 0],
      [999_999, 120_000],
    ]);
  },
  LIMIT_MS,
);
