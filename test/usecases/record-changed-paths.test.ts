import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordChangedPaths } from '../../src/usecases/record-changed-paths.ts';
import { testProduct, treeOf, type TestProduct } from '../support/product.ts';

let ground: TestProduct;
beforeEach(() => {
  ground = testProduct();
  ground.repo.file('src/tide.py', 'low\n');
  ground.repo.file('dist/app.js', '1');
});
afterEach(() => {
  ground.dispose();
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const record = (...paths: readonly string[]) => recordChangedPaths(ground.product, { paths });

describe('a receipt', () => {
  test('names the floor, the paths as they were understood, and what stands there', async () => {
    symlinkSync('/nowhere', join(ground.root, 'link'));
    const before = treeOf(ground.root);
    const receipt = await record('.\\src\\tide.py', 'src/tide.py', 'gone.py', 'src', 'link', 'dist/app.js');
    const { epoch } = ground.product.revisions.current(ground.root);
    expect(receipt).toEqual({
      ok: true,
      value: {
        epoch,
        min_revision: 1,
        paths: ['src/tide.py', 'gone.py', 'src', 'link', 'dist/app.js'],
        path_states: [
          { path: 'src/tide.py', kind: 'file', sha256: sha256('low\n') },
          { path: 'gone.py', kind: 'absent' },
          { path: 'src', kind: 'dir' },
          { path: 'link', kind: 'symlink', sha256: sha256('/nowhere') },
          { path: 'dist/app.js', kind: 'file', sha256: sha256('1') },
        ],
        path_state_count: 5,
        mismatches: [],
        freshness: {
          epoch,
          requested_revision: 1,
          observed_revision: 1,
          verified_revision: null,
          satisfied: false,
          is_stale: true,
          state: 'never',
          dirty_path_count: 5,
          dirty_paths: ['src/tide.py', 'gone.py', 'src', 'link', 'dist/app.js'],
          last_error: null,
          watcher: 'off',
          watcher_note: null,
          captured_at: null,
        },
      },
    });
    expect(treeOf(ground.root)).toEqual(before);
  });

  test('for the same paths again raises the revision again, and never satisfies itself', async () => {
    const first = await record('src/tide.py');
    ground.product.revisions.publish(ground.root, 1);
    const second = await record('src/tide.py');
    expect([first, second]).toMatchObject([
      { value: { min_revision: 1, freshness: { satisfied: false } } },
      { value: { min_revision: 2, freshness: { satisfied: false, verified_revision: 1, is_stale: true } } },
    ]);
  });

  test('for "." touches everything', async () => {
    expect(await record('./')).toMatchObject({
      value: { paths: ['.'], path_states: [{ path: '.', kind: 'dir' }], freshness: { dirty_paths: ['.'] } },
    });
  });

  test('takes git’s own folder for a path like any other', async () => {
    expect(await record('.git/HEAD', '.GIT/x')).toMatchObject({ value: { paths: ['.git/HEAD', '.GIT/x'] } });
  });

  test('reports what is not as expected, and stands all the same', async () => {
    const expected = [
      { path: './src/tide.py', sha256: sha256('low\n').toUpperCase() },
      { path: 'gone.py', sha256: null },
      { path: 'dist/app.js', sha256: sha256('2') },
      { path: 'src/tide.py', sha256: null },
    ];
    expect(await recordChangedPaths(ground.product, { paths: ['.'], expected })).toMatchObject({
      value: {
        min_revision: 1,
        mismatches: [
          { path: 'dist/app.js', expected: sha256('2'), found: { kind: 'file', sha256: sha256('1') } },
          { path: 'src/tide.py', expected: null, found: { kind: 'file', sha256: sha256('low\n') } },
        ],
      },
    });
  });

  test('of 128 paths shows the state of 50', async () => {
    const receipt = await record(...Array.from({ length: 128 }, (_, number) => `f${number}`));
    const states = receipt.ok ? receipt.value.path_states.length : null;
    expect([receipt, states]).toMatchObject([{ value: { path_state_count: 128 } }, 50]);
  });
});

describe('a batch that is refused', () => {
  const good = Array.from({ length: 3 }, (_, number) => `f${number}`);
  const batches: readonly (readonly [string, Parameters<typeof recordChangedPaths>[1], string])[] = [
    ['no path', { paths: [] }, 'INPUT_INVALID'],
    ['129 paths, although they are equal', { paths: Array<string>(129).fill('a') }, 'TOO_MANY_PATHS'],
    ['one bad path among good ones', { paths: [...good, '../x'] }, 'BAD_PATH'],
    ['a bad path in expected', { paths: good, expected: [{ path: '/etc/passwd', sha256: null }] }, 'BAD_PATH'],
    ['a root that is not allowed', { paths: good, repoRoot: '/' }, 'ROOT_REFUSED'],
  ];
  test.each(batches)('%s: changes neither the revision nor what is dirty', async (_name, request, code) => {
    const before = ground.product.revisions.raise(ground.root, ['known']);
    const answer = await recordChangedPaths(ground.product, request);
    expect(answer).toMatchObject({ ok: false, failure: { code } });
    expect([ground.product.revisions.current(ground.root), ground.product.revisions.dirtyPaths(ground.root)]).toEqual([
      before,
      ['known'],
    ]);
  });

  test('is refused by a one-shot server, with what to do instead', async () => {
    const product = { ...ground.product, takesReceipts: false };
    expect(await recordChangedPaths(product, { paths: ['a'] })).toEqual({
      ok: false,
      failure: {
        code: 'WRITER_UNAVAILABLE',
        message: 'This server was started with --one-shot and keeps no revisions.',
        hint: 'Use a server that is started without --one-shot; verify without a floor.',
        details: {},
      },
    });
  });

  test('is refused where no state can be kept, so that nobody could verify it', async () => {
    writeFileSync(join(ground.stateHome, '..', 'file'), '');
    const other = testProduct({ env: { PATH: process.env['PATH'] } });
    mkdirSync(other.stateHome, { recursive: true });
    writeFileSync(join(other.stateHome, 'surepatch'), 'in the way');
    const answer = await recordChangedPaths(other.product, { paths: ['a'] });
    other.dispose();
    expect(answer).toMatchObject({ failure: { code: 'WRITER_UNAVAILABLE' } });
  });
});
