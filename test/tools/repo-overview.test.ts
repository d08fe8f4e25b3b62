import { expect, test } from 'vitest';
import { failure } from '../../src/model/failure.ts';
import type { Overview, OverviewRequest } from '../../src/model/overview.ts';
import { fail, ok, type Result } from '../../src/model/result.ts';
import { joinServer } from '../support/in-memory-server.ts';

const AT = '2026-01-01T00:00:00.000Z';
const OVERVIEW: Overview = {
  root: '/srv/tide',
  index: { state: 'indexing', revision: 3, satisfied: false, as_of: AT, error: null },
  wait: { requested_ms: 0, effective_ms: 0, waited_ms: 1, timed_out: true },
  freshness: {
    epoch: 'e1',
    requested_revision: 4,
    observed_revision: 4,
    verified_revision: 3,
    satisfied: false,
    is_stale: true,
    state: 'idle',
    dirty_path_count: 1,
    dirty_paths: ['src/a.py'],
    last_error: null,
    watcher: 'failed',
    watcher_note: 'Raise the limit.',
    captured_at: null,
  },
  git: {
    branch: 'main',
    head: 'c0ffee',
    detached: false,
    operation: 'a merge',
    upstream: 'origin/main',
    ahead: 2,
    behind: null,
    staged_count: 1,
    modified_count: 1,
    untracked_count: 0,
    unmerged_count: 0,
    change_count: 2,
    changes: [
      { path: 'src/a.py', status: 'M.' },
      { path: 'new\nline', status: '.M' },
    ],
  },
  file_count: 2,
  languages: [{ language: 'Python', files: 2 }],
  suites: [
    {
      language: 'python',
      command: 'pytest',
      because: 'pytest.ini',
      installed: false,
      allowed: true,
      problem: 'pytest was not found.',
    },
  ],
  allowed_commands: ['pytest', 'npm test'],
  isolation: { level: 'none', processes: 'pid_namespace', network: 'host', probe: 'a namespace' },
  shadow: { tier: 'copy', reason: 'no mounts' },
  last_verified: {
    id: 'v1',
    at: AT,
    verdict: 'UNPROVEN',
    reason_code: 'no_test_command',
    command: null,
    paths: ['src/a.py'],
  },
  recent_writes: [{ id: 'w1', kind: 'write', at: AT, outcome: 'kept', paths: ['src/a.py'] }],
  caveats: ['What is shown is of an earlier look.'],
};

async function call(answer: Result<Overview>, args: Record<string, unknown> = {}) {
  const asked: OverviewRequest[] = [];
  const { client } = await joinServer({
    repoOverview: (request) => {
      asked.push(request);
      return Promise.resolve(answer);
    },
  });
  const result = await client.callTool({ name: 'repo_overview', arguments: args });
  await client.close();
  return { asked, result };
}

test('an overview is structured, and its text says first how new it is', async () => {
  const given = { consistency: 'allow_stale', min_revision: 4, epoch: 'e1', wait_ms: 0, repo_root: null };
  const { asked, result } = await call(ok(OVERVIEW), given);
  expect(asked).toEqual([{ repoRoot: undefined, consistency: 'allow_stale', minRevision: 4, epoch: 'e1', waitMs: 0 }]);
  expect(result).toMatchObject({ isError: false, structuredContent: OVERVIEW });
  expect(result.content).toEqual([
    {
      type: 'text',
      text: [
        `/srv/tide: indexing, as of ${AT}, revision 3; NOT what was asked for`,
        'Note: What is shown is of an earlier look.',
        'Revision 4 of epoch e1; verified 3 (idle); 1 paths touched since; watcher failed.',
        'Watcher: Raise the limit.',
        'Git: branch main at c0ffee, not counted of origin/main',
        'In progress: a merge',
        'Changed: 1 staged, 1 modified, 0 untracked, 0 unmerged',
        'Paths (2):',
        '  M. src/a.py',
        '  .M "new\\nline"',
        'Files: 2 (Python 2)',
        'Tests: pytest (python; pytest.ini): pytest was not found.',
        'Allowed test commands (2): pytest, npm test',
        'Isolation: none, pid_namespace: a namespace',
        'Shadow tree: copy (no mounts)',
        `Last verified: UNPROVEN [no_test_command] at ${AT}, v1: src/a.py`,
        'Recent writes (1):',
        `  ${AT} write w1 kept: src/a.py`,
      ].join('\n'),
    },
  ]);
});

test('before the first look nothing is told of the files', async () => {
  const { result } = await call(
    ok({
      ...OVERVIEW,
      index: { ...OVERVIEW.index, revision: null, as_of: null },
      freshness: { ...OVERVIEW.freshness, verified_revision: null, state: 'never', watcher: 'off', watcher_note: null },
      git: null,
      file_count: null,
      languages: null,
      suites: null,
      isolation: null,
      shadow: null,
      last_verified: null,
      recent_writes: [],
      caveats: [],
    }),
  );
  expect(result.content).toEqual([
    {
      type: 'text',
      text: [
        '/srv/tide: indexing, not looked at yet; NOT what was asked for',
        'Revision 4 of epoch e1; nothing verified by this server (never); 1 paths touched since; watcher off.',
        'Allowed test commands (2): pytest, npm test',
        'Last verified: nothing',
      ].join('\n'),
    },
  ]);
});

test('a refusal is structured as well', async () => {
  const { result } = await call(fail(failure('EPOCH_MISMATCH', 'The epoch is over.', { hint: 'Record again.' })));
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { error: 'The epoch is over.', error_code: 'EPOCH_MISMATCH', hint: 'Record again.' },
    content: [{ text: 'No overview [EPOCH_MISMATCH]: The epoch is over.\nNext: Record again.' }],
  });
});

test.each([
  ['an unknown consistency', { consistency: 'now' }],
  ['a negative floor', { min_revision: -1 }],
  ['a wait of more than two minutes', { wait_ms: 120_001 }],
  ['a name of another tool', { paths: ['a'] }],
])('%s is refused as INPUT_INVALID before anything is done', async (_name, args) => {
  const { asked, result } = await call(ok(OVERVIEW), args);
  expect([asked, result]).toMatchObject([[], { isError: true, structuredContent: { error_code: 'INPUT_INVALID' } }]);
});
