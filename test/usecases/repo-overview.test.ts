import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Overview, OverviewRequest } from '../../src/model/overview.ts';
import type { Product } from '../../src/usecases/product.ts';
import { repoOverview } from '../../src/usecases/repo-overview.ts';
import { lineDiff, testProduct, treeOf, type TestProduct } from '../support/product.ts';

let ground: TestProduct;
beforeEach(() => {
  ground = testProduct();
  ground.repo.file('tide.txt', 'low\nrising\nhigh\n');
  ground.repo.file('package.json', '{"scripts": {"test": "node --test"}}');
  ground.repo.commit();
});
afterEach(() => {
  ground.dispose();
});

const overview = (request: OverviewRequest = {}, product: Product = ground.product) =>
  repoOverview(product, request, { signal: new AbortController().signal });

/** The overview of a call that waits until it has looked. */
async function looked(request: OverviewRequest = {}, product: Product = ground.product): Promise<Overview> {
  const answer = await overview({ consistency: 'wait_until_indexed', ...request }, product);
  if (!answer.ok) throw new Error(answer.failure.message);
  return answer.value;
}

test('an overview tells of git, the project, what may run, the machine and the revision, and changes nothing', async () => {
  ground.repo.file('notes.md', 'new');
  const before = treeOf(ground.root);
  const told = await looked();
  const { host, policy } = ground.product;
  const { tier, reason } = await host.shadows.probe();
  const rules = policy();
  expect(told).toEqual({
    root: ground.root,
    index: { state: 'ready', revision: 0, satisfied: true, as_of: told.index.as_of, error: null },
    wait: { requested_ms: null, effective_ms: 30_000, waited_ms: told.wait.waited_ms, timed_out: false },
    freshness: ground.product.revisions.freshness(ground.root),
    git: {
      branch: 'main',
      head: ground.repo.git('rev-parse', 'HEAD').trim(),
      detached: false,
      operation: null,
      upstream: null,
      ahead: null,
      behind: null,
      staged_count: 0,
      modified_count: 0,
      untracked_count: 1,
      unmerged_count: 0,
      change_count: 1,
      changes: [{ path: 'notes.md', status: '??' }],
    },
    file_count: 3,
    languages: [
      { language: 'JSON', files: 1 },
      { language: 'Markdown', files: 1 },
      { language: 'other', files: 1 },
    ],
    suites: [
      {
        language: 'javascript',
        command: 'npm test',
        because: 'package.json, scripts.test: node --test',
        installed: true,
        allowed: true,
        problem: null,
      },
    ],
    allowed_commands: rules.ok ? [...new Set(rules.value.rules.map(({ prefix }) => prefix.join(' ')))] : null,
    isolation: await host.runner.isolation(),
    shadow: { tier, reason },
    last_verified: null,
    recent_writes: [],
    caveats: [],
  });
  expect(treeOf(ground.root)).toEqual(before);
});

describe('how new an overview is', () => {
  test('wait_ms 0 answers before the first look, says indexing, and starts it', async () => {
    const first = await overview({ waitMs: 0 });
    expect(first).toMatchObject({
      value: {
        index: { state: 'indexing', revision: null, satisfied: false, as_of: null, error: null },
        wait: { requested_ms: 0, effective_ms: 0, timed_out: true },
        git: null,
        file_count: null,
        languages: null,
        suites: null,
        isolation: null,
        shadow: null,
        caveats: [
          'The first look at the files is not complete; a new one is under way: call with consistency wait_until_indexed.',
        ],
      },
    });
    expect((await looked()).index.state).toBe('ready');
  });

  test('allow_stale shows an earlier look and says so, without looking anew', async () => {
    const { index } = await looked();
    ground.repo.file('notes.md', 'new');
    expect(await overview({ consistency: 'allow_stale' })).toMatchObject({
      value: {
        index: { ...index, state: 'stale', satisfied: false },
        git: { untracked_count: 0 },
        caveats: ['What is shown is of an earlier look, as allow_stale permits.'],
      },
    });
    expect((await looked()).git?.untracked_count).toBe(1);
  });

  test('a look from before the floor does not satisfy it, one from after it does', async () => {
    await looked();
    const { revision, epoch } = ground.product.revisions.raise(ground.root, ['tide.txt']);
    const floor = { minRevision: revision, epoch };
    expect(await overview({ ...floor, consistency: 'allow_stale' })).toMatchObject({
      value: {
        index: { state: 'stale', revision: 0, satisfied: false },
        freshness: { requested_revision: 1, observed_revision: 1, dirty_paths: ['tide.txt'], satisfied: false },
      },
    });
    expect(await looked(floor)).toMatchObject({ index: { state: 'ready', revision: 1, satisfied: true } });
    expect(await overview({ ...floor, consistency: 'allow_stale' })).toMatchObject({
      value: { index: { state: 'stale', revision: 1, satisfied: true } },
    });
  });

  test('a commit by another hand raises the revision, one of which Surepatch knows does not', async () => {
    await looked();
    ground.repo.file('notes.md', 'new');
    ground.repo.commit();
    expect((await looked()).index.revision).toBe(1);
    expect((await looked()).index.revision).toBe(1);
    ground.repo.file('notes.md', 'newer');
    ground.repo.commit();
    ground.product.revisions.raise(ground.root);
    expect((await looked()).index.revision).toBe(2);
  });

  test.each([
    ['an epoch of another process', { epoch: 'gone', minRevision: 0 }, 'EPOCH_MISMATCH'],
    ['a revision that has not been', { minRevision: 9 }, 'REVISION_UNKNOWN'],
    ['a root that is not allowed', { repoRoot: '/' }, 'ROOT_REFUSED'],
  ])('%s is refused', async (_name, request, code) => {
    expect(await overview(request)).toMatchObject({ ok: false, failure: { code } });
  });

  test('a look that fails is said with its reason', async () => {
    const host = {
      ...ground.product.host,
      lookAtFiles: () => Promise.reject(new Error('no space left')),
    };
    expect(await overview({ consistency: 'wait_until_indexed' }, { ...ground.product, host })).toMatchObject({
      value: {
        index: { state: 'failed', satisfied: false, error: 'no space left' },
        wait: { timed_out: false },
        git: null,
        caveats: ['The first look at the files is not complete, and the newest attempt failed: no space left.'],
      },
    });
  });
});

describe('suites', () => {
  test('one whose runner is not there is named as not installed', async () => {
    ground.repo.file('package.json', '{}');
    ground.repo.file('vitest.config.ts', '');
    expect((await looked()).suites).toMatchObject([
      { language: 'javascript', command: 'npx vitest run', because: 'vitest.config.ts', installed: false },
    ]);
  });

  test('a project that names none has none', async () => {
    ground.repo.file('package.json', '{}');
    expect((await looked()).suites).toEqual([]);
  });
});

test('recent writes come newest first, with their ids', async () => {
  const write = (before: string, after: string) =>
    ground.write({ diff: lineDiff(before, after), filePath: 'tide.txt' });
  const first = await write('rising', 'falling');
  const second = await write('falling', 'rising');
  const { recent_writes: recent } = await looked();
  expect(recent.map(({ id, kind, outcome, paths }) => [id, kind, outcome, paths])).toEqual([
    [second.write_id, 'write', 'kept', ['tide.txt']],
    [first.write_id, 'write', 'kept', ['tide.txt']],
  ]);
});
