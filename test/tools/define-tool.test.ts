import { expect, test } from 'vitest';
import { failure } from '../../src/model/failure.ts';
import { fail } from '../../src/model/result.ts';
import type { CallContext } from '../../src/model/call-context.ts';
import type { WriteFixReport, WriteFixRequest } from '../../src/model/write-report.ts';
import { joinServer, KEPT } from '../support/in-memory-server.ts';

const call = (args: Record<string, unknown>) => ({ name: 'write_fix', arguments: args });
const plain = call({ diff_str: '@@', file_path: 'a.txt' });

test('the use-case gets every argument under its own name, and who calls', async () => {
  const seen: { request: WriteFixRequest; client: CallContext['client'] }[] = [];
  const { client } = await joinServer({
    writeFix: (request, context) => {
      seen.push({ request, client: context.client });
      return Promise.resolve({ ok: true, value: KEPT });
    },
  });
  await client.callTool(
    call({
      diff_str: '@@',
      file_path: 'a.txt',
      repo_root: '/srv/app',
      test_command: 'npm test',
      allowed_test_commands: ['npm test'],
      expected_sha256: 'AB'.repeat(32),
      dry_run: true,
    }),
  );
  expect(seen).toEqual([
    {
      request: {
        diff: '@@',
        filePath: 'a.txt',
        repoRoot: '/srv/app',
        testCommand: 'npm test',
        allowedTestCommands: ['npm test'],
        expectedSha256: 'ab'.repeat(32),
        dryRun: true,
      },
      client: { name: 'test-client', version: '9.9.9' },
    },
  ]);
});

test('tests that failed are an answer, not an error', async () => {
  const report: WriteFixReport = { ...KEPT, success: false, rolled_back: true, disk_state: 'rolled_back' };
  const { client } = await joinServer({ writeFix: () => Promise.resolve({ ok: true, value: report }) });
  const { isError, structuredContent } = await client.callTool(plain);
  expect({ isError, structuredContent }).toEqual({ isError: false, structuredContent: report });
});

test('a failure is an error in the published shape', async () => {
  const refused = fail(failure('COMMAND_NOT_ALLOWED', 'rm is not allowed'));
  const { client } = await joinServer({ writeFix: () => Promise.resolve(refused) });
  expect(await client.callTool(plain)).toMatchObject({
    isError: true,
    structuredContent: {
      success: false,
      test_output: null,
      error: 'rm is not allowed',
      rolled_back: false,
      disk_state: 'unchanged',
      notes: [],
      error_code: 'COMMAND_NOT_ALLOWED',
      hint: 'Use one of the allowed commands.',
    },
  });
});

test('bad arguments are refused in the same shape and reach no use-case', async () => {
  const { client } = await joinServer({ writeFix: () => Promise.reject(new Error('reached')) });
  expect(await client.callTool(call({ diff_str: 7, file_path: 'a', zz: null, surplus: 1 }))).toMatchObject({
    isError: true,
    structuredContent: {
      error: 'The arguments are not valid: diff_str: expected string, received number; unknown argument "surplus".',
      error_code: 'INPUT_INVALID',
    },
  });
  expect(await client.callTool({ name: 'write_fix' })).toMatchObject({
    isError: true,
    structuredContent: { error_code: 'INPUT_INVALID' },
  });
});

test.each([
  ['thrown', () => Promise.reject(new Error('/secret/place is broken'))],
  [
    'a report of another shape',
    () => Promise.resolve({ ok: true, value: { ...KEPT, surplus: '/secret/place' } } as const),
  ],
])('%s becomes INTERNAL: the stack is logged, and no path leaves', async (_name, writeFix) => {
  const { client, logged } = await joinServer({ writeFix });
  const answer = await client.callTool(plain);
  expect(answer).toMatchObject({
    isError: true,
    structuredContent: { error_code: 'INTERNAL', disk_state: 'unknown', success: false },
  });
  expect(JSON.stringify(answer)).not.toContain('secret');
  expect(logged).toEqual([expect.stringMatching(/^write_fix: .*\n? +.*/s)]);
});

test('after the server was told to stop, a call is answered as cancelled without reaching its use-case', async () => {
  const { client, calls } = await joinServer({ writeFix: () => Promise.reject(new Error('reached')) });
  calls.abort();
  expect(await client.callTool(plain)).toMatchObject({
    isError: true,
    structuredContent: { error_code: 'CANCELLED', disk_state: 'unchanged' },
  });
});

test('a stop aborts the signal of a call in flight, and its answer still arrives', async () => {
  const { client, calls } = await joinServer({
    writeFix: (_request, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          resolve(fail(failure('CANCELLED', 'stopped', { details: { report: { disk_state: 'rolled_back' } } })));
        });
      }),
  });
  const answer = client.callTool(plain);
  await new Promise((resolve) => setTimeout(resolve, 20));
  calls.abort();
  await calls.settled();
  expect(await answer).toMatchObject({ structuredContent: { error: 'stopped', disk_state: 'rolled_back' } });
});
