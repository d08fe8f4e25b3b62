import { describe, expect, test } from 'vitest';
import type { TreeState } from '../../src/io/capture.ts';
import { admitFloor, createRevisions } from '../../src/usecases/revisions.ts';

const ROOT = '/srv/tides';

function tree(files: Readonly<Record<string, string>>, head: string | null = 'one'): TreeState {
  const entries = new Map(Object.entries(files));
  const id = JSON.stringify(files);
  return { stateId: id, head, entries, declared: new Map(), isComplete: true };
}

describe('the revision of a root', () => {
  test('counts up by one within one epoch, and each root has its own epoch', () => {
    const revisions = createRevisions();
    const [start, first, second] = [revisions.current(ROOT), revisions.raise(ROOT), revisions.raise(ROOT)];
    expect([start.revision, first.revision, second.revision]).toEqual([0, 1, 2]);
    expect([first.epoch, second.epoch, revisions.current('/srv/other').epoch === start.epoch]).toEqual([
      start.epoch,
      start.epoch,
      false,
    ]);
  });

  test('has another epoch in another process', () => {
    expect(createRevisions().current(ROOT).epoch).not.toBe(createRevisions().current(ROOT).epoch);
  });

  test('wakes whoever listens, until it no longer does', () => {
    const revisions = createRevisions();
    const heard: number[] = [];
    const stop = revisions.onRaise(ROOT, () => heard.push(revisions.current(ROOT).revision));
    revisions.raise(ROOT);
    stop();
    revisions.raise(ROOT);
    expect(heard).toEqual([1]);
  });

  test('is raised in the roots around it and inside it, for the paths that they share', () => {
    const revisions = createRevisions();
    for (const root of ['/srv', ROOT, '/srv/tides/north', '/srv/tides/south', '/srv/other']) revisions.current(root);
    revisions.raise(ROOT, ['north/a.txt', 'b.txt']);
    const dirty = ['/srv', ROOT, '/srv/tides/north', '/srv/tides/south', '/srv/other'].map((root) =>
      revisions.dirtyPaths(root),
    );
    expect(dirty).toEqual([['tides/north/a.txt', 'tides/b.txt'], ['north/a.txt', 'b.txt'], ['a.txt'], [], []]);
    revisions.raise(ROOT);
    expect([revisions.dirtyPaths('/srv/tides/south'), revisions.dirtyPaths('/srv')]).toEqual([
      ['.'],
      ['tides/north/a.txt', 'tides/b.txt', 'tides'],
    ]);
  });
});

describe('a floor', () => {
  test('is the one named, or the newest revision where none is', () => {
    const revisions = createRevisions();
    const { epoch } = revisions.raise(ROOT);
    revisions.raise(ROOT);
    expect([admitFloor(revisions, ROOT, { epoch, minRevision: 1 }), admitFloor(revisions, ROOT, {})]).toEqual([
      { ok: true, value: 1 },
      { ok: true, value: 2 },
    ]);
  });

  test('of another epoch is EPOCH_MISMATCH, and one that is not there yet is REVISION_UNKNOWN', () => {
    const revisions = createRevisions();
    const old = createRevisions().raise(ROOT);
    expect([
      admitFloor(revisions, ROOT, { epoch: old.epoch, minRevision: 0 }),
      admitFloor(revisions, ROOT, { minRevision: 1 }),
    ]).toMatchObject([{ failure: { code: 'EPOCH_MISMATCH' } }, { failure: { code: 'REVISION_UNKNOWN' } }]);
  });
});

describe('freshness', () => {
  test('begins with nothing verified, and says what was touched', () => {
    const revisions = createRevisions();
    const { epoch } = revisions.raise(ROOT, ['a', 'b']);
    expect(revisions.freshness(ROOT, 1)).toEqual({
      epoch,
      requested_revision: 1,
      observed_revision: 1,
      verified_revision: null,
      satisfied: false,
      is_stale: true,
      state: 'never',
      dirty_path_count: 2,
      dirty_paths: ['a', 'b'],
      last_error: null,
      watcher: 'off',
      watcher_note: null,
      captured_at: null,
    });
  });

  test('a result clears what was touched up to its revision, and no more', () => {
    const revisions = createRevisions();
    revisions.raise(ROOT, ['a', 'b']);
    revisions.raise(ROOT, ['b']);
    revisions.publish(ROOT, 1);
    expect(revisions.freshness(ROOT, 1)).toMatchObject({
      verified_revision: 1,
      satisfied: true,
      is_stale: true,
      state: 'idle',
      dirty_paths: ['b'],
    });
    expect(revisions.freshness(ROOT)).toMatchObject({ requested_revision: null, satisfied: false });
  });

  test('a later touch of the same path, or of everything, does not hide that it was touched below a floor', () => {
    const revisions = createRevisions();
    revisions.raise(ROOT, ['a', 'b']);
    revisions.raise(ROOT, ['b']);
    revisions.publish(ROOT, 2, ['a']);
    const byItself = revisions.freshness(ROOT, 1).satisfied;
    revisions.raise(ROOT);
    revisions.publish(ROOT, 3, ['a']);
    const byAll = revisions.freshness(ROOT, 1).satisfied;
    revisions.publish(ROOT, 3);
    expect([byItself, byAll, revisions.freshness(ROOT, 1).satisfied]).toEqual([false, false, true]);
  });

  test('a result about other paths does not satisfy the floor of a receipt', () => {
    const revisions = createRevisions();
    revisions.raise(ROOT, ['b']);
    revisions.raise(ROOT, ['a']);
    revisions.publish(ROOT, 2, ['a']);
    const before = revisions.freshness(ROOT, 1).satisfied;
    revisions.publish(ROOT, 2, ['b']);
    expect([before, revisions.freshness(ROOT, 1).satisfied]).toEqual([false, true]);
  });

  test('an older result does not take back a newer one', () => {
    const revisions = createRevisions();
    revisions.raise(ROOT);
    revisions.raise(ROOT);
    revisions.publish(ROOT, 2);
    revisions.publish(ROOT, 1);
    expect(revisions.freshness(ROOT)).toMatchObject({ verified_revision: 2, satisfied: true, is_stale: false });
  });

  test('shows a failed attempt with its revision until there is a result, also while the next one runs', () => {
    const revisions = createRevisions();
    const failed = { revision: 1, code: 'TIMED_OUT', message: 'The run was ended.' };
    revisions.raise(ROOT);
    const end = revisions.begin(ROOT);
    const states = [revisions.freshness(ROOT)];
    end(failed);
    end();
    states.push(revisions.freshness(ROOT));
    revisions.begin(ROOT);
    states.push(revisions.freshness(ROOT));
    revisions.publish(ROOT, 1);
    states.push(revisions.freshness(ROOT));
    expect(states.map(({ state, last_error }) => [state, last_error])).toEqual([
      ['running', null],
      ['failed', failed],
      ['running', failed],
      ['running', null],
    ]);
  });

  test('counts all dirty paths and shows 50 of them', () => {
    const revisions = createRevisions();
    revisions.raise(
      ROOT,
      Array.from({ length: 60 }, (_, number) => `f${number}`),
    );
    const { dirty_path_count: count, dirty_paths: paths } = revisions.freshness(ROOT);
    expect([count, paths.length, paths[0]]).toEqual([60, 50, 'f0']);
  });

  test('"." takes the place of every path, and so do more paths than are worth keeping', () => {
    const revisions = createRevisions();
    revisions.raise(ROOT, ['a', 'b']);
    revisions.raise(ROOT, ['c', '.']);
    const whole = revisions.dirtyPaths(ROOT);
    revisions.raise(
      ROOT,
      Array.from({ length: 10_001 }, (_, number) => `f${number}`),
    );
    expect([whole, revisions.dirtyPaths(ROOT)]).toEqual([['.'], ['.']]);
  });

  test('of a root inside a watched folder says that it is watched', () => {
    const revisions = createRevisions();
    revisions.setWatcher('/srv', 'failed', 'raise the limit');
    expect([revisions.freshness(ROOT), revisions.freshness('/home')]).toMatchObject([
      { watcher: 'failed', watcher_note: 'raise the limit' },
      { watcher: 'off', watcher_note: null },
    ]);
  });
});

describe('a look at the tree', () => {
  test('counts what changed since the last one without anybody telling, and nothing the first time', () => {
    const revisions = createRevisions();
    const first = revisions.captured(ROOT, tree({ a: '1', b: '1' }), 1000);
    const second = revisions.captured(ROOT, tree({ a: '2', c: '1' }), 2000);
    expect([first.revision.revision, first.detected, second.revision.revision, second.detected]).toEqual([
      0,
      [],
      1,
      ['a', 'b', 'c'],
    ]);
    expect(revisions.freshness(ROOT)).toMatchObject({
      dirty_paths: ['a', 'b', 'c'],
      captured_at: '1970-01-01T00:00:02.000Z',
    });
  });

  test('does not count again what a receipt told of, by itself or by its folder', () => {
    const revisions = createRevisions();
    revisions.captured(ROOT, tree({ 'src/a': '1', b: '1', c: '1' }), 1);
    revisions.raise(ROOT, ['src', 'b']);
    const after = revisions.captured(ROOT, tree({ 'src/a': '2', b: '2', c: '2' }), 2);
    expect([after.revision.revision, after.detected]).toEqual([2, ['c']]);
  });

  test('counts a HEAD that moved as everything, and a tree that stood still as nothing', () => {
    const revisions = createRevisions();
    revisions.captured(ROOT, tree({ a: '1' }, 'one'), 1);
    const still = revisions.captured(ROOT, tree({ a: '1' }, 'one'), 2);
    const moved = revisions.captured(ROOT, tree({ a: '1' }, 'two'), 3);
    expect([still.detected, moved.detected, moved.revision.revision]).toEqual([[], ['.'], 1]);
  });

  const declared = (lines: Record<string, string>): TreeState => {
    return { ...tree({}), declared: new Map(Object.entries(lines)) };
  };

  test('counts a declared path that changed, also where looks in between did not declare it', () => {
    const revisions = createRevisions();
    revisions.captured(ROOT, declared({ 'dist/a': '1' }), 1);
    const between = revisions.captured(ROOT, declared({ 'out/b': '1' }), 2);
    const after = revisions.captured(ROOT, declared({ 'dist/a': '2' }), 3);
    const still = revisions.captured(ROOT, declared({ 'dist/a': '2' }), 4);
    expect([between.detected, after.detected, still.detected]).toEqual([[], ['dist/a'], []]);
  });

  test('counts what came into a declared folder and what went out of it', () => {
    const revisions = createRevisions();
    revisions.captured(ROOT, declared({ dist: 'dir ', 'dist/a': '1' }), 1);
    const came = revisions.captured(ROOT, declared({ dist: 'dir ', 'dist/a': '1', 'dist/b': '1' }), 2);
    const went = revisions.captured(ROOT, declared({ dist: 'dir ', 'dist/b': '1' }), 3);
    const gone = revisions.captured(ROOT, declared({ dist: 'absent ' }), 4);
    expect([came.detected, went.detected, gone.detected]).toEqual([['dist/b'], ['dist/a'], ['dist', 'dist/b']]);
  });

  test('counts a declared path that changed, and not one that is declared for the first time', () => {
    const revisions = createRevisions();
    revisions.captured(ROOT, declared({ 'dist/a': '1' }), 1);
    const after = revisions.captured(ROOT, declared({ 'dist/a': '2', 'dist/b': '1' }), 2);
    expect(after.detected).toEqual(['dist/a']);
  });
});
