import { describe, expect, test } from 'vitest';
import { createRootLooks, type LookRequest } from '../../src/usecases/root-looks.ts';

/** Looks that end when the test says so; each sees its own number. */
function rig() {
  const ends: { readonly end: () => void; readonly fail: () => void }[] = [];
  const looks = createRootLooks<number>();
  let now = 0;
  const ask = (change: Partial<LookRequest<number>> = {}) =>
    looks.wait('/root', {
      waitMs: 60_000,
      isStarting: true,
      signal: new AbortController().signal,
      look: () =>
        new Promise((resolve, reject) => {
          const number = ends.length + 1;
          ends.push({
            end: () => {
              resolve({ seen: number, revision: number });
            },
            fail: () => {
              reject(new Error('no disk'));
            },
          });
        }),
      now: () => (now += 1),
      ...change,
    });
  return { ask, ends };
}

const NOTHING = { latest: null, isRunning: true, error: null, isFresh: false };
const looked = (number: number) => ({ seen: number, revision: number, startedAtMs: number, number });

describe('a look', () => {
  test('is started by the first call, which need not wait for it', async () => {
    const { ask, ends } = rig();
    expect(await ask({ waitMs: 0 })).toEqual(NOTHING);
    expect(ends.length).toBe(1);
  });

  test('serves the caller that waits', async () => {
    const { ask, ends } = rig();
    const waiting = ask();
    ends[0]?.end();
    expect(await waiting).toEqual({ latest: looked(1), isRunning: false, error: null, isFresh: true });
  });

  test('that began before a call does not serve it; all who came meanwhile share the next one', async () => {
    const { ask, ends } = rig();
    const first = ask();
    const [second, third] = [ask(), ask()];
    ends[0]?.end();
    expect((await first).latest).toEqual(looked(1));
    expect(ends.length).toBe(2);
    ends[1]?.end();
    expect(await Promise.all([second, third])).toEqual(
      Array(2).fill({ latest: looked(2), isRunning: false, error: null, isFresh: true }),
    );
    expect(ends.length).toBe(2);
  });

  test('goes on when the one who waits for it leaves', async () => {
    const { ask, ends } = rig();
    const leave = new AbortController();
    const waiting = ask({ signal: leave.signal });
    leave.abort();
    expect(await waiting).toEqual(NOTHING);
    ends[0]?.end();
    expect(await ask({ isStarting: false })).toEqual({
      latest: looked(1),
      isRunning: false,
      error: null,
      isFresh: false,
    });
  });

  test('is not started where an earlier one will do', async () => {
    const { ask, ends } = rig();
    const waiting = ask();
    ends[0]?.end();
    await waiting;
    expect(await ask({ isStarting: false })).toMatchObject({ latest: looked(1), isFresh: false });
    expect(ends.length).toBe(1);
  });

  test('that fails is said at once, keeps what was seen before, and does not keep the next one from starting', async () => {
    const { ask, ends } = rig();
    const first = ask();
    ends[0]?.end();
    await first;
    const second = ask();
    ends[1]?.fail();
    expect(await second).toEqual({ latest: looked(1), isRunning: false, error: 'no disk', isFresh: false });
    const third = ask();
    ends[2]?.end();
    expect(await third).toMatchObject({ latest: { seen: 3 }, error: null, isFresh: true });
  });
});
