import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changedAfter, changedSince, treeDigest, type TreeDigest } from '../../src/io/tree-digest.ts';
import { GIT_PROGRAM, gitRepo, temporaryFolder, type GitRepo } from '../support/git-repo.ts';

let folder: ReturnType<typeof temporaryFolder>;
let repo: GitRepo;

beforeEach(() => {
  folder = temporaryFolder();
  repo = gitRepo(join(folder.path, 'proj\u00e9ct'));
  repo.file('.gitignore', 'dist\n');
  repo.file('src/app.py', 'one\n');
  repo.file('src/\u00fcber.py', 'two\n');
  repo.commit();
});
afterEach(() => {
  folder.dispose();
});

const look = (root = repo.path, gitProgram: string | null = GIT_PROGRAM): Promise<TreeDigest> =>
  treeDigest(root, { gitProgram, env: {}, base: join(folder.path, 'scratch') });

async function movedBy(change: () => void): Promise<readonly string[]> {
  const before = await look();
  change();
  const after = await look();
  const moved = changedSince(before, after);
  expect(before.digest === after.digest).toBe(moved.length === 0);
  return moved;
}

describe('what changed after a time', () => {
  const entry = (changedMs: number): string => `100644 1 0 ${changedMs}000000 9`;
  const tree = (entries: Readonly<Record<string, string>>): TreeDigest => ({
    digest: '',
    head: null,
    entries: new Map(Object.entries(entries)),
    isComplete: true,
  });

  it('is named in order, up to a number', () => {
    const found = tree({ c: entry(7), a: entry(5), b: entry(4), d: entry(9), gone: 'missing' });
    expect([changedAfter(found, 5, 9), changedAfter(found, 5, 2), changedAfter(found, 10, 9)]).toEqual([
      ['a', 'c', 'd'],
      ['a', 'c'],
      [],
    ]);
  });
});

describe('the digest of a repository', () => {
  it('stays the same while nothing moves, and names tracked and untracked files', async () => {
    repo.file('notes.txt', 'x');
    const [one, two] = [await look(), await look()];
    expect([one.digest, [...one.entries.keys()].sort(), one.head, one.isComplete]).toEqual([
      two.digest,
      ['.gitignore', 'notes.txt', 'src/app.py', 'src/\u00fcber.py'],
      repo.git('rev-parse', 'HEAD').trim(),
      true,
    ]);
  });

  const changes: readonly (readonly [string, () => void, readonly string[]])[] = [
    ['an edit', () => repo.file('src/\u00fcber.py', 'TWO\n'), ['src/\u00fcber.py']],
    [
      'an edit that keeps size and time',
      () => {
        const path = join(repo.path, 'src/app.py');
        writeFileSync(path, 'eno\n');
        utimesSync(path, new Date(0), new Date(0));
        utimesSync(path, new Date(0), new Date(0));
      },
      ['src/app.py'],
    ],
    [
      'a mode',
      () => {
        chmodSync(join(repo.path, 'src/app.py'), 0o755);
      },
      ['src/app.py'],
    ],
    [
      'a removed file',
      () => {
        rmSync(join(repo.path, 'src/app.py'));
      },
      ['src/app.py'],
    ],
    ['a new file', () => repo.file('src/new.py', ''), ['src/new.py']],
    ['a commit', () => repo.git('commit', '-q', '--allow-empty', '-m', 'empty'), ['HEAD']],
  ];
  it.each(changes)('names %s', async (_name, change, expected) => {
    expect(await movedBy(change)).toEqual(expected);
  });

  it.each<readonly [string, () => void]>([
    ['what git ignores', () => repo.file('dist/out.js', '')],
    ['caches', () => repo.file('src/__pycache__/app.pyc', '') + repo.file('.pytest_cache/v', '')],
    ['what Surepatch makes', () => repo.file('src/app.py.reforge-bak', '')],
  ])('does not look at %s', async (_name, change) => {
    expect(await movedBy(change)).toEqual([]);
  });

  it('names at most ten paths', async () => {
    expect(
      await movedBy(() => {
        for (let n = 0; n < 30; n += 1) repo.file(`new-${n}`, '');
      }),
    ).toHaveLength(10);
  });

  it('sees a change hidden from git by a flag, and inside a submodule', async () => {
    repo.git('update-index', '--assume-unchanged', 'src/app.py');
    const other = gitRepo(join(repo.path, 'inner'));
    other.file('inner.txt', 'x');
    other.commit();
    expect(
      await movedBy(() => {
        repo.file('src/app.py', 'xxx\n');
        other.file('inner.txt', 'y');
      }),
    ).toEqual(['inner/inner.txt', 'src/app.py']);
  });

  it('works in a linked worktree, in a folder below the root, with SHA-256 and before the first commit', async () => {
    repo.git('worktree', 'add', '-q', join(folder.path, 'linked'));
    const sha256 = gitRepo(join(folder.path, 'sha256'), ['--object-format=sha256']);
    sha256.file('a', '');
    sha256.commit();
    const fresh = gitRepo(join(folder.path, 'fresh'));
    fresh.file('b', '');
    const places = ['linked', 'proj\u00e9ct/src', 'sha256', 'fresh'].map((name) => join(folder.path, name));
    const seen = await Promise.all(places.map((place) => look(place)));
    expect(seen.map(({ entries, head }) => [[...entries.keys()].sort(), head?.length])).toEqual([
      [['.gitignore', 'src/app.py', 'src/\u00fcber.py'], 40],
      [['app.py', '\u00fcber.py'], 40],
      [['a'], 64],
      [['b'], undefined],
    ]);
  });

  it('tells apart names that are not UTF-8', async () => {
    const make = (name: string, text: string) =>
      execFileSync('sh', ['-c', `printf '${text}' > "$(printf '${name}')"`], { cwd: repo.path });
    make('\\377', 'one');
    make('\\376', 'one');
    expect(await movedBy(() => make('\\376', 'two'))).toEqual(['\u00fe']);
  });

  it('leaves the index as it is, and nothing in the folder it worked in', async () => {
    const index = join(repo.path, '.git/index');
    const before = readFileSync(index);
    await look();
    expect(readFileSync(index).equals(before)).toBe(true);
  });
});

describe('the digest of a folder without git', () => {
  it.each([
    ['no repository', GIT_PROGRAM],
    ['no git', null],
  ])('walks it where there is %s, and leaves out what suites write', async (_why, program) => {
    const plain = join(folder.path, 'plain');
    for (const path of ['src', 'node_modules/x', '.venv/lib']) mkdirSync(join(plain, path), { recursive: true });
    for (const path of ['src/a', 'b', 'node_modules/x/c', '.venv/lib/d']) writeFileSync(join(plain, path), '');
    const before = await look(plain, program);
    writeFileSync(join(plain, 'src/a'), 'x');
    writeFileSync(join(plain, '.venv/lib/d'), 'x');
    const after = await look(plain, program);
    expect([[...before.entries.keys()].sort(), before.head, changedSince(before, after)]).toEqual([
      ['b', 'src/a'],
      null,
      ['src/a'],
    ]);
  });
});
