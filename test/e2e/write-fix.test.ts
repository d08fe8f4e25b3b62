/** write_fix of the built program over real stdio: kept, rolled back, refused, cancelled, and cut off. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { gitRepo, temporaryFolder, type GitRepo } from '../support/git-repo.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

const CART = 'export const total = (prices) => prices.reduce((a, b) => a + b, 0);\n';
const KEPT_CART = 'export const total = (prices) => prices.reduce((sum, price) => sum + price, 0);\n';
const diffTo = (line: string) => `--- a/cart.js\n+++ b/cart.js\n@@ -1 +1 @@\n-${CART}+${line}`;
const GOOD = diffTo(KEPT_CART);
const BREAKING = diffTo('export const total = () => 0;\n');
const HANGING = diffTo('await new Promise((resolve) => setTimeout(resolve, 600_000));\nexport const total = () => 0;\n')
  .replace('@@ -1 +1 @@\n', '@@ -1 +1,2 @@\n')
  .replace('\nexport const total = () => 0;\n', '\n+export const total = () => 0;\n');

const TEST = `import { test } from 'node:test';
import { strictEqual } from 'node:assert';
import { writeFileSync } from 'node:fs';
setInterval(() => writeFileSync('running', String(performance.now())), 20).unref();
const { total } = await import('./cart.js');
test('adds the prices', () => strictEqual(total([1, 2]), 3));
`;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface Connection {
  readonly call: (
    args: Record<string, unknown>,
    options?: { signal?: AbortSignal },
  ) => Promise<Record<string, unknown>>;
  readonly read: (uri: string) => Promise<string>;
  readonly pid: number;
  readonly close: () => Promise<void>;
}

let folder: ReturnType<typeof temporaryFolder>;
let repo: GitRepo;
let connection: Connection;

beforeAll(() => {
  folder = temporaryFolder();
});

afterAll(() => {
  folder.dispose();
});

beforeEach(() => {
  repo = gitRepo(mkdtempSync(join(folder.path, 'shop-')));
  repo.file('package.json', '{ "type": "module" }\n');
  repo.file('cart.js', CART);
  repo.file('cart.test.js', TEST);
  repo.file('.gitignore', 'running\n');
  repo.commit();
});

function launch() {
  return {
    command: process.execPath,
    args: [MAIN, 'serve', '--root', folder.path],
    env: { PATH: process.env['PATH'] ?? '', HOME: folder.path, XDG_STATE_HOME: join(folder.path, 'state') },
    stderr: 'ignore' as const,
  };
}

function textOf(contents: readonly object[]): string {
  const [page] = contents;
  return page !== undefined && 'text' in page ? String(page.text) : '';
}

async function legacy(): Promise<Connection> {
  const client = new LegacyClient({ name: 'legacy-client', version: '1.0.0' });
  const transport = new LegacyTransport(launch());
  await client.connect(transport);
  const pid = transport.pid ?? 0;
  await client.listTools();
  return {
    call: (args, options) => client.callTool({ name: 'write_fix', arguments: args }, undefined, options),
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    pid,
    close: () => client.close(),
  };
}

async function modern(): Promise<Connection> {
  const client = new ModernClient(
    { name: 'modern-client', version: '2.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const transport = new ModernTransport(launch());
  await client.connect(transport);
  const pid = transport.pid ?? 0;
  await client.listTools();
  return {
    call: (args, options) => client.callTool({ name: 'write_fix', arguments: args }, options),
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    pid,
    close: () => client.close(),
  };
}

const cart = () => readFileSync(join(repo.path, 'cart.js'), 'utf8');

async function until(holds: () => boolean, ms = 15_000): Promise<void> {
  const end = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > end) throw new Error('it did not come true in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Whether the test process still writes its sign of life; its id means nothing outside its namespace. */
async function isTestRunning(): Promise<boolean> {
  const sign = () => readFileSync(join(repo.path, 'running'), 'utf8');
  const before = sign();
  await new Promise((resolve) => setTimeout(resolve, 300));
  return sign() !== before;
}

describe.each([
  ['sdk 1.x', legacy],
  ['client 2.x, pinned to 2026-07-28', modern],
])('%s', (_name, connect) => {
  const call = (args: Record<string, unknown>, options?: { signal?: AbortSignal }) =>
    connection.call({ file_path: join(repo.path, 'cart.js'), repo_root: repo.path, ...args }, options);

  beforeAll(async () => {
    connection = await connect();
  });

  afterAll(() => connection.close());

  test('a good patch stays after its tests passed, and optional arguments may be null', async () => {
    const answer = await call({
      diff_str: GOOD,
      test_command: 'node --test',
      allowed_test_commands: null,
      expected_sha256: sha256(CART).toUpperCase(),
      dry_run: null,
    });
    expect(answer).toMatchObject({
      isError: false,
      structuredContent: {
        success: true,
        error: null,
        rolled_back: false,
        disk_state: 'patched',
        git_state: 'clean',
        backup: null,
        sha256_before: sha256(CART),
        sha256_after: sha256(KEPT_CART),
        tests: { exit_code: 0, timed_out: false },
      },
    });
    expect(cart()).toBe(KEPT_CART);
    expect(await call({ diff_str: GOOD })).toMatchObject({
      isError: true,
      structuredContent: { error_code: 'ALREADY_APPLIED' },
    });
  });

  test('a breaking patch is put back byte for byte, with the words of the failing test', async () => {
    const answer = await call({ diff_str: BREAKING, test_command: 'node --test' });
    expect(answer).toMatchObject({
      isError: false,
      content: [{ type: 'text', text: expect.stringContaining('adds the prices') as string }],
      structuredContent: {
        success: false,
        rolled_back: true,
        disk_state: 'rolled_back',
        error_code: 'TESTS_FAILED',
        test_output: expect.stringContaining('adds the prices') as string,
      },
    });
    expect(cart()).toBe(CART);
    const { tests } = answer['structuredContent'] as { tests: { output_uri: string } };
    expect(await connection.read(tests.output_uri)).toContain('adds the prices');
  });

  test.each([
    ['a hunk that does not fit', { diff_str: '@@ -1 +1 @@\n-nothing like it\n+x\n' }, 'PATCH_CONFLICT'],
    ['a command off the list', { diff_str: GOOD, test_command: 'rm -rf .' }, 'COMMAND_NOT_ALLOWED'],
    ['a command for a shell', { diff_str: GOOD, test_command: 'node --test && true' }, 'COMMAND_UNPARSABLE'],
    ['a file outside the root', { diff_str: GOOD, file_path: '/etc/hostname' }, 'PATH_OUTSIDE_REPO'],
    ['a root outside --root', { diff_str: GOOD, repo_root: '/etc' }, 'ROOT_REFUSED'],
    ['a stale digest', { diff_str: GOOD, expected_sha256: '0'.repeat(64) }, 'PREIMAGE_STALE'],
    ['an unknown argument', { diff_str: GOOD, patch: GOOD }, 'INPUT_INVALID'],
    ['an empty patch', { diff_str: '' }, 'PATCH_EMPTY'],
    ['a patch over 8 MiB', { diff_str: `${GOOD}${'\n'.repeat(8 * 1024 * 1024)}` }, 'PATCH_TOO_LARGE'],
    ['a path with a NUL', { diff_str: GOOD, file_path: 'cart.js\u0000' }, 'INPUT_INVALID'],
  ])('%s is refused with its code, and nothing is touched', async (_what, args, code) => {
    expect(await call(args)).toMatchObject({
      isError: true,
      structuredContent: { success: false, rolled_back: false, disk_state: 'unchanged', error_code: code },
    });
    expect(cart()).toBe(CART);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('a dry run shows the change and writes nothing', async () => {
    expect(await call({ diff_str: GOOD, dry_run: true, test_command: 'node --test' })).toMatchObject({
      isError: false,
      structuredContent: {
        success: true,
        disk_state: 'unchanged',
        diff: expect.stringContaining(`+${KEPT_CART}`) as string,
      },
    });
    expect(cart()).toBe(CART);
  });

  test('a cancel kills the tests and puts the file back', async () => {
    const abort = new AbortController();
    const answer = call({ diff_str: HANGING, test_command: 'node --test' }, { signal: abort.signal });
    answer.catch(() => undefined);
    await until(() => existsSync(join(repo.path, 'running')));
    expect(cart()).not.toBe(CART);
    abort.abort();
    await expect(answer).rejects.toThrow();
    await until(() => cart() === CART);
    expect(await isTestRunning()).toBe(false);
    expect(await call({ diff_str: GOOD })).toMatchObject({ isError: false, structuredContent: { success: true } });
  });

  test('a client that goes away leaves the file as it was and no process behind', async () => {
    const answer = call({ diff_str: HANGING, test_command: 'node --test' });
    answer.catch(() => undefined);
    await until(() => existsSync(join(repo.path, 'running')));
    const server = connection.pid;
    await connection.close();
    await until(() => !isAlive(server));
    expect(cart()).toBe(CART);
    expect(await isTestRunning()).toBe(false);
  });
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s while the tests run: the call is answered, the file is as it was, and nothing is left running',
  async (signal) => {
    const own = await legacy();
    const answer = own.call({
      file_path: join(repo.path, 'cart.js'),
      repo_root: repo.path,
      diff_str: HANGING,
      test_command: 'node --test',
    });
    await until(() => existsSync(join(repo.path, 'running')));
    const before = performance.now();
    process.kill(own.pid, signal);
    expect(await answer).toMatchObject({
      isError: true,
      structuredContent: { error_code: 'CANCELLED', disk_state: 'rolled_back', rolled_back: true },
    });
    await until(() => !isAlive(own.pid));
    // The promise is one second on a quiet machine.
    expect(performance.now() - before).toBeLessThan(3000);
    expect(cart()).toBe(CART);
    expect(await isTestRunning()).toBe(false);
    await own.close();
  },
);
