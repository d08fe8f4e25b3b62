/** The register behind the saved form: which run may answer whom, and what becomes of failures, torn trees and leavers. */
import { describe, expect, it } from 'vitest';
import { createSavedRuns, type Attempt, type SavedRuns, type Waited } from '../../src/usecases/saved-runs.ts';

const ROOT = '/root';
const LONG = 60_000;

interface Held {
  readonly end: (how: Attempt<string>) => void;
  readonly reached: (revision: number) => void;
  readonly signal: AbortSignal;
}

/** A register whose runs end when the test says so. */
function bench() {
  const runs: SavedRuns<string> = createSavedRuns();
  const started: Held[] = [];
  let observed = 1;
  const ask = (
    key: string,
    floor: number,
    { waitMs = LONG, isFresh = false, signal = new AbortController().signal } = {},
  ): Promise<Waited<string>> =>
    runs.wait(
      ROOT,
      { key, floor, waitMs, isFresh },
      { signal, progress: () => undefined },
      {
        observed: () => observed,
        work: ({ signal: stopped }, reached) =>
          new Promise((end) => {
            started.push({ end, reached, signal: stopped });
          }),
      },
    );
  return {
    runs,
    started,
    ask,
    observe: (revision: number) => {
      observed = revision;
    },
    /** The run that began as the nth, once it has begun. */
    nth: async (n: number): Promise<Held> => {
      for (;;) {
        const held = started[n - 1];
        if (held !== undefined) return held;
        await new Promise((later) => setImmediate(later));
      }
    },
  };
}

const done = (value: string): Attempt<string> => ({ kind: 'done', value });

describe('the runs of the saved form', () => {
  it('lets equal questions share one run that began at their floor', async () => {
    const { ask, nth, started } = bench();
    const answers = [ask('a', 1), ask('a', 1)];
    (await nth(1)).end(done('one'));
    const published = { kind: 'published', revision: 1, value: 'one' };
    expect({ answers: await Promise.all(answers), runs: started.length }).toEqual({
      answers: [published, published],
      runs: 1,
    });
  });

  it('never lets a run that began below the floor answer', async () => {
    const { ask, nth, observe } = bench();
    const early = ask('a', 1);
    const first = await nth(1);
    observe(2);
    const late = ask('a', 2);
    first.end(done('old'));
    (await nth(2)).end(done('new'));
    expect([await early, await late]).toEqual([
      { kind: 'published', revision: 1, value: 'old' },
      { kind: 'published', revision: 2, value: 'new' },
    ]);
  });

  it('lets a run answer a floor that it found itself to have reached', async () => {
    const { ask, nth, observe, started } = bench();
    const early = ask('a', 1);
    const first = await nth(1);
    observe(3);
    first.reached(3);
    const late = ask('a', 3);
    first.end(done('seen'));
    expect([await early, await late, started.length]).toEqual([
      { kind: 'published', revision: 3, value: 'seen' },
      { kind: 'published', revision: 3, value: 'seen' },
      1,
    ]);
  });

  it('runs different questions one after the other', async () => {
    const { ask, nth, started } = bench();
    const one = ask('a', 1);
    const other = ask('b', 1);
    const first = await nth(1);
    await new Promise((later) => setImmediate(later));
    const atOnce = started.length;
    first.end(done('one'));
    (await nth(2)).end(done('other'));
    expect([atOnce, await one, await other]).toEqual([
      1,
      { kind: 'published', revision: 1, value: 'one' },
      { kind: 'published', revision: 1, value: 'other' },
    ]);
  });

  it('goes on with a run that everybody has left', async () => {
    const { ask, nth, runs } = bench();
    const leaver = new AbortController();
    const left = ask('a', 1, { signal: leaver.signal });
    const expired = ask('a', 1, { waitMs: 0 });
    const held = await nth(1);
    leaver.abort();
    expect([await left, await expired, held.signal.aborted]).toEqual([{ kind: 'pending' }, { kind: 'pending' }, false]);
    const joined = ask('a', 1);
    held.end(done('late'));
    await joined;
    expect(runs.latest(ROOT, 'a')).toEqual({ revision: 1, value: 'late' });
  });

  it('answers from a result at the floor without a run, unless asked anew', async () => {
    const { ask, nth, started } = bench();
    const first = ask('a', 1);
    (await nth(1)).end(done('one'));
    await first;
    const kept = await ask('a', 1);
    const anew = ask('a', 1, { isFresh: true });
    (await nth(2)).end(done('two'));
    expect([kept, await anew, started.length]).toEqual([
      { kind: 'published', revision: 1, value: 'one' },
      { kind: 'published', revision: 1, value: 'two' },
      2,
    ]);
  });

  it('never lets a run that takes over from earlier ones answer a question that is asked anew', async () => {
    const { ask, nth, started } = bench();
    const plain = ask('a', 1);
    const first = await nth(1);
    const anew = ask('a', 1, { isFresh: true });
    first.end(done('kept'));
    (await nth(2)).end(done('anew'));
    expect([await plain, await anew, started.length]).toEqual([
      { kind: 'published', revision: 1, value: 'kept' },
      { kind: 'published', revision: 1, value: 'anew' },
      2,
    ]);
  });

  it('lets fifty questions wait for their turn, and says so to the next one', async () => {
    const { ask, nth, runs } = bench();
    const first = ask('first', 1);
    const held = await nth(1);
    for (let number = 0; number < 50; number += 1) await ask(`q${number}`, 1, { waitMs: 0 });
    const message = '50 other questions about this root wait for their turn; ask again when they are answered.';
    expect(await ask('late', 1)).toEqual({ kind: 'failed', failed: { revision: 1, code: 'TOO_MANY_WAIT', message } });
    const stopping = runs.stop();
    held.end({ kind: 'failed', code: 'CANCELLED', message: 'stopped' });
    await Promise.all([stopping, first]);
  });

  it('publishes nothing of a tree that moved, and tries three times', async () => {
    const { ask, nth, runs } = bench();
    const answer = ask('a', 1);
    for (const n of [1, 2, 3]) (await nth(n)).end({ kind: 'torn', paths: [`moved-${n}`] });
    expect([await answer, runs.latest(ROOT, 'a'), runs.hasAnswered(ROOT)]).toEqual([
      { kind: 'torn', paths: ['moved-3'] },
      null,
      false,
    ]);
  });

  it('names the revision of the attempt that held still', async () => {
    const { ask, nth, observe } = bench();
    const answer = ask('a', 1);
    const first = await nth(1);
    observe(2);
    first.end({ kind: 'torn', paths: ['x'] });
    (await nth(2)).end(done('still'));
    expect(await answer).toEqual({ kind: 'published', revision: 2, value: 'still' });
  });

  it('repeats a failure at once while nothing has changed, and tries again once something has', async () => {
    const { ask, nth, observe, started } = bench();
    const first = ask('a', 1);
    (await nth(1)).end({ kind: 'failed', code: 'PROGRAM_NOT_FOUND', message: 'no pytest' });
    const failed = { kind: 'failed', failed: { revision: 1, code: 'PROGRAM_NOT_FOUND', message: 'no pytest' } };
    expect([await first, await ask('a', 1), started.length]).toEqual([failed, failed, 1]);
    observe(2);
    const again = ask('a', 1);
    (await nth(2)).end(done('mended'));
    expect(await again).toEqual({ kind: 'published', revision: 2, value: 'mended' });
  });

  it('does not hold an older failure against a question while something newer is queued', async () => {
    const { ask, nth } = bench();
    const first = ask('a', 1);
    (await nth(1)).end({ kind: 'failed', code: 'TIMED_OUT', message: 'too slow' });
    await first;
    const other = ask('b', 1);
    const again = ask('a', 1);
    (await nth(2)).end(done('b'));
    (await nth(3)).end(done('a'));
    expect([await other, await again]).toEqual([
      { kind: 'published', revision: 1, value: 'b' },
      { kind: 'published', revision: 1, value: 'a' },
    ]);
  });

  it('counts a breakdown as a failed attempt and serves the next one', async () => {
    const runs: SavedRuns<string> = createSavedRuns();
    const call = { signal: new AbortController().signal, progress: () => undefined };
    const ask = (key: string, work: () => Promise<Attempt<string>>) =>
      runs.wait(ROOT, { key, floor: 1, waitMs: LONG, isFresh: false }, call, { observed: () => 1, work });
    const broken = ask('a', () => Promise.reject(new Error('lost')));
    const next = ask('b', () => Promise.resolve(done('b')));
    expect([await broken, await next]).toEqual([
      { kind: 'failed', failed: { revision: 1, code: 'INTERNAL', message: 'The verification broke down: lost.' } },
      { kind: 'published', revision: 1, value: 'b' },
    ]);
  });

  it('tells its runs to end when the server stops, and starts no other', async () => {
    const { ask, nth, runs, started } = bench();
    const running = ask('a', 1);
    const queued = ask('b', 1);
    const held = await nth(1);
    const stopping = runs.stop();
    expect(held.signal.aborted).toBe(true);
    held.end({ kind: 'failed', code: 'CANCELLED', message: 'stopped' });
    await stopping;
    expect([await running, await queued, started.length]).toEqual([
      { kind: 'failed', failed: { revision: 1, code: 'CANCELLED', message: 'stopped' } },
      { kind: 'failed', failed: { revision: 1, code: 'CANCELLED', message: 'The server was told to stop.' } },
      1,
    ]);
  });
});
