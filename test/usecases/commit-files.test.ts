import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { bystanders, commitGround, type CommitGround } from '../support/commit-ground.ts';
import { gitRepo } from '../support/git-repo.ts';
import type { TestProductOptions } from '../support/product.ts';

const open: CommitGround[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.dispose();
});

function ground(options: TestProductOptions & { readonly identity?: boolean } = {}): CommitGround {
  const made = commitGround(options);
  open.push(made);
  return made;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const VARYING = ['commit', 'parent', 'output', 'output_uri', 'revision'];

/** What a test can know beforehand. */
function known(report: Awaited<ReturnType<CommitGround['commit']>>) {
  const kept = Object.entries(report).filter(([name]) => !VARYING.includes(name));
  return { ...Object.fromEntries(kept), files: report.files.map(({ path, change }) => `${change} ${path}`) };
}

const DONE = { success: true, branch: 'main', error: null, notes: [] };

describe('what is committed', () => {
  test('the named file, and nothing that is staged, unstaged, untracked, stashed, ignored or intended beside it', async () => {
    const it = ground();
    const { repo, commit, head } = it;
    repo.file('moon.txt', 'stashed\n');
    repo.git('stash');
    repo.file('.gitignore', '*.log\n');
    repo.git('add', '.gitignore');
    repo.git('commit', '-q', '-m', 'ignore');
    repo.file('moon.txt', 'staged\n');
    repo.git('add', 'moon.txt');
    repo.file('moon.txt', 'staged, then edited\n');
    repo.file('wind.txt', 'unstaged\n');
    repo.file('new.txt', 'staged new\n');
    repo.git('add', 'new.txt');
    repo.file('intended.txt', 'intended\n');
    repo.git('add', '-N', 'intended.txt');
    chmodSync(repo.file('untracked.sh', 'untracked\n'), 0o750);
    repo.file('quiet.log', 'ignored\n');
    repo.file('tide.txt', 'rising\n');
    const others = ['moon.txt', 'wind.txt', 'new.txt', 'intended.txt', 'untracked.sh', 'quiet.log', '.gitignore'];
    const before = bystanders(it, others);
    const parent = repo.git('rev-parse', 'HEAD').trim();
    const report = await commit({ message: 'raise the tide', files: ['tide.txt'] });
    expect(report).toEqual({
      ...DONE,
      commit: repo.git('rev-parse', 'HEAD').trim(),
      parent,
      files: [
        { path: 'tide.txt', change: 'modified', blob: repo.git('hash-object', 'tide.txt').trim(), mode: '100644' },
      ],
      output: expect.stringContaining('raise the tide') as string,
      output_uri: expect.stringMatching(/^surepatch:\/\/output\/[0-9a-f]{32}$/u) as string,
      revision: { epoch: expect.any(String) as string, revision: 1 },
    });
    expect(head()).toEqual({ message: 'raise the tide', changes: 'M\ttide.txt' });
    expect(bystanders(it, others)).toEqual(before);
  });

  test('a new file, a deleted one, a link and a change of mode, each named', async () => {
    const { repo, root, commit, head } = ground();
    repo.file('new/deep.txt', 'new\n');
    rmSync(join(root, 'moon.txt'));
    symlinkSync('tide.txt', join(root, 'link'));
    chmodSync(join(root, 'wind.txt'), 0o755);
    const report = await commit({ files: ['new/deep.txt', 'moon.txt', 'link', 'wind.txt'] });
    expect(known(report)).toEqual({
      ...DONE,
      files: ['added link', 'deleted moon.txt', 'added new/deep.txt', 'modified wind.txt'],
    });
    expect(head().changes).toBe('A\tlink\nD\tmoon.txt\nA\tnew/deep.txt\nM\twind.txt');
    expect(repo.git('status', '--short')).toBe('');
  });

  test.each([
    '-leading.txt',
    ':(top)x',
    ':!tide.txt',
    '*',
    'two\nlines',
    'é中.txt',
    'e\u0301.txt',
    ' blank ',
    '%2e',
    '"quoted"',
    "it's $HOME",
  ])('a file named %j, and no other', async (name) => {
    const { repo, commit } = ground();
    repo.file(name, 'odd\n');
    repo.file('tide.txt', 'changed\n');
    const report = await commit({ files: [name] });
    expect(known(report)).toEqual({ ...DONE, files: [`added ${name}`] });
    expect(repo.git('status', '--short')).toBe(' M tide.txt\n');
  });

  test.each([
    ['begins with a dash', '--amend'],
    ['begins with #', '# not a comment\n\n# nor this'],
    ['has many lines', 'one\n\ntwo\nthree'],
    ['has 100 KB', 'x'.repeat(100 * 1024)],
    ['is not ASCII', 'Ebbe und Flut — 潮'],
  ])('a message that %s, as it is', async (_, message) => {
    const { repo, commit, head } = ground();
    repo.file('tide.txt', 'changed\n');
    await commit({ message, files: ['tide.txt'] });
    expect(head()).toEqual({ message, changes: 'M\ttide.txt' });
  });

  test('what is on disk where something else was staged of the file, whose staged blob is named', async () => {
    const { repo, commit } = ground();
    repo.file('tide.txt', 'staged\n');
    repo.git('add', 'tide.txt');
    const staged = repo.git('rev-parse', ':tide.txt').trim();
    repo.file('tide.txt', 'on disk\n');
    const report = await commit({ files: ['tide.txt'] });
    expect(known(report)).toEqual({
      ...DONE,
      files: ['modified tide.txt'],
      notes: [`What was staged of tide.txt is not what is on disk; git cat-file -p ${staged} shows it.`],
    });
    expect([repo.git('show', 'HEAD:tide.txt'), repo.git('cat-file', '-p', staged)]).toEqual(['on disk\n', 'staged\n']);
  });
});

describe('where it is committed', () => {
  test('on an unborn branch, with somebody else’s file staged', async () => {
    const { repo, commit } = ground({ git: false });
    repo.git('init', '-q', '-b', 'main');
    repo.file('staged.txt', 'staged\n');
    repo.git('add', 'staged.txt');
    repo.file('tide.txt', 'first\n');
    const report = await commit({ files: ['tide.txt'] });
    expect([known(report), report.parent]).toEqual([{ ...DONE, files: ['added tide.txt'] }, null]);
    expect(repo.git('status', '--short')).toBe('A  staged.txt\n');
  });

  test('in a linked worktree, on its own branch', async () => {
    const { repo, root, commit } = ground({ settings: { roots: [] } });
    const linked = join(root, '..', 'linked');
    repo.git('worktree', 'add', '-q', '-b', 'side', linked);
    const side = gitRepo(linked, false);
    side.file('tide.txt', 'side\n');
    repo.file('tide.txt', 'main\n');
    const report = await commit({ repoRoot: linked, files: ['tide.txt'] });
    expect(known(report)).toEqual({ ...DONE, branch: 'side', files: ['modified tide.txt'] });
    expect([repo.git('log', '--format=%s', 'main'), repo.git('status', '--short')]).toEqual([
      'start\n',
      ' M tide.txt\n',
    ]);
  });

  test('in a subfolder of a larger repository, whose paths start at the root of the call', async () => {
    const { repo, root, commit, head } = ground();
    repo.file('harbour/tide.txt', 'low\n');
    repo.file('tide.txt', 'changed\n');
    const report = await commit({ repoRoot: join(root, 'harbour'), files: ['tide.txt'] });
    expect(known(report)).toEqual({ ...DONE, files: ['added tide.txt'] });
    expect([head().changes, repo.git('status', '--short')]).toEqual(['A\tharbour/tide.txt', ' M tide.txt\n']);
  });

  test('in a submodule, which is said, and never through the repository around it', async () => {
    const { repo, root, commit } = ground();
    const inner = gitRepo(join(root, '..', 'inner'));
    inner.file('quay.txt', 'quay\n');
    inner.commit();
    repo.git('submodule', '--quiet', 'add', inner.path, 'quay');
    repo.commit('with a submodule');
    repo.file('quay/quay.txt', 'changed\n');
    const outside = await commit({ files: ['quay/quay.txt'] });
    expect([outside.error_code, outside.error]).toEqual([
      'NESTED_REPOSITORY',
      'quay/quay.txt lies in another repository inside this one, such as a submodule.',
    ]);
    const report = await commit({ repoRoot: join(root, 'quay'), files: ['quay.txt'] });
    expect(known(report)).toEqual({
      ...DONE,
      files: ['modified quay.txt'],
      notes: ['The root is in a submodule: the repository around it still names the earlier commit.'],
    });
  });

  test('never through a .git that leads to a repository which does not know this worktree, until it does', async () => {
    const { repo, root, commit } = ground({ settings: { roots: [] } });
    const elsewhere = join(root, '..', 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, '.git'), `gitdir: ${join(root, '.git')}\n`);
    writeFileSync(join(elsewhere, 'tide.txt'), 'elsewhere\n');
    const before = repo.git('rev-parse', 'HEAD');
    const refused = await commit({ repoRoot: elsewhere, files: ['tide.txt'] });
    expect([refused.error_code, repo.git('rev-parse', 'HEAD')]).toEqual(['NOT_A_REPOSITORY', before]);
    repo.git('config', 'core.worktree', elsewhere);
    expect(known(await commit({ repoRoot: elsewhere, files: ['tide.txt'] }))).toMatchObject({ success: true });
  });

  test('on a detached HEAD only when that is allowed', async () => {
    const { repo, commit } = ground();
    repo.git('checkout', '-q', '--detach');
    repo.file('tide.txt', 'changed\n');
    expect((await commit({ files: ['tide.txt'] })).error_code).toBe('DETACHED_HEAD');
    const report = await commit({ files: ['tide.txt'], allowDetached: true });
    expect(known(report)).toEqual({ ...DONE, branch: null, files: ['modified tide.txt'] });
  });
});

describe('bytes', () => {
  test('that are those expected are committed, and any others are refused with both digests', async () => {
    const { repo, commit, head } = ground();
    repo.file('tide.txt', 'rising\n');
    const refused = await commit({ files: ['tide.txt'], expected: [{ path: './tide.txt', sha256: sha256('low\n') }] });
    expect(refused).toMatchObject({
      success: false,
      commit: null,
      error_code: 'BYTES_DIFFER',
      differences: [
        {
          path: 'tide.txt',
          sha256_expected: sha256('low\n'),
          sha256_found: sha256('rising\n'),
          expected_by: 'caller',
        },
      ],
    });
    const expected = [{ path: 'tide.txt', sha256: sha256('rising\n').toUpperCase() }];
    await commit({ files: ['tide.txt'], expected });
    expect(head().changes).toBe('M\ttide.txt');
  });

  test('that git stores converted are committed, and that is said', async () => {
    const { repo, commit } = ground();
    repo.file('.gitattributes', '*.txt text eol=crlf\n');
    repo.commit('attributes');
    repo.file('tide.txt', 'rising\r\n');
    const report = await commit({
      files: ['tide.txt'],
      expected: [{ path: 'tide.txt', sha256: sha256('rising\r\n') }],
    });
    expect(known(report)).toEqual({
      ...DONE,
      files: ['modified tide.txt'],
      notes: ['git stores tide.txt converted by text, eol=crlf: digests are of the bytes on disk, the blob is not.'],
    });
    expect(repo.git('show', 'HEAD:tide.txt')).toBe('rising\n');
  });

  test('that a filter or core.autocrlf converts are said as well', async () => {
    const { repo, commit } = ground();
    repo.git('config', 'filter.loud.clean', 'tr a-z A-Z');
    repo.git('config', 'core.autocrlf', 'input');
    repo.file('.gitattributes', 'moon.txt filter=loud\n');
    repo.commit('attributes');
    repo.file('moon.txt', 'full\n');
    repo.file('tide.txt', 'rising\r\n');
    const report = await commit({ files: ['moon.txt', 'tide.txt'] });
    expect(report.notes).toEqual([
      'git stores moon.txt converted by filter=loud: digests are of the bytes on disk, the blob is not.',
      'git stores tide.txt converted by its settings (core.autocrlf): digests are of the bytes on disk, the blob is not.',
    ]);
    expect([repo.git('show', 'HEAD:moon.txt'), repo.git('show', 'HEAD:tide.txt')]).toEqual(['FULL\n', 'rising\n']);
  });
});

describe('refused, with nothing committed and nothing changed', () => {
  const conflicting = ({ repo }: CommitGround): void => {
    repo.git('checkout', '-q', '-b', 'side');
    repo.file('moon.txt', 'side\n');
    repo.commit('side');
    repo.git('checkout', '-q', 'main');
    repo.file('moon.txt', 'main\n');
    repo.commit('main');
  };
  const attempt = ({ repo }: CommitGround, ...args: string[]): void => {
    expect(() => repo.git(...args)).toThrow();
  };
  test.each<[string, string, (it: CommitGround) => void]>([
    [
      'unmerged paths',
      'UNMERGED_PATHS',
      (it) => {
        conflicting(it);
        attempt(it, 'merge', 'side');
      },
    ],
    [
      'a merge whose conflicts are resolved',
      'OPERATION_IN_PROGRESS',
      (it) => {
        conflicting(it);
        attempt(it, 'merge', 'side');
        it.repo.git('add', 'moon.txt');
      },
    ],
    [
      'a rebase',
      'OPERATION_IN_PROGRESS',
      (it) => {
        conflicting(it);
        attempt(it, 'rebase', 'side');
        it.repo.git('add', 'moon.txt');
      },
    ],
    [
      'a cherry-pick',
      'OPERATION_IN_PROGRESS',
      (it) => {
        conflicting(it);
        attempt(it, 'cherry-pick', 'side');
        it.repo.git('add', 'moon.txt');
      },
    ],
    [
      'a revert',
      'OPERATION_IN_PROGRESS',
      (it) => {
        conflicting(it);
        it.repo.git('revert', '--no-commit', 'HEAD');
      },
    ],
    [
      'a bisect',
      'OPERATION_IN_PROGRESS',
      (it) => {
        conflicting(it);
        it.repo.git('bisect', 'start');
      },
    ],
  ])('%s', async (_, code, prepare) => {
    const it = ground();
    prepare(it);
    it.repo.file('tide.txt', 'changed\n');
    const before = [
      it.repo.git('rev-parse', 'HEAD'),
      it.repo.git('status', '--porcelain'),
      it.repo.git('ls-files', '-s'),
    ];
    const report = await it.commit({ files: ['tide.txt'], allowDetached: true });
    expect([report.success, report.error_code, report.commit]).toEqual([false, code, null]);
    expect([
      it.repo.git('rev-parse', 'HEAD'),
      it.repo.git('status', '--porcelain'),
      it.repo.git('ls-files', '-s'),
    ]).toEqual(before);
  });

  test.each<[string, string, Parameters<CommitGround['commit']>[0]]>([
    ['files that HEAD holds already', 'NOTHING_TO_COMMIT', { files: ['moon.txt'] }],
    ['no file of ours', 'NOTHING_TO_COMMIT', {}],
    ['an empty list', 'INPUT_INVALID', { files: [] }],
    ['an empty message', 'INPUT_INVALID', { message: ' \n', files: ['tide.txt'] }],
    ['a message with a NUL', 'INPUT_INVALID', { message: 'a\0b', files: ['tide.txt'] }],
    ['a file that never was', 'FILE_NOT_FOUND', { files: ['tide.txt', 'nowhere.txt'] }],
    ['a folder', 'NOT_A_FILE', { files: ['harbour'] }],
    ['the whole repository', 'NOT_A_FILE', { files: ['.'] }],
    ['a path out of the root', 'BAD_PATH', { files: ['../tide.txt'] }],
    ['an absolute path', 'BAD_PATH', { files: ['/etc/passwd'] }],
    ['a path with a NUL', 'BAD_PATH', { files: ['a\0b'] }],
    ['git’s own file', 'PATH_PROTECTED', { files: ['.git/config'] }],
    ['a backup of ours', 'PATH_PROTECTED', { files: ['tide.txt.reforge-bak'] }],
    ['an ignored file', 'PATH_IGNORED', { files: ['harbour/quiet.log'] }],
    ['a file behind a link', 'NOT_A_FILE', { files: ['alias/pier.txt'] }],
    [
      'an expectation of another file',
      'INPUT_INVALID',
      { files: ['tide.txt'], expected: [{ path: 'x', sha256: null }] },
    ],
  ])('%s', async (_, code, request) => {
    const { repo, root, commit } = ground();
    repo.file('.gitignore', '*.log\n');
    repo.file('harbour/pier.txt', 'pier\n');
    repo.commit('harbour');
    repo.file('harbour/quiet.log', 'ignored\n');
    symlinkSync('harbour', join(root, 'alias'));
    repo.file('tide.txt', 'changed\n');
    const before = [repo.git('rev-parse', 'HEAD'), repo.git('ls-files', '-s')];
    const report = await commit(request);
    expect([report.success, report.error_code, report.commit]).toEqual([false, code, null]);
    expect([repo.git('rev-parse', 'HEAD'), repo.git('ls-files', '-s')]).toEqual(before);
  });

  test('a file that a sparse checkout leaves out, which would count as deleted', async () => {
    const { repo, commit } = ground();
    repo.file('far/away.txt', 'away\n');
    repo.file('near/by.txt', 'by\n');
    repo.commit('folders');
    repo.git('sparse-checkout', 'set', '--cone', 'near');
    expect((await commit({ files: ['far/away.txt'] })).error_code).toBe('PATH_SPARSE');
    repo.file('near/by.txt', 'changed\n');
    expect(known(await commit({ files: ['near/by.txt'] }))).toEqual({ ...DONE, files: ['modified near/by.txt'] });
    expect(repo.git('ls-tree', '-r', '--name-only', 'HEAD')).toContain('far/away.txt');
  });

  test('a new file outside a sparse checkout, in git’s own words', async () => {
    const { repo, commit } = ground();
    repo.file('near/by.txt', 'by\n');
    repo.commit('folders');
    repo.git('sparse-checkout', 'set', '--cone', 'near');
    repo.file('far/new.txt', 'new\n');
    const report = await commit({ files: ['far/new.txt'] });
    expect([report.error_code, repo.git('ls-files')]).toEqual([
      'COMMIT_REFUSED',
      repo.git('ls-tree', '-r', '--name-only', 'HEAD'),
    ]);
    expect(report.error).toContain('outside of your sparse-checkout');
  });

  test('a file that is marked as assumed unchanged', async () => {
    const { repo, commit } = ground();
    repo.git('update-index', '--assume-unchanged', 'tide.txt');
    repo.file('tide.txt', 'changed\n');
    expect((await commit({ files: ['tide.txt'] })).error_code).toBe('PATH_SPARSE');
  });

  test('a folder without git', async () => {
    const { repo, commit } = ground({ git: false });
    repo.file('tide.txt', 'low\n');
    expect((await commit({ files: ['tide.txt'] })).error_code).toBe('NOT_A_REPOSITORY');
  });

  test('a commit by nobody, in git’s own words, and a new file stays untracked', async () => {
    const { repo, commit } = ground({ identity: false });
    repo.git('config', 'user.useConfigOnly', 'true');
    repo.file('new.txt', 'new\n');
    const report = await commit({ files: ['new.txt'] });
    expect(report.error_code).toBe('IDENTITY_MISSING');
    expect(report.error).toContain('Please tell me who you are');
    expect(repo.git('status', '--short')).toBe('?? new.txt\n');
  });

  test('while an index.lock is there, which is named with its age and left alone', async () => {
    const { repo, root, commit } = ground();
    repo.file('tide.txt', 'changed\n');
    const lock = repo.file('.git/index.lock', '');
    const report = await commit({ files: ['tide.txt'] });
    expect(report.error_code).toBe('INDEX_LOCKED');
    expect(report.error).toMatch(/\/\.git\/index\.lock has been there for \d+ s/u);
    expect(existsSync(lock)).toBe(true);
    setTimeout(() => {
      rmSync(join(root, '.git/index.lock'));
    }, 300);
    expect(known(await commit({ files: ['tide.txt'] }))).toEqual({ ...DONE, files: ['modified tide.txt'] });
  });

  test('a call that is cancelled before the commit', async () => {
    const { repo, commit } = ground();
    repo.file('tide.txt', 'changed\n');
    expect((await commit({ files: ['tide.txt'] }, { signal: AbortSignal.abort() })).error_code).toBe('CANCELLED');
  });
});
