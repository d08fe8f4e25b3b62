/** A file that is written and tested is committed by a real client, beside other people's unfinished work. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { gitRepo, temporaryFolder } from '../support/git-repo.ts';
import { lineDiff, writeSuite } from '../support/product.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

test('write, test, commit: HEAD gains the verified bytes of one path, and nothing else moves', async () => {
  const folder = temporaryFolder();
  const repo = gitRepo(join(folder.path, 'repo'));
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder.path, XDG_STATE_HOME: join(folder.path, 'state') };
  const others = ['moon.txt', 'wind.txt', 'staged.txt', 'untracked.txt'];
  repo.file('tide.txt', 'low\nrising\nhigh\n');
  for (const name of others.slice(0, 3)) repo.file(name, 'as committed\n');
  writeSuite(repo, 'low\nslack\nhigh\n');
  repo.commit();
  repo.git('config', 'user.name', 'Keeper');
  repo.git('config', 'user.email', 'keeper@example.invalid');
  repo.file('staged.txt', 'staged by somebody else\n');
  repo.git('add', 'staged.txt');
  for (const name of ['moon.txt', 'wind.txt', 'untracked.txt']) repo.file(name, 'unfinished\n');
  const state = () => ({
    files: others.map((name) => readFileSync(join(repo.path, name), 'utf8')),
    entries: repo.git('ls-files', '-s', '--', ...others),
    status: repo.git('status', '--porcelain', '--', ...others),
  });
  const before = state();
  const parent = repo.git('rev-parse', 'HEAD').trim();
  const client = new Client({ name: 'keeper', version: '1' });
  try {
    const args = [MAIN, 'serve', '--root', repo.path];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
    const call = async (name: string, given: Record<string, unknown>) =>
      CallToolResultSchema.parse(await client.callTool({ name, arguments: given })).structuredContent;
    const written = await call('write_fix', {
      file_path: join(repo.path, 'tide.txt'),
      diff_str: lineDiff('rising', 'slack'),
      test_command: 'node --test',
    });
    const committed = await call('git_commit', { message: 'let the tide be slack' });
    const bytes = repo.git('cat-file', 'blob', 'HEAD:tide.txt');
    expect({
      written: written?.['disk_state'],
      verified: written?.['sha256_after'],
      committed: committed?.['commit'],
      parent: repo.git('rev-parse', 'HEAD^').trim(),
      paths: repo.git('diff-tree', '--no-commit-id', '--name-status', '-r', 'HEAD'),
      beside: state(),
    }).toEqual({
      written: 'patched',
      verified: createHash('sha256').update(bytes).digest('hex'),
      committed: repo.git('rev-parse', 'HEAD').trim(),
      parent,
      paths: 'M\ttide.txt\n',
      beside: before,
    });
  } finally {
    await client.close();
    folder.dispose();
  }
});
