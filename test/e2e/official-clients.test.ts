/** The official clients of both protocol eras against a real process: what they show their host is what is compared. */
import { fileURLToPath } from 'node:url';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, test } from 'vitest';

const SERVER = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../support/fake-server.js', import.meta.url))],
  stderr: 'ignore' as const,
};

interface Progress {
  readonly progress: number;
  readonly message?: string | undefined;
}

interface Connection {
  readonly call: (
    path: string,
    options?: { signal?: AbortSignal; onprogress?: (progress: Progress) => void },
  ) => Promise<Record<string, unknown>>;
  /** The protocol revision agreed on, where the client tells. */
  readonly revision: string | undefined;
  readonly raw: Pick<LegacyClient, 'callTool' | 'listTools' | 'readResource' | 'getInstructions' | 'close'>;
}

async function legacy(): Promise<Connection> {
  const client = new LegacyClient({ name: 'legacy-client', version: '1.0.0' });
  await client.connect(new LegacyTransport(SERVER));
  // Only after listing does this client check results against the output schema.
  await client.listTools();
  return {
    call: (path, options) =>
      client.callTool({ name: 'write_fix', arguments: { diff_str: '@@', file_path: path } }, undefined, options),
    revision: undefined,
    raw: client,
  };
}

async function modern(mode: 'legacy' | 'auto' | { pin: string }): Promise<Connection> {
  const client = new ModernClient({ name: 'modern-client', version: '2.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new ModernTransport(SERVER));
  await client.listTools();
  return {
    call: (path, options) =>
      client.callTool({ name: 'write_fix', arguments: { diff_str: '@@', file_path: path } }, options),
    revision: client.getNegotiatedProtocolVersion(),
    raw: client as unknown as Connection['raw'],
  };
}

describe.each([
  ['sdk 1.x', 'legacy-client 1.0.0', undefined, legacy],
  ['client 2.x, legacy', 'modern-client 2.0.0', '2025-11-25', () => modern('legacy')],
  ['client 2.x, auto', 'modern-client 2.0.0', '2026-07-28', () => modern('auto')],
  ['client 2.x, pinned to 2026-07-28', 'modern-client 2.0.0', '2026-07-28', () => modern({ pin: '2026-07-28' })],
])('%s', async (_name, identity, expectedRevision, connect) => {
  const { call, raw, revision } = await connect();
  afterAll(() => raw.close());

  test('gets the tool, the instructions and who we are', async () => {
    const { tools } = await raw.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'write_fix',
      'verify_change',
      'git_commit',
      'record_changed_paths',
      'repo_overview',
      'undo_fix',
    ]);
    expect(revision).toBe(expectedRevision);
    expect(raw.getInstructions()).toMatch(/^Use write_fix to /);
  });

  test('gets a kept write, and the server learns who called', async () => {
    expect(await call('client')).toMatchObject({
      isError: false,
      structuredContent: { success: true, notes: [`client ${identity}`] },
    });
  });

  test('gets failing tests as an answer with a link to the whole output, which it can read page by page', async () => {
    const answer = await call('failing');
    expect(answer).toMatchObject({
      isError: false,
      content: [
        { type: 'text', text: expect.stringMatching(/^Not done \[TESTS_FAILED\]/) as string },
        { type: 'resource_link', uri: 'surepatch://output/run-1', name: 'test-output', size: 3_000_000 },
      ],
      structuredContent: { success: false, rolled_back: true, disk_state: 'rolled_back' },
    });
    let uri: string | undefined = 'surepatch://output/run-1';
    let length = 0;
    while (uri !== undefined) {
      const { contents } = await raw.readResource({ uri });
      const [page, next] = contents;
      length += page !== undefined && 'text' in page ? page.text.length : 0;
      uri = next?.uri;
    }
    expect(length).toBe(3_000_000);
  });

  test('gets a refusal as an error whose structure passes the client, and its text says where', async () => {
    expect(await call('conflict')).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('Hunk 1 [CONTEXT], line 2 of the file') as string }],
      structuredContent: { error_code: 'PATCH_CONFLICT', conflicts: [{ hunk: 1, file_line: 2 }] },
    });
  });

  test.each(['throws', 'misshapen'])('gets INTERNAL when the use-case breaks down (%s), and no path', async (path) => {
    const answer = await call(path);
    expect(answer).toMatchObject({ isError: true, structuredContent: { error_code: 'INTERNAL' } });
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  test('gets every fault of bad arguments in the published shape', async () => {
    const answer = await raw.callTool({
      name: 'write_fix',
      arguments: { diff: '@@', dry_run: 'yes', repo_root: null },
    });
    expect(answer).toMatchObject({
      isError: true,
      structuredContent: {
        error_code: 'INPUT_INVALID',
        error:
          'The arguments are not valid: diff_str is required; file_path is required; ' +
          'dry_run: expected boolean, received string; unknown argument "diff" (did you mean diff_str?).',
      },
    });
  });

  test('gets progress that increases, at most twice a second, and none after the answer', async () => {
    const seen: Progress[] = [];
    const before = performance.now();
    await call('stages', { onprogress: (progress) => seen.push(progress) });
    const seconds = (performance.now() - before) / 1000;
    const count = seen.length;
    await new Promise((resolve) => setTimeout(resolve, 700));
    const values = seen.map(({ progress }) => progress);
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
    expect(count).toBeGreaterThanOrEqual(3);
    expect(count).toBeLessThanOrEqual(2 * seconds + 1);
    expect(seen).toHaveLength(count);
    expect(seen[0]?.message).toMatch(/^Checking the request \(\d+\.\d s\)$/);
  });

  test('a cancelled call rejects at the client, and the next call is served', async () => {
    const abort = new AbortController();
    setTimeout(() => {
      abort.abort();
    }, 200);
    await expect(call('slow', { signal: abort.signal })).rejects.toThrow();
    expect(await call('kept')).toMatchObject({ isError: false });
  });
});
