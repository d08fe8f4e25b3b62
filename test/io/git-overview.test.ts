import { chmodSync, lutimesSync, mkdirSync, readdirSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lookAtFiles } from '../../src/io/look-at-files.ts';
import { GIT_PROGRAM, gitRepo, temporaryFolder, type GitRepo } from '../support/git-repo.ts';

let folder: ReturnType<typeof temporaryFolder>;
let repo: GitRepo;
beforeEach(() => {
  folder = temporaryFolder();
  repo = gitRepo(join(folder.path, 'repo'));
  repo.file('.gitignore', 'out/\n');
  repo.file('src/tide.py', 'low\n');
  repo.file('src/moon.py', 'full\n');
  repo.file('notes.md', 'sea\n');
  repo.commit();
});
afterEach(() => {
  folder.dispose();
});

const head = (): string => repo.git('rev-parse', 'HEAD').trim();
const look = (root = repo.path, env: Readonly<Record<string, string>> = { HOME: folder.path }) =>
  lookAtFiles(root, { gitProgram: GIT_PROGRAM, env, base: join(folder.path, 'scratch') });

const QUIET = {
  detached: false,
  operation: null,
  upstream: null,
  ahead: null,
  behind: null,
  staged_count: 0,
  modified_count: 0,
  untracked_count: 0,
  unmerged_count: 0,
  change_count: 0,
  changes: [],
};

test('what is staged, modified, deleted, untracked and ignored is told apart, and nothing is left behind', async () => {
  repo.file('src/tide.py', 'rising\n');
  repo.git('add', 'src/tide.py');
  repo.file('src/tide.py', 'high\n');
  unlinkSync(join(repo.path, 'notes.md'));
  repo.file('new file\nof two lines.ts', '1');
  repo.file('out/built.js', '1');
  const found = await look();
  expect({ ...found, paths: [...found.paths].sort(), left: readdirSync(join(folder.path, 'scratch')) }).toEqual({
    git: {
      ...QUIET,
      branch: 'main',
      head: head(),
      staged_count: 1,
      modified_count: 2,
      untracked_count: 1,
      change_count: 3,
      changes: [
        { path: 'notes.md', status: '.D' },
        { path: 'src/tide.py', status: 'MM' },
        { path: 'new file\nof two lines.ts', status: '??' },
      ],
    },
    paths: ['.gitignore', 'new file\nof two lines.ts', 'src/moon.py', 'src/tide.py'],
    notes: [],
    left: [],
  });
});

test('a root in a subfolder is told of what lies below it, with paths of its own', async () => {
  repo.file('src/tide.py', 'high\n');
  repo.file('notes.md', 'changed\n');
  const found = await look(join(repo.path, 'src'));
  expect({ changed: found.git?.changes, paths: [...found.paths].sort() }).toEqual({
    changed: [{ path: 'tide.py', status: '.M' }],
    paths: ['moon.py', 'tide.py'],
  });
});

test('more than 50 changed paths are counted and 50 of them shown', async () => {
  for (let number = 0; number < 60; number += 1) repo.file(`n${number}`, '1');
  const { git } = await look();
  expect([git?.change_count, git?.changes.length]).toEqual([60, 50]);
});

test('an edit of the same size within one tick of the index is seen', async () => {
  const file = join(repo.path, 'src/tide.py');
  const at = new Date(1_700_000_000_000);
  utimesSync(file, at, at);
  repo.git('add', 'src/tide.py');
  writeFileSync(file, 'LOW\n');
  utimesSync(file, at, at);
  lutimesSync(join(repo.path, '.git/index'), at, at);
  repo.git('config', 'core.trustctime', 'false');
  expect((await look()).git?.changes).toEqual([{ path: 'src/tide.py', status: '.M' }]);
});

describe('where HEAD is', () => {
  test('a branch without a commit has no head, and everything staged is new', async () => {
    const young = gitRepo(join(folder.path, 'young'));
    young.file('a', '1');
    young.git('add', 'a');
    expect(await look(young.path)).toEqual({
      git: {
        ...QUIET,
        branch: 'main',
        head: null,
        staged_count: 1,
        change_count: 1,
        changes: [{ path: 'a', status: 'A.' }],
      },
      paths: ['a'],
      notes: [],
    });
  });

  test('a repository without an index is one without files', async () => {
    const young = gitRepo(join(folder.path, 'young'));
    expect(await look(young.path)).toEqual({ git: { ...QUIET, branch: 'main', head: null }, paths: [], notes: [] });
  });

  test('a detached HEAD is said, in a linked worktree too', async () => {
    repo.git('worktree', 'add', '-q', '--detach', join(folder.path, 'linked'));
    writeFileSync(join(folder.path, 'linked/notes.md'), 'changed\n');
    const { git } = await look(join(folder.path, 'linked'));
    expect(git).toEqual({
      ...QUIET,
      branch: null,
      head: head(),
      detached: true,
      modified_count: 1,
      change_count: 1,
      changes: [{ path: 'notes.md', status: '.M' }],
    });
  });

  test('a merge that stopped is in progress, and its file is unmerged', async () => {
    repo.git('checkout', '-q', '-b', 'other');
    repo.file('notes.md', 'one\n');
    repo.commit();
    repo.git('checkout', '-q', 'main');
    repo.file('notes.md', 'two\n');
    repo.commit();
    expect(() => repo.git('merge', 'other')).toThrow();
    expect(await look()).toMatchObject({
      git: {
        operation: 'a merge',
        unmerged_count: 1,
        staged_count: 0,
        modified_count: 0,
        changes: [{ path: 'notes.md', status: 'UU' }],
      },
      paths: ['.gitignore', 'notes.md', 'src/moon.py', 'src/tide.py'],
    });
  });

  test('the distance to the upstream is counted both ways', async () => {
    repo.git('clone', '-q', repo.path, join(folder.path, 'clone'));
    const clone = gitRepo(join(folder.path, 'clone'), false);
    clone.file('a', '1');
    clone.commit();
    clone.file('b', '1');
    clone.commit();
    repo.file('c', '1');
    repo.commit();
    clone.git('fetch', '-q');
    expect((await look(clone.path)).git).toMatchObject({ upstream: 'origin/main', ahead: 2, behind: 1 });
  });
});

describe('the settings of the user', () => {
  test('core.fileMode, core.autocrlf and the global list of what is ignored hold as in git status', async () => {
    writeFileSync(join(folder.path, 'ignored'), '*.swp\n');
    repo.git('config', 'core.excludesFile', join(folder.path, 'ignored'));
    repo.git('config', 'core.autocrlf', 'true');
    repo.file('a.swp', '1');
    repo.git('config', 'core.fileMode', 'false');
    const file = repo.file('sea.md', 'sea\r\n');
    repo.commit();
    chmodSync(file, 0o755);
    utimesSync(file, 1, 1);
    expect((await look()).git).toMatchObject({ change_count: 0 });
  });

  test('the standard global list of what is ignored holds as well', async () => {
    mkdirSync(join(folder.path, '.config/git'), { recursive: true });
    writeFileSync(join(folder.path, '.config/git/ignore'), '*.swp\n');
    repo.file('a.swp', '1');
    expect((await look()).git).toMatchObject({ change_count: 0 });
  });

  test('a filter is named and not run', async () => {
    repo.git('config', 'filter.loud.clean', `touch ${join(folder.path, 'ran')}; cat`);
    repo.file('.gitattributes', '* filter=loud\n');
    const { notes } = await look();
    expect({ notes, ran: readdirSync(folder.path).includes('ran') }).toEqual({
      notes: [
        'Filters of git are not run for this answer (loud): a file that only its filter makes equal may be counted as modified.',
      ],
      ran: false,
    });
  });
});

describe('without an answer of git', () => {
  test('a plain folder is walked, without what suites write', async () => {
    const plain = gitRepo(join(folder.path, 'plain'), false);
    plain.file('a.py', '1');
    plain.file('node_modules/x.js', '1');
    expect(await look(plain.path)).toEqual({ git: null, paths: ['a.py'], notes: [] });
  });

  test('a worktree that is elsewhere is said', async () => {
    mkdirSync(join(folder.path, 'elsewhere'));
    repo.git('config', 'core.worktree', join(folder.path, 'elsewhere'));
    const { git, notes } = await look();
    expect([git, notes]).toEqual([null, [expect.stringMatching(/^(?:git does not work here|The worktree of this)/u)]]);
  });

  test('a machine without git is said', async () => {
    const settings = { gitProgram: null, env: {}, base: join(folder.path, 'scratch') };
    expect(await lookAtFiles(repo.path, settings)).toMatchObject({
      git: null,
      notes: ['There is a repository, and git was not found.'],
    });
  });
});
