/** The commands as a person runs them, in this process: exit code, both streams, and what is on disk afterwards. */
import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { gitRepo, temporaryFolder, type GitRepo } from '../support/git-repo.ts';
import { treeOf, writeSuite } from '../support/product.ts';

const PACKAGE = resolve(import.meta.dirname, '../..');
const BEFORE = 'low\nrising\nhigh\n';
const AFTER = 'low\nfalling\nhigh\n';
const DIFF = '@@ -1,3 +1,3 @@\n low\n-rising\n+falling\n high\n';

let folder: ReturnType<typeof temporaryFolder>;
let repo: GitRepo;
let diffPath: string;
beforeEach(() => {
  folder = temporaryFolder();
  repo = gitRepo(join(folder.path, 'repo'));
  repo.file('tide.txt', BEFORE);
  repo.commit();
  diffPath = join(folder.path, 'change.diff');
  writeFileSync(diffPath, DIFF);
});
afterEach(() => {
  folder.dispose();
});

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function surepatch(...args: readonly string[]): Promise<Ran> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [printed, complained] = [text(stdout), text(stderr)];
  const exitCode = await runCommandLine({
    argv: ['node', 'surepatch', ...args],
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
  return { exitCode, stdout: await printed, stderr: await complained };
}

const tide = (): string => readFileSync(join(repo.path, 'tide.txt'), 'utf8');

describe('write-fix', () => {
  test('a patch that fits is written, and the exit code is 0', async () => {
    const { exitCode, stdout } = await surepatch('write-fix', '--file', 'tide.txt', '--diff', diffPath);
    expect([exitCode, tide()]).toEqual([0, AFTER]);
    expect(stdout).toMatch(/^Written\./u);
  });

  test('a patch that the tests refuse is put back, and the exit code is 1', async () => {
    writeSuite(repo, BEFORE);
    const ran = await surepatch(
      'write-fix',
      '--file',
      'tide.txt',
      '--diff',
      diffPath,
      '--test-command',
      'node --test',
      '--json',
    );
    const report: unknown = JSON.parse(ran.stdout);
    expect(report).toMatchObject({
      success: false,
      rolled_back: true,
      error_code: 'TESTS_FAILED',
      disk_state: 'rolled_back',
    });
    expect([ran.exitCode, tide()]).toEqual([1, BEFORE]);
  });

  test.each([
    ['a patch that does not fit', ['--file', 'tide.txt', '--diff', 'wrong.diff'], 'PATCH_CONFLICT'],
    ['a file that is not there', ['--file', 'ebb.txt', '--diff', 'right.diff'], 'FILE_NOT_FOUND'],
    ['a diff that is not there', ['--file', 'tide.txt', '--diff', 'gone.diff'], 'INPUT_INVALID'],
    ['a diff that is not UTF-8', ['--file', 'tide.txt', '--diff', 'latin1.diff'], 'INPUT_INVALID'],
    ['a root that is not there', ['--file', 'tide.txt', '--diff', 'right.diff', '--root', 'gone'], 'ROOT_REFUSED'],
    [
      'a digest that does not fit',
      ['--file', 'tide.txt', '--diff', 'right.diff', '--expected-sha256', '0'.repeat(64)],
      'PREIMAGE_STALE',
    ],
  ])('%s is refused before writing, and the exit code is 2', async (_, args, code) => {
    repo.file('right.diff', DIFF);
    repo.file('wrong.diff', DIFF.replace('rising', 'slack'));
    repo.file('latin1.diff', Buffer.from([0x40, 0xe9, 0x0a]));
    const inRepo = args.map((arg) => (/\.diff$/u.test(arg) ? join(repo.path, arg) : arg));
    const { exitCode, stdout } = await surepatch('write-fix', ...inRepo, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ success: false, error_code: code, disk_state: 'unchanged' });
    expect([exitCode, tide()]).toEqual([2, BEFORE]);
  });

  test('a dry run prints the change and writes nothing', async () => {
    const before = treeOf(repo.path);
    const { exitCode, stdout } = await surepatch('write-fix', '--file', 'tide.txt', '--diff', diffPath, '--dry-run');
    expect([exitCode, treeOf(repo.path)]).toEqual([0, before]);
    expect(stdout).toContain('-rising\n+falling\n');
  });

  test('the operator’s own command is allowed only by --allow-test-command', async () => {
    const args = [
      'write-fix',
      '--file',
      'tide.txt',
      '--diff',
      diffPath,
      '--test-command',
      'test -f tide.txt',
      '--json',
    ];
    const refused = await surepatch(...args);
    const allowed = await surepatch(...args, '--allow-test-command', 'test -f');
    expect([refused.exitCode, JSON.parse(refused.stdout), allowed.exitCode]).toMatchObject([
      2,
      { error_code: 'COMMAND_NOT_ALLOWED' },
      0,
    ]);
  });
});

test('output prints what a test run printed, by the id in output_uri', async () => {
  writeSuite(repo, BEFORE);
  const ran = await surepatch(
    'write-fix',
    '--file',
    'tide.txt',
    '--diff',
    diffPath,
    '--test-command',
    'node --test',
    '--json',
  );
  const uri = /surepatch:\/\/output\/([0-9a-z-]+)/u.exec(ran.stdout)?.[1] ?? '';
  const { exitCode, stdout } = await surepatch('output', uri);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('the tide is as the table says');
  expect(await surepatch('output', `surepatch://output/${uri}`)).toEqual({ exitCode, stdout, stderr: '' });
  expect(await surepatch('output', 'nobody')).toMatchObject({ exitCode: 2, stdout: '' });
});

test('doctor names what it looked at, a line each', async () => {
  const { exitCode, stdout } = await surepatch('doctor');
  expect([exitCode, stdout.split('\n').map((line) => line.split(':', 1)[0]?.slice(8))]).toEqual([
    0,
    ['node', 'git', 'state folder', 'isolation', 'shadow tree', 'test commands', ''],
  ]);
});

test.each([
  [['--version'], 0, /^\d+\.\d+\.\d+\n$/u],
  [['--help'], 0, /^Usage: surepatch/u],
  [['write-fix', '--help'], 0, /Exit codes: 0 written/u],
])('%j prints what people expect', async (args, code, pattern) => {
  const { exitCode, stdout } = await surepatch(...args);
  expect([exitCode, pattern.test(stdout)]).toEqual([code, true]);
});

test.each(['serve', 'write-fix'])('the help of %s offers no empty list as a default', async (command) => {
  const { stdout } = await surepatch(command, '--help');
  expect(stdout.match(/\(default:\s[^)]+\)/gu)?.map((shown) => shown.replace(/\s+/gu, ' '))).toEqual(
    command === 'serve' ? ['(default: 120)', '(default: any but system folders)'] : ['(default: 120)'],
  );
});

test.each([[['frobnicate']], [['write-fix']], [['serve', '--test-timeout', 'soon']], [[]]])(
  '%j is bad usage: exit code 2 and words on stderr',
  async (args) => {
    const { exitCode, stderr } = await surepatch(...args);
    expect([exitCode, stderr === '']).toEqual([2, false]);
  },
);

describe('commit', () => {
  beforeEach(() => {
    repo.git('config', 'user.name', 'Keeper');
    repo.git('config', 'user.email', 'keeper@example.invalid');
  });

  test('commits the files named and prints the report of the tool, with exit code 0', async () => {
    repo.file('tide.txt', AFTER);
    repo.file('other.txt', 'untracked\n');
    const { exitCode, stdout } = await surepatch('commit', 'tide.txt', '-m', 'fall', '--json');
    expect([exitCode, repo.git('log', '-1', '--format=%s'), repo.git('status', '--short')]).toEqual([
      0,
      'fall\n',
      '?? other.txt\n',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ success: true, branch: 'main', files: [{ path: 'tide.txt' }] });
  });

  test('takes what write-fix wrote when no file is named, and then has nothing to commit, with exit code 2', async () => {
    await surepatch('write-fix', '--file', 'tide.txt', '--diff', diffPath);
    expect((await surepatch('commit', '-m', 'fall')).exitCode).toBe(0);
    const { exitCode, stdout } = await surepatch('commit', '-m', 'again');
    expect([exitCode, stdout.split(':', 1)[0]]).toEqual([2, 'Nothing was committed [NOTHING_TO_COMMIT]']);
  });

  test('refuses bytes that are not those expected', async () => {
    repo.file('tide.txt', AFTER);
    const digest = 'a'.repeat(64);
    const { exitCode, stdout } = await surepatch('commit', 'tide.txt', '-m', 'fall', '--expect', `tide.txt=${digest}`);
    expect([exitCode, stdout.split(':', 1)[0]]).toEqual([2, 'Nothing was committed [BYTES_DIFFER]']);
  });
});

describe('overview', () => {
  test('tells a person and a script where the repository stands, with exit code 0', async () => {
    repo.file('tide.txt', AFTER);
    const { exitCode, stdout } = await surepatch('overview');
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Changed: 0 staged, 1 modified, 0 untracked')]);
    const json = await surepatch('overview', repo.path, '--json');
    expect([json.exitCode, JSON.parse(json.stdout)]).toMatchObject([
      0,
      { root: repo.path, index: { state: 'ready' }, git: { changes: [{ path: 'tide.txt', status: '.M' }] } },
    ]);
  });

  test('a folder that is not there is refused with 2', async () => {
    const { exitCode, stdout } = await surepatch('overview', 'nowhere', '--json');
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([2, { error_code: 'ROOT_REFUSED' }]);
  });
});

describe('undo and history', () => {
  interface Kept {
    readonly write_id: string;
  }
  const idOf = ({ stdout }: Ran): string => (JSON.parse(stdout) as Kept).write_id;
  const write = (): Promise<Ran> => surepatch('write-fix', '--file', 'tide.txt', '--diff', diffPath, '--json');

  test('a write is taken back by its id, and both are in the history', async () => {
    const id = idOf(await write());
    const undone = await surepatch('undo', id);
    expect([undone.exitCode, tide()]).toEqual([0, BEFORE]);
    expect(undone.stdout).toMatch(/^Undone: the write [0-9a-f]{32} is taken out of tide\.txt\./u);
    const { exitCode, stdout } = await surepatch('history');
    expect([exitCode, stdout.split('\n').map((line) => line.replaceAll(/[0-9a-f]{32}|\S*Z/gu, '*'))]).toEqual([
      0,
      ['1 * write * kept: tide.txt', '2 * undo of * * kept: tide.txt', ''],
    ]);
    expect((await surepatch('history', '--file', 'other.txt')).stdout).toBe('');
    expect(await surepatch('history', 'verify')).toEqual({
      exitCode: 0,
      stdout: 'The history is whole: 2 records.\n',
      stderr: '',
    });
  });

  test('an id that nobody knows is refused with 2', async () => {
    const { exitCode, stdout } = await surepatch('undo', 'f'.repeat(32));
    expect([exitCode, stdout]).toEqual([2, expect.stringMatching(/^Not undone \[WRITE_UNKNOWN\]/u)]);
  });

  test('a history that somebody edited is named by number, with exit code 1', async () => {
    await write();
    const [name = ''] = readdirSync(join(folder.path, 'state/surepatch/roots'));
    const path = join(folder.path, 'state/surepatch/roots', name, 'history.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"kept"', '"KEPT"'));
    expect(await surepatch('history', 'verify')).toEqual({
      exitCode: 1,
      stdout: 'Record 1: altered since Surepatch wrote it.\n',
      stderr: '',
    });
    expect(JSON.parse((await surepatch('history', '--json', 'verify')).stdout)).toEqual({
      whole: false,
      record_count: 0,
      problems: [{ kind: 'altered', from: 1, to: 1 }],
    });
  });
});
