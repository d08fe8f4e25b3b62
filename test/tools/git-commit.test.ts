import { afterEach, expect, test } from 'vitest';
import { commitFiles } from '../../src/usecases/commit-files.ts';
import { commitGround, type CommitGround } from '../support/commit-ground.ts';
import { joinServer } from '../support/in-memory-server.ts';

const open: CommitGround[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.dispose();
});

async function called(args: Record<string, unknown>) {
  const it = commitGround();
  open.push(it);
  it.repo.file('tide.txt', 'rising\n');
  it.repo.file('moon.txt', 'somebody else’s\n');
  it.repo.git('add', 'moon.txt');
  const { client } = await joinServer({ gitCommit: (request, context) => commitFiles(it.product, request, context) });
  await client.listTools();
  return { it, answer: await client.callTool({ name: 'git_commit', arguments: { message: 'raise', ...args } }) };
}

test('a commit comes back with its id, branch and files, and names the client in the history', async () => {
  const { it, answer } = await called({ files: ['tide.txt'], repo_root: null });
  const commit = it.repo.git('rev-parse', 'HEAD').trim();
  expect(answer).toMatchObject({
    isError: false,
    structuredContent: { success: true, commit, branch: 'main', files: [{ path: 'tide.txt', change: 'modified' }] },
    content: [{ type: 'text', text: `Committed 1 path on main: ${commit}\n  modified "tide.txt"` }],
  });
  const folder = it.product.host.realFolder(it.root);
  const store = folder === null ? null : it.product.host.openHistory(folder);
  const records = store?.ok === true ? store.value.read().records : [];
  expect(records.map(({ kind, client }) => [kind, client])).toEqual([
    ['commit', { name: 'test-client', version: '9.9.9' }],
  ]);
});

test('a refusal is an error in the published shape, with both digests in the text', async () => {
  const sha256 = 'a'.repeat(64);
  const { answer } = await called({ files: ['tide.txt'], expected: [{ path: 'tide.txt', sha256 }] });
  expect(answer).toMatchObject({
    isError: true,
    structuredContent: { success: false, commit: null, error_code: 'BYTES_DIFFER', files: [] },
    content: [{ type: 'text', text: expect.stringContaining(`"tide.txt": expected ${sha256}, found `) as string }],
  });
});

test('an unknown argument is refused by name, before anything is done', async () => {
  const { answer, it } = await called({ files: ['tide.txt'], amend: true });
  expect(answer).toMatchObject({
    isError: true,
    structuredContent: { error_code: 'INPUT_INVALID', error: 'The arguments are not valid: unknown argument "amend".' },
  });
  expect(it.head().message).toBe('start');
});
