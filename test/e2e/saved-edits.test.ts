/** The flow of the contract of saved edits through a real client of the built server, under --watch and over a restart. */
import { cpSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { repositoryFolder } from '../../scripts/fixture-project.ts';
import { recordChangedPathsOutput } from '../../src/tools/record-changed-paths-output.ts';
import { verifyChangeOutput } from '../../src/tools/verify-change-output.ts';
import { gitRepo, temporaryFolder, type GitRepo } from '../support/git-repo.ts';
import { pythonToolchain } from '../support/python-toolchain.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const LIMIT_MS = 120_000;
const TOOLCHAIN_LIMIT_MS = 300_000;

let folder: ReturnType<typeof temporaryFolder>;
let repo: GitRepo;
let client: Client;
beforeEach(() => {
  folder = temporaryFolder();
  repo = gitRepo(join(folder.path, 'repo'));
  cpSync(join(repositoryFolder(), 'fixtures/repos/python-calc'), repo.path, { recursive: true });
  repo.commit();
  pythonToolchain();
}, TOOLCHAIN_LIMIT_MS);
afterEach(async () => {
  await client.close();
  folder.dispose();
});

async function serve(): Promise<void> {
  client = new Client({ name: 'saved-edits', version: '1' });
  const path = [dirname(pythonToolchain()), process.env['PATH'] ?? ''].join(delimiter);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'serve', '--watch', '--root', repo.path],
    env: { PATH: path, HOME: folder.path, XDG_STATE_HOME: join(folder.path, 'state') },
    stderr: 'ignore',
  });
  await client.connect(transport);
}

async function call(name: string, args: Record<string, unknown>) {
  const result = CallToolResultSchema.parse(
    await client.callTool({ name, arguments: args }, undefined, { timeout: LIMIT_MS }),
  );
  const [first] = result.content;
  return {
    isError: result.isError,
    text: first?.type === 'text' ? first.text : '',
    structured: result.structuredContent,
  };
}

/** Another program edits the file: neither the server nor this process. */
function editElsewhere(path: string, from: string, to: string): void {
  const script = `const fs = require('fs'); const [p, a, b] = process.argv.slice(1);
fs.writeFileSync(p, fs.readFileSync(p, 'utf8').replace(a, b));`;
  spawnSync(process.execPath, ['-e', script, join(repo.path, path), from, to]);
}

test(
  'edits of another program are recorded, verified at the floor, and belong to an epoch that ends with the server',
  async () => {
    await serve();
    editElsewhere('calc.py', 'a + b', 'b + a');
    writeFileSync(join(repo.path, 'notes.txt'), 'not in the scope\n');
    const receipt = recordChangedPathsOutput.parse(
      (await call('record_changed_paths', { paths: ['calc.py'] })).structured,
    );
    const floor = { paths: receipt.paths, min_revision: receipt.min_revision, epoch: receipt.epoch };
    const asked = { ...floor, wait_ms: 110_000, testCmd: 'python3 -m pytest -q', max_items: 10 };
    const { isError, text, structured } = await call('verify_change', asked);
    const report = verifyChangeOutput.parse(structured);
    expect([isError, report.freshness?.satisfied, report.changedFiles, report.scope_paths]).toEqual([
      false,
      true,
      ['calc.py'],
      ['calc.py'],
    ]);
    expect(report).toMatchObject({
      gates: { tests: { passed: true } },
      baseline: { kind: 'head', comparable: true },
      regression_count: 0,
      fix_count: 0,
      wait: { requested_ms: 110_000, effective_ms: 110_000, timed_out: false },
      freshness: { epoch: receipt.epoch, requested_revision: receipt.min_revision },
    });
    expect(JSON.parse(text)).toEqual(structured);

    await client.close();
    await serve();
    const later = await call('verify_change', asked);
    expect([later.isError, verifyChangeOutput.parse(later.structured).error_code]).toEqual([true, 'EPOCH_MISMATCH']);
  },
  LIMIT_MS * 2,
);
