/** The tool as its clients see it: what its schema admits, and both shapes of its answer. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { VerifyRequest } from '../../src/model/proposal.ts';
import { failure } from '../../src/model/failure.ts';
import { fail } from '../../src/model/result.ts';
import { verifyChange } from '../../src/usecases/verify-change.ts';
import { joinServer } from '../support/in-memory-server.ts';
import { testProduct, type TestProduct } from '../support/product.ts';
import { SAFE_REPORT } from '../support/verify-report.ts';

const call = (args: Record<string, unknown>) => ({ name: 'verify_change', arguments: args });
const EDITS = [{ path: 'calc.py', newContent: 'x = 1\n' }];

test('the use-case gets every argument under its own name', async () => {
  const seen: VerifyRequest[] = [];
  const { client } = await joinServer({
    verifyChange: (request) => {
      seen.push(request);
      return Promise.resolve({ ok: true, value: SAFE_REPORT });
    },
  });
  await client.callTool(call({ repoRoot: '/srv/app', edits: EDITS, testCmd: 'python3 -m pytest -q', fresh: true }));
  await client.callTool(call({ unifiedDiff: 'diff', repoRoot: null }));
  expect(seen).toEqual([
    { repoRoot: '/srv/app', edits: EDITS, unifiedDiff: undefined, testCommand: 'python3 -m pytest -q', fresh: true },
    { repoRoot: undefined, edits: undefined, unifiedDiff: 'diff', testCommand: undefined, fresh: undefined },
  ]);
});

// The client checks structuredContent against the published schema by itself and throws where it does not fit.
test.each([
  ['a verdict', SAFE_REPORT],
  [
    'a verdict with every field that may be left out',
    {
      ...SAFE_REPORT,
      verdict: 'UNPROVEN',
      reasonCode: 'not_exercised',
      next: 'Add tests.',
      verification_id: null,
      gates: {
        ...SAFE_REPORT.gates,
        imports: {
          passed: false,
          durationMs: 45,
          status: 'failed',
          blockingReason: 'calc.py:1: no module named tide',
          findings: [{ file: 'calc.py', line: 1, message: 'no module named tide' }],
        },
      },
      coverage: {
        ...SAFE_REPORT.coverage,
        changedLinesCovered: 'unknown',
        uncovered: [{ file: 'calc.py', line: 6 }],
        uncoveredTruncated: { shown: 1, total: 2 },
        removalOnlyFiles: ['gone.py'],
        unknownReason: 'coverage.py is not installed',
        notExercised: [{ file: 'calc.py', line: 6, what: 'arm: else', text: '0', why: 'no passing test ran it' }],
        notExercisedTruncated: { shown: 1, total: 2 },
        loadedOnly: [{ file: 'calc.py', line: 1 }],
        loadedOnlyTruncated: { shown: 1, total: 2 },
      },
      missingTests: [{ file: 'calc.py', hint: 'add a test exercising calc.py:6' }],
      missingTestsTruncated: { shown: 1, total: 2 },
      flakyTests: ['t'],
      isolation: null,
      tests: null,
      baseline: null,
      preexistingFailures: ['t'],
      notes: ['note'],
      cached: { ageMs: 5 },
    } as const,
  ],
])('%s is structured as published, and its text is the same as JSON', async (_what, value) => {
  const { client } = await joinServer({ verifyChange: () => Promise.resolve({ ok: true, value }) });
  await client.listTools();
  const answer = await client.callTool(call({ edits: EDITS }));
  expect(answer).toMatchObject({ isError: false, structuredContent: value });
  expect(answer.content).toEqual([{ type: 'text', text: JSON.stringify(answer.structuredContent) }]);
});

test('UNSAFE is an answer, not an error', async () => {
  const value = { ...SAFE_REPORT, verdict: 'UNSAFE', reasonCode: 'tests_failed' } as const;
  const { client } = await joinServer({ verifyChange: () => Promise.resolve({ ok: true, value }) });
  expect(await client.callTool(call({ edits: EDITS }))).toMatchObject({
    isError: false,
    structuredContent: { verdict: 'UNSAFE' },
  });
});

test('a failure is an error, in the words of the contract', async () => {
  const refused = fail(failure('PATCH_UNSUPPORTED', 'diff contains only binary changes; nothing verifiable'));
  const { client } = await joinServer({ verifyChange: () => Promise.resolve(refused) });
  await client.listTools();
  const answer = await client.callTool(call({ unifiedDiff: 'x' }));
  expect({ isError: answer.isError, content: answer.content, structuredContent: answer.structuredContent }).toEqual({
    isError: true,
    content: [{ type: 'text', text: 'verify_change failed: diff contains only binary changes; nothing verifiable' }],
    structuredContent: {
      error: 'diff contains only binary changes; nothing verifiable',
      error_code: 'PATCH_UNSUPPORTED',
      hint: 'Send a unified diff that edits one existing file in place.',
    },
  });
});

test.each([
  ['a breakdown', () => Promise.reject(new Error('/secret/place is broken'))],
  ['a report of another shape', () => Promise.resolve({ ok: true, value: { ...SAFE_REPORT, secret: 1 } } as const)],
])('%s is INTERNAL and shows nothing of what happened', async (_what, broken) => {
  const { client, logged } = await joinServer({ verifyChange: broken });
  const answer = await client.callTool(call({ edits: EDITS }));
  expect(answer).toMatchObject({ isError: true, structuredContent: { error_code: 'INTERNAL' } });
  expect(JSON.stringify(answer)).not.toContain('secret');
  expect(logged).toEqual([expect.stringMatching(/^verify_change: /u)]);
});

test.each([
  ['an unknown key', { edits: EDITS, testCommand: 'x' }, 'unknown argument "testCommand" (did you mean testCmd?)'],
  ['the name of another tool’s argument', { diff_str: 'x' }, 'unknown argument "diff_str" (did you mean unifiedDiff?)'],
  ['an unknown key in an edit', { edits: [{ ...EDITS[0], mode: 1 }] }, 'unknown argument "edits[0][mode]"'],
  ['an edit without contents', { edits: [{ path: 'a' }] }, 'edits[0][newContent] is required'],
  ['a path with NUL', { edits: [{ path: 'a\0', newContent: '' }] }, 'edits[0][path]: holds a NUL character'],
  ['edits as text', { edits: '[]' }, 'edits: expected array, received string'],
])('%s is refused by name and reaches no use-case', async (_what, args, fault) => {
  const { client } = await joinServer({});
  expect(await client.callTool(call(args))).toMatchObject({
    isError: true,
    structuredContent: { error: `The arguments are not valid: ${fault}.`, error_code: 'INPUT_INVALID' },
    content: [{ type: 'text', text: `verify_change failed: The arguments are not valid: ${fault}.` }],
  });
});

describe('with the use-case behind it', () => {
  let made: TestProduct;
  beforeEach(() => {
    made = testProduct();
    made.repo.file('calc.py', 'x = 0\n');
    made.repo.commit();
  });
  afterEach(() => {
    made.dispose();
  });

  test.each([
    [
      'both forms',
      { edits: EDITS, unifiedDiff: 'diff' },
      'AMBIGUOUS_FORM',
      'verify_change failed: Both `edits` and `unifiedDiff` were passed.',
    ],
    [
      'neither form',
      {},
      'NOTHING_TO_VERIFY',
      'verify_change failed: verifyDiff: no edits provided (pass `edits` or `unifiedDiff`)',
    ],
    [
      'a root that is not there',
      { repoRoot: 'nope', edits: EDITS },
      'ROOT_REFUSED',
      "verify_change failed: ENOENT: no such file or directory, scandir 'nope'",
    ],
    [
      'a command that may not run',
      { edits: EDITS, testCmd: 'rm -rf .' },
      'COMMAND_NOT_ALLOWED',
      expect.stringMatching(/^verify_change failed: /u),
    ],
  ])('%s is refused', async (_what, args, code, text: unknown) => {
    const { client } = await joinServer({
      verifyChange: (request, context) => verifyChange(made.product, request, context),
    });
    await client.listTools();
    expect(await client.callTool(call(args))).toMatchObject({
      isError: true,
      structuredContent: { error_code: code },
      content: [{ type: 'text', text }],
    });
  });
});

test('a diff that does not fit is answered with its conflicts and the diff that would, like a write of it', async () => {
  const ground = testProduct();
  try {
    ground.repo.file('a.txt', 'low\n');
    ground.repo.file('b.txt', 'one\ntwo\nrising\nfour\n');
    ground.repo.commit();
    const fits = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-low\n+falling\n';
    const names = 'diff --git a/b.txt b/b.txt\nindex 1..2 100644\n--- a/b.txt\n+++ b/b.txt\n';
    const message =
      'Hunk 1: its 2 old lines are not at line 2; the same block is at line 3, only there. Use `@@ -3,2 +3,2 @@`.';
    const hunk = '-rising\n+falling\n four\n';
    const { client } = await joinServer({
      verifyChange: (request, context) => verifyChange(ground.product, request, context),
    });
    await client.listTools();
    const answer = await client.callTool(
      call({
        repoRoot: ground.root,
        unifiedDiff: `${fits}${names}@@ -2,2 +2,2 @@\n${hunk}${fits.replaceAll('a.txt', 'c.txt')}`,
      }),
    );
    expect(answer.structuredContent).toEqual({
      error: `diff did not apply to b.txt (stale base?): ${message}`,
      error_code: 'PATCH_CONFLICT',
      hint: 'Check suggested_diff, the patch with corrected headers, and send it.',
      conflicts: [
        {
          code: 'OFFSET',
          hunk: 1,
          message,
          patch_line: 11,
          found_at: [3],
          suggested_header: '@@ -3,2 +3,2 @@',
          excerpt: '1: one\n2: two\n3: rising',
        },
      ],
      suggested_diff: `${fits}${names}@@ -3,2 +3,2 @@\n${hunk}${fits.replaceAll('a.txt', 'c.txt')}`,
    });
    const [text] = answer.content as { readonly text: string }[];
    expect(text?.text.split('\n').slice(1, 3)).toEqual(['Hunk 1 [OFFSET]', '  header that fits: @@ -3,2 +3,2 @@']);
  } finally {
    ground.dispose();
  }
});
