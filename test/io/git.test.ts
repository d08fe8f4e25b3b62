import { execFileSync } from 'node:child_process';
import {
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGit } from '../../src/io/git.ts';
import type { GitFileReport } from '../../src/io/git.ts';
import { GIT_PROGRAM, gitRepo, temporaryFolder } from '../support/git-repo.ts';
import type { GitRepo } from '../support/git-repo.ts';

const git = createGit({ gitProgram: GIT_PROGRAM, env: { HOME: '/nonexistent' } });
const HELLO_ID = 'ce013625030ba8dba906f756967f9e9ca394464a';
const CLEAN: GitFileReport = { state: 'clean', blob: HELLO_ID };
const MODIFIED: GitFileReport = { state: 'modified', blob: null };
const UNTRACKED: GitFileReport = { state: 'untracked', blob: null };

let folder: ReturnType<typeof temporaryFolder>;
let repo: GitRepo;

beforeEach(() => {
  folder = temporaryFolder();
  repo = gitRepo(join(folder.path, 'project'));
  repo.file('hello.txt', 'hello\n');
  repo.commit();
});
afterEach(() => {
  folder.dispose();
});

function inspect(root: string, relativePath: string, bytes?: Uint8Array): Promise<GitFileReport> {
  return git.inspectFile({ root, relativePath, bytes: bytes ?? readFileSync(join(root, relativePath)) });
}

describe('the state of one file', () => {
  const states: readonly (readonly [string, (repo: GitRepo) => void, GitFileReport])[] = [
    ['a committed file is clean', () => undefined, CLEAN],
    ['an edited file is modified', (r) => r.file('hello.txt', 'hallo\n'), MODIFIED],
    ['an edit that keeps the size and the time is modified', (r) => r.file('hello.txt', 'HELLO\n'), MODIFIED],
    [
      'a staged edit is modified although the index holds the bytes',
      (r) => {
        r.file('hello.txt', 'hallo\n');
        r.git('add', '-A');
      },
      MODIFIED,
    ],
    [
      'bytes that only HEAD holds are modified',
      (r) => {
        r.file('hello.txt', 'hallo\n');
        r.git('add', '-A');
        r.file('hello.txt', 'hello\n');
      },
      MODIFIED,
    ],
    ['a file taken out of the index is untracked', (r) => r.git('rm', '-q', '--cached', 'hello.txt'), UNTRACKED],
    [
      'an edit under assume-unchanged is modified',
      (r) => {
        r.git('update-index', '--assume-unchanged', 'hello.txt');
        r.file('hello.txt', 'hallo\n');
      },
      MODIFIED,
    ],
    [
      'an edit under skip-worktree is modified',
      (r) => {
        r.git('update-index', '--skip-worktree', 'hello.txt');
        r.file('hello.txt', 'hallo\n');
      },
      MODIFIED,
    ],
    [
      'a file in conflict is modified',
      (r) => {
        r.git('checkout', '-q', '-b', 'other');
        r.file('hello.txt', 'one\n');
        r.commit();
        r.git('checkout', '-q', 'main');
        r.file('hello.txt', 'two\n');
        r.commit();
        expect(() => r.git('merge', 'other')).toThrow();
      },
      MODIFIED,
    ],
    ['a clean file is clean on a detached HEAD', (r) => r.git('checkout', '-q', '--detach'), CLEAN],
    [
      'a replace ref does not hide what HEAD really holds',
      (r) => {
        r.file('other.txt', 'hallo\n');
        r.git('replace', HELLO_ID, r.git('hash-object', '-w', 'other.txt').trim());
      },
      CLEAN,
    ],
    [
      'a file checked out through autocrlf is modified, for git does not hold its bytes',
      (r) => {
        r.git('config', 'core.autocrlf', 'true');
        unlinkSync(join(r.path, 'hello.txt'));
        r.git('checkout', 'hello.txt');
        expect(readFileSync(join(r.path, 'hello.txt'), 'utf8')).toBe('hello\r\n');
      },
      MODIFIED,
    ],
    [
      'a file in a sparse index is clean',
      (r) => {
        r.file('deep/er/x.txt', 'x\n');
        r.file('near/y.txt', 'y\n');
        r.commit();
        r.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'near');
      },
      CLEAN,
    ],
    ['a split index is read', (r) => r.git('update-index', '--split-index'), CLEAN],
    [
      'an object that the store has lost is never clean',
      (r) => {
        unlinkSync(join(r.path, '.git/objects', HELLO_ID.slice(0, 2), HELLO_ID.slice(2)));
      },
      UNTRACKED,
    ],
  ];
  it.each(states)('%s', async (_name, arrange, expected) => {
    arrange(repo);
    expect(await inspect(repo.path, 'hello.txt')).toEqual(expected);
  });

  it('a new file is untracked, ignored or not', async () => {
    repo.file('.gitignore', 'ignored.log\n');
    repo.file('new.txt', 'hello\n');
    repo.file('ignored.log', 'hello\n');
    expect([await inspect(repo.path, 'new.txt'), await inspect(repo.path, 'ignored.log')]).toEqual([
      UNTRACKED,
      UNTRACKED,
    ]);
  });

  it('a file staged before the first commit is modified, and an unstaged one untracked', async () => {
    const unborn = gitRepo(join(folder.path, 'unborn'));
    unborn.file('hello.txt', 'hello\n');
    unborn.file('new.txt', 'hello\n');
    unborn.git('add', 'hello.txt');
    expect([await inspect(unborn.path, 'hello.txt'), await inspect(unborn.path, 'new.txt')]).toEqual([
      MODIFIED,
      UNTRACKED,
    ]);
  });

  it('a SHA-256 repository is understood', async () => {
    const sha256 = gitRepo(join(folder.path, 'sha256'), ['--object-format=sha256']);
    sha256.file('hello.txt', 'hello\n');
    sha256.commit();
    const blob = sha256.git('rev-parse', 'HEAD:hello.txt').trim();
    expect(blob).toHaveLength(64);
    expect(await inspect(sha256.path, 'hello.txt')).toEqual({ state: 'clean', blob });
    expect(await git.readBlob(sha256.path, blob, 'hello.txt')).toEqual(Buffer.from('hello\n'));
  });
});

describe('the place of the repository', () => {
  it('a root that is a folder of a larger repository is asked for its own files', async () => {
    repo.file('packages/app/hello.txt', 'hello\n');
    repo.file('hello.txt', 'changed\n');
    repo.commit();
    expect(await inspect(join(repo.path, 'packages/app'), 'hello.txt')).toEqual(CLEAN);
  });

  it('a linked worktree is asked for its own branch', async () => {
    repo.git('worktree', 'add', '-q', '-b', 'side', '../side');
    repo.file('hello.txt', 'changed\n');
    repo.commit();
    expect(await inspect(join(folder.path, 'side'), 'hello.txt')).toEqual(CLEAN);
  });

  it('a file of a submodule or of a nested repository belongs to that repository', async () => {
    repo.git('submodule', '--quiet', 'add', repo.path, 'module');
    const nested = gitRepo(join(repo.path, 'vendor/nested'));
    nested.file('hello.txt', 'hello\n');
    nested.commit();
    expect(await inspect(repo.path, 'module/hello.txt')).toEqual(CLEAN);
    expect(await inspect(repo.path, 'vendor/nested/hello.txt')).toEqual(CLEAN);
    expect(await git.readBlob(repo.path, HELLO_ID, 'vendor/nested/hello.txt')).toEqual(Buffer.from('hello\n'));
  });

  it('a folder without .git above it is no_repo without a note', async () => {
    writeFileSync(join(folder.path, 'hello.txt'), 'hello\n');
    expect(await inspect(folder.path, 'hello.txt')).toEqual({ state: 'no_repo', blob: null });
  });

  const refusals: readonly (readonly [string, (repo: GitRepo) => string, string])[] = [
    [
      'core.worktree that points elsewhere',
      (r) => {
        mkdirSync(join(folder.path, 'elsewhere'));
        r.git('config', 'core.worktree', join(folder.path, 'elsewhere'));
        return 'hello.txt';
      },
      'the repository nearby has its worktree elsewhere (core.worktree or a bare repository)',
    ],
    [
      'a bare repository embedded in a subfolder',
      (r) => {
        gitRepo(join(r.path, 'bare.git'), ['--bare']);
        return 'bare.git/config';
      },
      'the folder looks like a bare repository, which git does not trust inside another project',
    ],
    [
      'a .git file that leads nowhere',
      (r) => {
        renameSync(join(r.path, '.git'), join(folder.path, 'kept'));
        r.file('.git', 'gitdir: ../nowhere\n');
        return 'hello.txt';
      },
      'there is a .git nearby that git does not accept as a repository',
    ],
    [
      'an index that is damaged',
      (r) => {
        r.file('.git/index', 'DIRC damaged in every way');
        return 'hello.txt';
      },
      'git could not answer: ',
    ],
  ];
  it.each(refusals)('%s is no_repo and says why', async (_name, arrange, note) => {
    const file = arrange(repo);
    const report = await inspect(repo.path, file);
    expect(report).toEqual({ state: 'no_repo', blob: null, note: expect.stringContaining(note) as string });
  });

  it.skipIf(process.getuid?.() !== 0)('a repository of another user is no_repo unless the user trusts it', async () => {
    chownSync(repo.path, 12345, 12345);
    chownSync(join(repo.path, '.git'), 12345, 12345);
    expect(await inspect(repo.path, 'hello.txt')).toEqual({
      state: 'no_repo',
      blob: null,
      note: expect.stringContaining('safe.directory') as string,
    });
    writeFileSync(join(folder.path, '.gitconfig'), `[safe]\n\tdirectory = ${repo.path}\n`);
    const trusting = createGit({ gitProgram: GIT_PROGRAM, env: { HOME: folder.path } });
    const bytes = readFileSync(join(repo.path, 'hello.txt'));
    expect(await trusting.inspectFile({ root: repo.path, relativePath: 'hello.txt', bytes })).toEqual(CLEAN);
  });

  it('without git a repository is no_repo with a note, and nothing is read back', async () => {
    const none = createGit({ gitProgram: null, env: {} });
    expect(
      await none.inspectFile({ root: repo.path, relativePath: 'hello.txt', bytes: Buffer.from('hello\n') }),
    ).toEqual({
      state: 'no_repo',
      blob: null,
      note: 'git was not found, so a backup is kept instead of relying on the repository',
    });
    expect(await none.readBlob(repo.path, HELLO_ID, 'hello.txt')).toBeNull();
  });

  it.skipIf(process.platform === 'win32')(
    'a FIFO in place of the configuration ends in no_repo instead of a hang',
    async () => {
      rmSync(join(repo.path, '.git/config'));
      execFileSync('sh', ['-c', 'mkfifo "$0"', join(repo.path, '.git/config')]);
      expect(await inspect(repo.path, 'hello.txt')).toMatchObject({
        state: 'no_repo',
        note: 'git did not answer in time',
      });
    },
  );
});

describe('names', () => {
  const names = [
    '-rf',
    ':(top)hello.txt',
    'a b',
    'ta\tb',
    'line\nfeed',
    'carriage\r',
    'q"uote',
    'ünïcode',
    '*',
    'back\\slash',
    'HEAD missing',
  ];
  it.skipIf(process.platform === 'win32').each(names)('%j is told apart from every other name', async (name) => {
    repo.file(name, 'hello\n');
    expect(await inspect(repo.path, name)).toEqual(UNTRACKED);
    repo.git('add', '--', `./${name}`.replace(/[*\\]/g, '\\$&'));
    repo.git('commit', '-q', '-m', 'name');
    expect(await inspect(repo.path, name)).toEqual(CLEAN);
  });

  it('a name that no bytes stand for is not guessed at', async () => {
    const report = await inspect(repo.path, 'half \ud800', Buffer.from('hello\n'));
    expect(report).toMatchObject({
      state: 'no_repo',
      note: 'the name of the file is not valid Unicode, so git was not asked',
    });
  });
});

describe('reading a blob back', () => {
  it('gives the bytes that the id names', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => at % 256));
    repo.file('binary.dat', bytes);
    repo.commit();
    const { blob } = await inspect(repo.path, 'binary.dat');
    expect(blob === null ? null : await git.readBlob(repo.path, blob, 'binary.dat')).toEqual(bytes);
  });

  it('gives null for an object that is gone, of another kind, or replaced', async () => {
    const tree = repo.git('rev-parse', 'HEAD^{tree}').trim();
    repo.git('replace', HELLO_ID, repo.git('hash-object', '-w', '.git/HEAD').trim());
    expect(await git.readBlob(repo.path, 'f'.repeat(40), 'hello.txt')).toBeNull();
    expect(await git.readBlob(repo.path, tree, 'hello.txt')).toBeNull();
    expect(await git.readBlob(repo.path, 'HEAD:hello.txt', 'hello.txt')).toBeNull();
    expect(await git.readBlob(repo.path, HELLO_ID, 'hello.txt')).toEqual(Buffer.from('hello\n'));
  });

  it('gives the empty file back as empty bytes', async () => {
    repo.file('empty.txt', '');
    repo.commit();
    const { blob } = await inspect(repo.path, 'empty.txt');
    expect(blob === null ? null : await git.readBlob(repo.path, blob, 'empty.txt')).toEqual(Buffer.alloc(0));
  });
});

describe('what is left behind', () => {
  it('a hundred questions change no byte of the repository', async () => {
    const before = execFileSync('sh', ['-c', 'find . -type f -exec sha256sum {} + | sort'], {
      cwd: repo.path,
      encoding: 'utf8',
    });
    symlinkSync('hello.txt', join(folder.path, 'link'));
    for (let turn = 0; turn < 20; turn += 1)
      await Promise.all([1, 2, 3, 4, 5].map(() => inspect(repo.path, 'hello.txt')));
    const after = execFileSync('sh', ['-c', 'find . -type f -exec sha256sum {} + | sort'], {
      cwd: repo.path,
      encoding: 'utf8',
    });
    expect(after).toBe(before);
  });
});
