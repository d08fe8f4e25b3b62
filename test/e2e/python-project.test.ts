/** The built command line on a Python project, with the tests of the standard library. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { repositoryFolder } from '../../scripts/fixture-project.ts';
import { fixtureRepo, type FixtureRepo } from '../support/repo.ts';

const PROGRAM = join(repositoryFolder(), 'dist', 'main.js');
const COMMAND = 'python3 -m unittest';

let repo: FixtureRepo;
beforeEach(() => {
  repo = fixtureRepo('python-bell-ringing');
});
afterEach(() => {
  repo.dispose();
});

function writeFix(diff: string, testCommand: string) {
  const args = ['write-fix', '--file', 'ringing/rows.py', '--diff', '-', '--test-command', testCommand];
  const { status, stdout } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: repo.path,
    input: diff,
    encoding: 'utf8',
    env: { ...process.env, XDG_STATE_HOME: join(repo.beside, 'state') },
  });
  return { status, stdout };
}

const hunk = (added: string) => `@@ -12,2 +12,2 @@\n-    position = 0\n+${added}\n     while position < len(row):\n`;

test('a patch that unittest passes is kept', () => {
  const { status, stdout } = writeFix(hunk('    position = 0  # the treble strikes first'), COMMAND);
  expect(stdout).toContain('Written. The tests passed (python3 -m unittest: exit code 0');
  expect(status).toBe(0);
  expect(repo.git('status', '--porcelain')).toBe(' M ringing/rows.py\n');
});

test('a patch that unittest fails is put back, and the failing test is named', () => {
  const before = readFileSync(join(repo.path, 'ringing/rows.py'));
  const { status, stdout } = writeFix(hunk('    position = 1'), `${COMMAND} tests.test_rows`);
  expect(stdout).toContain('test_all_pairs_swap_without_places');
  expect(status).toBe(1);
  expect(readFileSync(join(repo.path, 'ringing/rows.py'))).toEqual(before);
  expect(repo.git('status', '--porcelain')).toBe('');
});

test('python3 -c is refused before anything is written', () => {
  const { status, stdout } = writeFix(hunk('    position = 1'), `python3 -c 'print(1)'`);
  expect(stdout).toContain('COMMAND_NOT_ALLOWED');
  expect(status).toBe(2);
  expect(repo.git('status', '--porcelain')).toBe('');
});
