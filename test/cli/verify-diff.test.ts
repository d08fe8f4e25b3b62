/** verify-diff as a person or a pipeline runs it: its exit codes, and what it prints. Nothing is ever written. */
import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { gitRepo, temporaryFolder, type GitRepo } from '../support/git-repo.ts';
import { lineDiff, treeOf } from '../support/product.ts';

const PACKAGE = resolve(import.meta.dirname, '../..');

let folder: ReturnType<typeof temporaryFolder>;
let repo: GitRepo;
beforeEach(() => {
  folder = temporaryFolder();
  repo = gitRepo(join(folder.path, 'repo'));
  repo.file('tide.txt', 'low\nrising\nhigh\n');
  repo.file('tide.py', 'level = 0\n');
  repo.commit();
});
afterEach(() => {
  folder.dispose();
});

/** Runs the command on a diff; the repository must be as it was afterwards. */
async function verifyDiff(diff: string, ...options: readonly string[]) {
  const diffPath = join(folder.path, 'change.diff');
  writeFileSync(diffPath, diff);
  const before = treeOf(repo.path);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [printed, complained] = [text(stdout), text(stderr)];
  const exitCode = await runCommandLine({
    argv: ['node', 'surepatch', 'verify-diff', repo.path, '--diff', diffPath, ...options],
    env: { PATH: process.env['PATH'], HOME: folder.path, XDG_STATE_HOME: join(folder.path, 'state') },
    workingFolder: repo.path,
    packageFolder: PACKAGE,
    stdin: Readable.from([]),
    stdout,
    stderr,
    process: new EventEmitter(),
    exit: (code) => {
      throw new Error(`exited with ${code}`);
    },
  });
  stdout.end();
  stderr.end();
  await complained;
  expect(treeOf(repo.path)).toEqual(before);
  return { exitCode, stdout: await printed };
}

const FITS = lineDiff('rising', 'falling');
const SYNTAX_ERROR = '--- a/tide.py\n+++ b/tide.py\n@@ -1 +1 @@\n-level = 0\n+level = (\n';

test('a change that nothing proves is UNPROVEN, and the exit code is 0', async () => {
  const { exitCode, stdout } = await verifyDiff(FITS);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^UNPROVEN \[no_test_command\]: /u);
});

test('with --fail-on unproven its exit code is 3', async () => {
  expect((await verifyDiff(FITS, '--fail-on', 'unproven')).exitCode).toBe(3);
});

test('a change that breaks something is UNSAFE, and the exit code is 1', async () => {
  const { exitCode, stdout } = await verifyDiff(SYNTAX_ERROR, '--json');
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    verdict: 'UNSAFE',
    reportVersion: 1,
    reasonCode: 'syntax_error',
    gates: { syntax: { passed: false, status: 'failed' }, tests: { passed: false, status: 'skipped' } },
    changedFiles: ['tide.py'],
    verification_id: expect.stringMatching(/^[0-9a-f]{32}$/u) as string,
  });
});

test('what cannot be judged is bad input, and the exit code is 2', async () => {
  const { exitCode, stdout } = await verifyDiff(lineDiff('sinking', 'falling'));
  expect(exitCode).toBe(2);
  expect(stdout).toMatch(/^Not judged \[PATCH_CONFLICT\]: diff did not apply to tide\.txt \(stale base\?\)/u);
});

test('with --json bad input is an object with its code', async () => {
  const { exitCode, stdout } = await verifyDiff('Binary files a.png and b.png differ\n', '--json');
  expect([exitCode, JSON.parse(stdout)]).toEqual([
    2,
    {
      error: 'diff contains only binary changes; nothing verifiable',
      error_code: 'PATCH_UNSUPPORTED',
      hint: 'Send the text edits alone; make that part of the change another way.',
    },
  ]);
});
