/**
 * Several servers on one root at the same time, each with its client: no update is lost, nobody meets a lock, each commit
 * has one path, and the history is whole. SUREPATCH_SERVERS and SUREPATCH_PATCHES make it larger (8 and 100 in the issue).
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { gitRepo, temporaryFolder } from '../support/git-repo.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const SERVERS = Number(process.env['SUREPATCH_SERVERS'] ?? 3);
const PATCHES = Number(process.env['SUREPATCH_PATCHES'] ?? 10);
const COMMIT_EVERY = 5;
const LIMIT_MS = 600_000;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test(
  `${SERVERS} servers write ${PATCHES} patches each into one file and into their own, with commits between`,
  async () => {
    const folder = temporaryFolder();
    const repo = gitRepo(join(folder.path, 'repo'));
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder.path, XDG_STATE_HOME: join(folder.path, 'state') };
    // A line for each server, so that every patch fits whatever the others have done to the file.
    repo.file(
      'shared.txt',
      numbers(SERVERS)
        .map((own) => `${own} at 0\n`)
        .join(''),
    );
    for (const own of numbers(SERVERS)) repo.file(`own-${own}.txt`, 'at 0\n');
    repo.file('untouched.txt', 'as it was\n');
    repo.commit();
    repo.git('config', 'user.name', 'Writer');
    repo.git('config', 'user.email', 'writer@example.invalid');
    const first = repo.git('rev-parse', 'HEAD').trim();
    const clients: Client[] = [];
    const refused: string[] = [];
    try {
      const work = async (own: number): Promise<void> => {
        const client = new Client({ name: `writer-${own}`, version: '1' });
        clients.push(client);
        const args = [MAIN, 'serve', '--root', repo.path];
        await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
        const call = async (name: string, given: Record<string, unknown>): Promise<void> => {
          const asked = client.callTool({ name, arguments: given }, undefined, { timeout: LIMIT_MS });
          const { structuredContent: report } = CallToolResultSchema.parse(await asked);
          const code = String(report?.['error_code']);
          // Whoever comes second finds that the shared file has been committed by another.
          if (report?.['success'] !== true && code !== 'NOTHING_TO_COMMIT') refused.push(`${name}: ${code}`);
        };
        for (const n of numbers(PATCHES)) {
          const line = `@@ -${own + 1},1 +${own + 1},1 @@\n-${own} at ${n}\n+${own} at ${n + 1}\n`;
          await call('write_fix', { file_path: join(repo.path, 'shared.txt'), diff_str: line });
          const diff = `@@ -1,1 +1,1 @@\n-at ${n}\n+at ${n + 1}\n`;
          await call('write_fix', { file_path: join(repo.path, `own-${own}.txt`), diff_str: diff });
          if ((n + 1) % COMMIT_EVERY > 0) continue;
          await call('git_commit', { message: `own ${own} at ${n + 1}`, files: [`own-${own}.txt`] });
          await call('git_commit', { message: `shared at ${n + 1}`, files: ['shared.txt'] });
        }
      };
      await Promise.all(numbers(SERVERS).map(work));
      const commits = repo
        .git('rev-list', `${first}..HEAD`)
        .split('\n')
        .filter((line) => line !== '');
      const pathsOf = (commit: string): number =>
        repo.git('diff-tree', '--no-commit-id', '--name-only', '-r', commit).trim().split('\n').length;
      const history = spawnSync(process.execPath, [MAIN, 'history', 'verify', '--root', repo.path], { env });
      const found = {
        refused,
        shared: readFileSync(join(repo.path, 'shared.txt'), 'utf8'),
        own: numbers(SERVERS).map((own) => readFileSync(join(repo.path, `own-${own}.txt`), 'utf8')),
        untouched: readFileSync(join(repo.path, 'untouched.txt'), 'utf8'),
        paths: [...new Set(commits.map(pathsOf))],
        ownCommits: commits.filter((commit) => repo.git('log', '-1', '--format=%s', commit).startsWith('own')).length,
        uncommitted: repo.git('status', '--porcelain', '--untracked-files=no').trim(),
        history: history.status,
      };
      expect(found).toEqual({
        refused: [],
        shared: numbers(SERVERS)
          .map((own) => `${own} at ${PATCHES}\n`)
          .join(''),
        own: numbers(SERVERS).map(() => `at ${PATCHES}\n`),
        untouched: 'as it was\n',
        paths: [1],
        ownCommits: SERVERS * Math.floor(PATCHES / COMMIT_EVERY),
        uncommitted: '',
        history: 0,
      });
    } finally {
      await Promise.all(clients.map((client) => client.close()));
      folder.dispose();
    }
  },
  LIMIT_MS,
);
