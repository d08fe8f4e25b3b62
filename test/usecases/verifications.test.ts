import { expect, test } from 'vitest';
import type { CallContext } from '../../src/model/call-context.ts';
import { failure } from '../../src/model/failure.ts';
import { fail, ok, type Result } from '../../src/model/result.ts';
import { REASON_CODES, type VerifyReport } from '../../src/model/verdict.ts';
import { createVerifications, type Age } from '../../src/usecases/verifications.ts';
import { SAFE_REPORT } from '../support/verify-report.ts';

const HOUR = 3_600_000;

/** A register on a clock of the test, and work that ends when the test says so. */
function register() {
  const clock = { now: 0, isStill: true, askedFor: 0 };
  const verifications = createVerifications(() => clock.now);
  const jobs: { call: CallContext; end: (answer: Result<VerifyReport>) => void }[] = [];
  const ask = (options: { key?: string; age?: Age; signal?: AbortSignal; said?: string[] } = {}) => {
    const { key = 'k', age = 'kept', signal = new AbortController().signal, said = [] } = options;
    const work = (call: CallContext): Promise<Result<VerifyReport>> =>
      new Promise((end) => {
        jobs.push({ call, end });
      });
    const isStill = (forMs: number): boolean => {
      clock.askedFor = forMs;
      return clock.isStill;
    };
    return verifications.answer(key, age, { signal, progress: (message) => said.push(message) }, { work, isStill });
  };
  const end = (at: number, answer: Result<VerifyReport> = ok(SAFE_REPORT)): void => {
    jobs[at]?.end(answer);
  };
  return { clock, jobs, ask, end };
}

const keptFor = (seconds: number): string =>
  `This was found ${seconds} s ago; nothing ran again. What lies outside the repository may have changed since without ` +
  'being seen, services too; fresh: true verifies anew.';

const CANCELLED = fail(failure('CANCELLED', 'The verification was cancelled; nothing was written.'));

test('equal requests at the same time share one run, and each hears of its progress', async () => {
  const { jobs, ask, end } = register();
  const [first, second]: [string[], string[]] = [[], []];
  const answers = Promise.all([ask({ said: first }), ask({ said: second })]);
  jobs[0]?.call.progress('running');
  end(0);
  expect(await answers).toEqual([ok(SAFE_REPORT), ok(SAFE_REPORT)]);
  expect([jobs.length, first, second]).toEqual([1, ['running'], ['running']]);
});

test('other requests have runs of their own', async () => {
  const { jobs, ask, end } = register();
  const answers = Promise.all([ask({ key: 'a' }), ask({ key: 'b' })]);
  [0, 1].forEach((at) => {
    end(at);
  });
  await answers;
  expect(jobs.length).toBe(2);
});

test('an answer is given again with its age, until it is too old to be written', async () => {
  const { clock, jobs, ask, end } = register();
  const first = ask();
  end(0);
  await first;
  clock.now = 1_234.4;
  expect(await ask()).toEqual(
    ok({ ...SAFE_REPORT, notes: [...SAFE_REPORT.notes, keptFor(1)], cached: { ageMs: 1_234 } }),
  );
  clock.now = HOUR - 1;
  const later = ask();
  end(1);
  expect(await later).toEqual(ok(SAFE_REPORT));
  expect(jobs.length).toBe(2);
});

test('an answer is not given again once anything has changed since its run began', async () => {
  const { clock, jobs, ask, end } = register();
  const first = ask();
  clock.now = 500;
  end(0);
  await first;
  clock.now = 2_000;
  clock.isStill = false;
  const again = ask();
  end(1);
  expect([await again, jobs.length, clock.askedFor]).toEqual([ok(SAFE_REPORT), 2, 2_000]);
});

test('fresh asks anew, and its answer takes the place of the earlier one', async () => {
  const { ask, end } = register();
  const first = ask();
  end(0);
  await first;
  const again = ask({ age: 'fresh' });
  end(1, ok({ ...SAFE_REPORT, durationMs: 7 }));
  expect(await again).toEqual(ok({ ...SAFE_REPORT, durationMs: 7 }));
  const notes = [...SAFE_REPORT.notes, keptFor(0)];
  expect(await ask()).toEqual(ok({ ...SAFE_REPORT, notes, durationMs: 7, cached: { ageMs: 0 } }));
});

test('one who takes only what runs joins it, and is not answered from what has ended', async () => {
  const { jobs, ask, end } = register();
  const joined = Promise.all([ask(), ask({ age: 'running' })]);
  end(0);
  expect(await joined).toEqual([ok(SAFE_REPORT), ok(SAFE_REPORT)]);
  const later = ask({ age: 'running' });
  end(1, ok({ ...SAFE_REPORT, durationMs: 7 }));
  expect([await later, jobs.length]).toEqual([ok({ ...SAFE_REPORT, durationMs: 7 }), 2]);
});

test('a failure is not kept', async () => {
  const { jobs, ask, end } = register();
  const first = ask();
  end(0, fail(failure('NO_SPACE', 'full')));
  await first;
  const second = ask();
  end(1);
  expect([await second, jobs.length]).toEqual([ok(SAFE_REPORT), 2]);
});

test('only what the same content gives again is kept', async () => {
  const kept: string[] = [];
  for (const reasonCode of REASON_CODES) {
    const { jobs, ask, end } = register();
    const first = ask();
    end(0, ok({ ...SAFE_REPORT, reasonCode }));
    await first;
    void ask();
    if (jobs.length === 1) kept.push(reasonCode);
  }
  expect(kept).toEqual([
    'verified',
    'syntax_error',
    'tests_failed',
    'no_tests_ran',
    'baseline_red',
    'suite_narrowed',
    'scope_unknown',
    'tests_lost',
    'tests_skipped',
    'tests_changed',
    'shadow_bypassed',
    'not_exercised',
    'only_excluded',
    'not_measurable',
    'nothing_changed',
    'file_deleted',
    'revision_not_verified',
    'newer_edits_pending',
  ]);
});

test('at most fifty answers are kept, the oldest goes first', async () => {
  const { jobs, ask, end } = register();
  for (let at = 0; at < 51; at += 1) {
    const answer = ask({ key: String(at) });
    end(at);
    await answer;
  }
  await ask({ key: '1' });
  expect(jobs.length).toBe(51);
  void ask({ key: '0' });
  expect(jobs.length).toBe(52);
});

test('one who leaves is answered at once and does not end the run of another', async () => {
  const { jobs, ask, end } = register();
  const stop = new AbortController();
  const [leaver, stayer] = [ask({ signal: stop.signal }), ask()];
  stop.abort();
  expect(await leaver).toEqual(CANCELLED);
  expect(jobs[0]?.call.signal.aborted).toBe(false);
  end(0);
  expect(await stayer).toEqual(ok(SAFE_REPORT));
});

test('the last to leave ends the run and waits until it has ended', async () => {
  const { jobs, ask, end } = register();
  const [one, two] = [new AbortController(), new AbortController()];
  const [first, second] = [ask({ signal: one.signal }), ask({ signal: two.signal })];
  one.abort();
  two.abort();
  expect(jobs[0]?.call.signal.aborted).toBe(true);
  end(0, fail(failure('CANCELLED', 'put away')));
  expect([await first, await second]).toEqual([CANCELLED, fail(failure('CANCELLED', 'put away'))]);
});

test('a request that comes while an abandoned run ends starts its own', async () => {
  const { jobs, ask, end } = register();
  const stop = new AbortController();
  const left = ask({ signal: stop.signal });
  stop.abort();
  const next = ask();
  end(0, CANCELLED);
  await left;
  const joined = ask();
  end(1);
  expect([await next, await joined, jobs.length]).toEqual([ok(SAFE_REPORT), ok(SAFE_REPORT), 2]);
});

test('a request that was cancelled before it came starts nothing', async () => {
  const { jobs, ask } = register();
  expect(await ask({ signal: AbortSignal.abort() })).toEqual(CANCELLED);
  expect(jobs).toEqual([]);
});
