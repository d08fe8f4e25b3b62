import { expect, test } from 'vitest';
import { failure } from '../../src/model/failure.ts';
import type { Receipt, ReceiptRequest } from '../../src/model/receipt.ts';
import { fail, ok, type Result } from '../../src/model/result.ts';
import { joinServer } from '../support/in-memory-server.ts';

const DIGEST = 'a'.repeat(64);

const RECEIPT: Receipt = {
  epoch: 'e1',
  min_revision: 7,
  paths: ['src/a.ts', 'new\nline'],
  path_states: [
    { path: 'src/a.ts', kind: 'file', sha256: DIGEST },
    { path: 'new\nline', kind: 'absent' },
  ],
  path_state_count: 2,
  mismatches: [{ path: 'src/a.ts', expected: null, found: { kind: 'file', sha256: DIGEST } }],
  freshness: {
    epoch: 'e1',
    requested_revision: 7,
    observed_revision: 7,
    verified_revision: 6,
    satisfied: false,
    is_stale: true,
    state: 'failed',
    dirty_path_count: 2,
    dirty_paths: ['src/a.ts', 'new\nline'],
    last_error: { revision: 6, code: 'TIMED_OUT', message: 'The run was ended.' },
    watcher: 'failed',
    watcher_note: 'Raise the limit.',
    captured_at: '2026-01-01T00:00:00.000Z',
  },
};

async function call(answer: Result<Receipt>, args: Record<string, unknown> = { paths: ['src/a.ts'] }) {
  const asked: ReceiptRequest[] = [];
  const { client } = await joinServer({
    recordChangedPaths: (request) => {
      asked.push(request);
      return Promise.resolve(answer);
    },
  });
  const result = await client.callTool({ name: 'record_changed_paths', arguments: args });
  await client.close();
  return { asked, result };
}

test('a receipt is structured, and its text names the floor, the paths and what is not as expected', async () => {
  const { asked, result } = await call(ok(RECEIPT), { paths: ['src/a.ts'], expected: null });
  expect(asked).toEqual([{ paths: ['src/a.ts'], repoRoot: undefined, expected: undefined }]);
  expect(result).toMatchObject({ isError: false, structuredContent: RECEIPT });
  expect(result.content).toEqual([
    {
      type: 'text',
      text: [
        'Recorded as revision 7 of epoch e1. Nothing is verified by that.',
        'Next: pass min_revision 7, epoch and these paths to what verifies saved files.',
        'Paths (2):',
        `  src/a.ts: file ${DIGEST}`,
        '  "new\\nline": absent',
        'Not as expected (1), save again and record again:',
        `  src/a.ts: expected nothing, found file ${DIGEST}`,
        'Watcher: Raise the limit.',
      ].join('\n'),
    },
  ]);
});

test('a refusal is structured as well, and names the entry and the rule', async () => {
  const bad_path = { argument: 'paths', index: 0, rule: 'absolute' } as const;
  const { result } = await call(
    fail(failure('BAD_PATH', 'paths[0] is absolute.', { hint: 'Mend it.', details: { bad_path } })),
  );
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { error: 'paths[0] is absolute.', error_code: 'BAD_PATH', hint: 'Mend it.', bad_path },
    content: [{ text: 'Not recorded [BAD_PATH]: paths[0] is absolute.\nNext: Mend it.' }],
  });
});

test('a receipt that claims to be satisfied never leaves', async () => {
  const { result } = await call(ok({ ...RECEIPT, freshness: { ...RECEIPT.freshness, satisfied: true } }));
  expect(result).toMatchObject({ isError: true, structuredContent: { error_code: 'INTERNAL' } });
});

test.each([
  ['no paths', {}],
  ['paths that are null', { paths: null }],
  ['a text instead of a list', { paths: 'src/a.ts' }],
  ['a number among the paths', { paths: ['a', 1] }],
  ['a name of another tool', { paths: ['a'], file_path: 'b' }],
  ['a digest that is none', { paths: ['a'], expected: [{ path: 'a', sha256: 'x' }] }],
])('%s is refused as INPUT_INVALID before anything is done', async (_name, args) => {
  const { asked, result } = await call(ok(RECEIPT), args);
  expect([asked, result]).toMatchObject([[], { isError: true, structuredContent: { error_code: 'INPUT_INVALID' } }]);
});
