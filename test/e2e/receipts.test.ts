/** Receipts of the built server, with and without --watch: counted, refused, and over with the process that gave them. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordChangedPathsOutput } from '../../src/tools/record-changed-paths-output.ts';
import { gitRepo, temporaryFolder, type GitRepo } from '../support/git-repo.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

let folder: ReturnType<typeof temporaryFolder>;
let repo: GitRepo;
let client: Client | undefined;
beforeEach(() => {
  folder = temporaryFolder();
  repo = gitRepo(join(folder.path, 'repo'));
  repo.file('src/tide.py', 'low\n');
  repo.commit();
});
afterEach(async () => {
  await client?.close();
  folder.dispose();
});

async function serve(...options: readonly string[]): Promise<void> {
  await client?.close();
  client = new Client({ name: 'receipts', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'serve', '--root', repo.path, ...options],
    env: { PATH: process.env['PATH'] ?? '', HOME: folder.path, XDG_STATE_HOME: join(folder.path, 'state') },
    stderr: 'ignore',
  });
  await client.connect(transport);
}

async function record(...paths: readonly string[]) {
  const result = await client?.callTool({ name: 'record_changed_paths', arguments: { paths } });
  return recordChangedPathsOutput.parse(CallToolResultSchema.parse(result).structuredContent);
}

test('a receipt is counted, and the next server has another epoch and counts anew', async () => {
  await serve();
  const [first, second] = [await record('src/tide.py'), await record('src/tide.py')];
  await serve();
  const third = await record('src/tide.py');
  expect([first.min_revision, second.min_revision, third.min_revision]).toEqual([1, 2, 1]);
  expect([second.epoch === first.epoch, third.epoch === first.epoch]).toEqual([true, false]);
  expect(first.freshness?.watcher).toBe('off');
});

test('a server with --one-shot refuses a receipt', async () => {
  await serve('--one-shot');
  expect(await record('src/tide.py')).toMatchObject({ error_code: 'WRITER_UNAVAILABLE' });
});

test('a server with --watch notices what another program saves, and counts it', async () => {
  await serve('--watch');
  let receipt = await record('a.txt');
  // Until the watcher is ready; the limit of the test ends the wait for one that never is.
  while (receipt.freshness?.watcher !== 'watching') {
    await delay(50);
    receipt = await record('a.txt');
  }
  const before = receipt.min_revision ?? 0;
  repo.file('src/tide.py', 'high\n');
  let calls = 0;
  do {
    await delay(50);
    receipt = await record('a.txt');
    calls += 1;
  } while ((receipt.min_revision ?? 0) === before + calls);
  expect(receipt.min_revision).toBeGreaterThan(before + calls);
  await client?.close();
});
