/** Real changes of real trees; how soon an event comes is not measured, only that it comes and what it says. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { watchTree, type Watcher } from '../../src/io/watcher.ts';
import { gitRepo, temporaryFolder, type GitRepo } from '../support/git-repo.ts';

let folder: ReturnType<typeof temporaryFolder>;
let repo: GitRepo;
let watcher: Watcher | undefined;
let seen: Set<string>;
let wake: () => void;

beforeEach(() => {
  folder = temporaryFolder();
  repo = gitRepo(join(folder.path, 'repo'));
  repo.file('src/tide.py', 'low\n');
  repo.file('node_modules/pkg/index.js', '1\n');
  repo.commit();
  seen = new Set();
  wake = () => undefined;
});
afterEach(async () => {
  await watcher?.close();
  folder.dispose();
});

function start(root = repo.path): Promise<void> {
  return new Promise((resolve, reject) => {
    watcher = watchTree(root, {
      touched: (paths) => {
        for (const path of paths) seen.add(path);
        wake();
      },
      watching: resolve,
      trouble: (state, note) => {
        reject(new Error(`${state}: ${note}`));
      },
    });
  });
}

/** Waits until all these paths were named; the limit of the test ends a wait for one that never comes. */
async function untilSeen(...paths: readonly string[]): Promise<void> {
  while (paths.some((path) => !seen.has(path))) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

/** Makes a change that is noticed, so that everything before it has been noticed as well. */
async function settle(): Promise<void> {
  repo.file('last.txt', String(seen.size));
  await untilSeen('last.txt');
}

describe('a watched tree', () => {
  test('names a file that is edited, made, removed and put in place by a rename', async () => {
    await start();
    repo.file('src/tide.py', 'high\n');
    repo.file('new.txt', 'x');
    await untilSeen('src/tide.py', 'new.txt');
    seen.clear();
    rmSync(join(repo.path, 'new.txt'));
    writeFileSync(join(repo.path, 'src/saved.tmp'), 'higher\n');
    renameSync(join(repo.path, 'src/saved.tmp'), join(repo.path, 'src/tide.py'));
    await untilSeen('new.txt', 'src/tide.py');
  });

  test('names what happens in a folder that is made after the start', async () => {
    await start();
    mkdirSync(join(repo.path, 'docs'));
    await untilSeen('docs');
    for (let turn = 0; !seen.has('docs/a.md'); turn += 1) {
      repo.file('docs/a.md', String(turn));
      await settle();
    }
    expect(seen.has('docs/a.md')).toBe(true);
  });

  test('says nothing of what suites and git write, and of our own files', async () => {
    await start();
    repo.file('node_modules/pkg/index.js', '2\n');
    repo.file('.pytest_cache/x', '1');
    repo.file('.git/objects/aa/b', '1');
    repo.file('src/tide.py.reforge-bak', 'low\n');
    await settle();
    expect([...seen].filter((path) => path !== 'last.txt')).toEqual([]);
  });

  test('counts a commit, which moves HEAD and no file, as a change of everything', async () => {
    await start();
    repo.git('commit', '-q', '--allow-empty', '-m', 'empty');
    await untilSeen('.');
  });

  test('notices the HEAD of a linked worktree, which lies outside it', async () => {
    const linked = join(folder.path, 'linked');
    repo.git('worktree', 'add', '-q', '-b', 'other', linked);
    await start(linked);
    gitRepo(linked, false).git('checkout', '-q', '--detach');
    await untilSeen('.');
  });

  test('counts more files at once than are worth naming as a change of everything', async () => {
    await start();
    for (let number = 0; number < 1200; number += 1) repo.file(`${number}.txt`, 'x');
    await untilSeen('.');
  });

  test('says nothing more once it is closed', async () => {
    const late: string[] = [];
    await new Promise<void>((resolve) => {
      watcher = watchTree(repo.path, {
        touched: (paths) => late.push(...paths),
        watching: resolve,
        trouble: () => undefined,
      });
    });
    await watcher?.close();
    // Another watcher of the same folder tells when a change has been noticed.
    await start();
    repo.file('src/tide.py', 'high\n');
    await untilSeen('src/tide.py');
    await settle();
    expect(late).toEqual([]);
  });
});

test('a folder that is not a repository is watched as well', async () => {
  const plain = join(folder.path, 'plain');
  mkdirSync(plain);
  await start(plain);
  writeFileSync(join(plain, 'a.txt'), 'x');
  await untilSeen('a.txt');
});
