/** Ways to make Surepatch read or write something outside the root, or something that is not the caller's. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDirectory } from '../../src/io/directory-handle.ts';
import { testProduct, treeOf, type TestProduct } from '../support/product.ts';

const BEFORE = 'low\nrising\nhigh\n';
const DIFF = '@@ -1,3 +1,3 @@\n low\n-rising\n+falling\n high\n';

let attacked: TestProduct;
let outside: string;
beforeEach(() => {
  attacked = testProduct();
  attacked.repo.file('tide.txt', BEFORE);
  outside = join(dirname(attacked.root), 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), BEFORE);
  mkdirSync(`${attacked.root}2`);
  writeFileSync(join(`${attacked.root}2`, 'tide.txt'), BEFORE);
});
afterEach(() => {
  attacked.dispose();
});

type Attack = readonly [name: string, prepare: (root: string) => string];

const ATTACKS: readonly Attack[] = [
  ['an absolute path', () => join(outside, 'secret.txt')],
  ['a path that climbs out', () => '../outside/secret.txt'],
  ['a path that climbs out after a folder', () => 'src/../../outside/secret.txt'],
  ['a path that climbs out from an absolute start', (root) => `${root}/../outside/secret.txt`],
  ['a sibling whose name begins like the root', (root) => `${root}2/tide.txt`],
  [
    'a link to a file',
    (root) => {
      symlinkSync(join(outside, 'secret.txt'), join(root, 'link.txt'));
      return 'link.txt';
    },
  ],
  [
    'a link to a folder',
    (root) => {
      symlinkSync(outside, join(root, 'folder'));
      return 'folder/secret.txt';
    },
  ],
  [
    'a relative link that climbs out',
    (root) => {
      symlinkSync('../outside/secret.txt', join(root, 'link.txt'));
      return 'link.txt';
    },
  ],
  [
    'a link through a link',
    (root) => {
      symlinkSync('..', join(root, 'up'));
      symlinkSync('up/outside/secret.txt', join(root, 'link.txt'));
      return 'link.txt';
    },
  ],
  [
    'a link into /proc that leads out',
    (root) => {
      symlinkSync(`/proc/self/root${outside}/secret.txt`, join(root, 'link.txt'));
      return 'link.txt';
    },
  ],
  ['the repository’s configuration', () => '.git/config'],
  ['a hook', () => '.git/hooks/pre-commit'],
  ['git’s folder in other letters', () => '.GIT/config'],
  ['git’s folder as Windows folds it', () => '.git./config'],
  ['git’s folder by its short name', () => 'GIT~1/config'],
  ['git’s folder as a Windows stream', () => '.git::$INDEX_ALLOCATION/config'],
  ['git’s folder as macOS folds it', () => '.g\u200cit/config'],
  [
    'git’s folder through a link',
    (root) => {
      symlinkSync('.git', join(root, 'innocent'));
      return 'innocent/config';
    },
  ],
  [
    'the git folder of a nested repository',
    (root) => {
      mkdirSync(join(root, 'vendor/.git'), { recursive: true });
      writeFileSync(join(root, 'vendor/.git/config'), BEFORE);
      return 'vendor/.git/config';
    },
  ],
  ['a path with NUL in it', () => 'tide.txt\0.png'],
  ['a path with half a surrogate pair', () => 'tide\ud800.txt'],
  ['a path longer than any system takes', () => 'a/'.repeat(3000)],
  ['a name longer than the file system takes', () => 'a'.repeat(300)],
  ['an empty path', () => ''],
  ['a path of slashes', () => '////'],
  ['the state folder', () => join(attacked.stateHome, 'surepatch/key')],
  [
    'a fifo',
    (root) => {
      execFileSync('mkfifo', [join(root, 'pipe')]);
      return 'pipe';
    },
  ],
  ['a device', () => '/dev/null'],
  ['the descriptor of something open', () => '/proc/self/fd/0'],
];

describe('file_path', () => {
  test.each(ATTACKS)('%s is refused with a hint, and nothing changes anywhere', async (_, prepare) => {
    const filePath = prepare(attacked.root);
    const before = [treeOf(attacked.root), treeOf(outside), treeOf(`${attacked.root}2`)];
    const git = readFileSync(join(attacked.root, '.git/config'));
    const report = await attacked.write({ diff: DIFF, filePath });
    expect(report.success).toBe(false);
    expect(report.error_code).toMatch(/^(PATH_OUTSIDE_REPO|PATH_PROTECTED|FILE_NOT_FOUND|NOT_A_FILE|INPUT_INVALID)$/u);
    expect(report.hint).toBeTruthy();
    expect([treeOf(attacked.root), treeOf(outside), treeOf(`${attacked.root}2`)]).toEqual(before);
    expect(readFileSync(join(attacked.root, '.git/config'))).toEqual(git);
  });
});

describe('repo_root', () => {
  test.each(['.git', '.git/hooks'])('%s is refused, because git alone writes there', async (folder) => {
    const { root, write } = attacked;
    writeFileSync(join(root, '.git/hooks/pre-commit'), BEFORE);
    const repoRoot = join(root, folder);
    const report = await write({ diff: DIFF, repoRoot, filePath: join(root, '.git/hooks/pre-commit') });
    expect([report.success, report.error_code]).toEqual([false, 'ROOT_REFUSED']);
    expect(readFileSync(join(root, '.git/hooks/pre-commit'), 'utf8')).toBe(BEFORE);
  });

  test('in a bare repository is refused with its file', async () => {
    const { root, repo, write } = attacked;
    repo.git('init', '-q', '--bare', 'bare');
    writeFileSync(join(root, 'bare/config'), BEFORE);
    const answers = await Promise.all(
      [root, join(root, 'bare')].map((repoRoot) =>
        write({ diff: DIFF, repoRoot, filePath: join(root, 'bare/config') }),
      ),
    );
    expect(answers.map(({ error_code }) => error_code)).toEqual(['PATH_PROTECTED', 'PATH_PROTECTED']);
  });

  test('whose name is not UTF-8 is never taken for another', async () => {
    const { root, write } = attacked;
    const twin = join(root, 'd\ufffd');
    mkdirSync(twin);
    writeFileSync(join(twin, 'tide.txt'), BEFORE);
    const report = await write({ diff: DIFF, repoRoot: twin, filePath: join(twin, 'tide.txt') });
    expect([report.error_code, readFileSync(join(twin, 'tide.txt'), 'utf8')]).toEqual(['INPUT_INVALID', BEFORE]);
  });
});

test('a link to a name that is not UTF-8 is not taken for a link to another', async () => {
  const { root, write } = attacked;
  writeFileSync(join(root, 'x\ufffd.txt'), BEFORE);
  symlinkSync(Buffer.concat([Buffer.from('x'), Buffer.from([0xff]), Buffer.from('.txt')]), join(root, 'link.txt'));
  const report = await write({ diff: DIFF, filePath: 'link.txt' });
  expect([report.error_code, readFileSync(join(root, 'x\ufffd.txt'), 'utf8')]).toEqual(['NOT_A_FILE', BEFORE]);
});

test('a folder that is swapped for a link while it is open still leads to the real one', () => {
  const { root, repo } = attacked;
  repo.file('src/tide.txt', BEFORE);
  const folder = openDirectory(root, ['src']);
  try {
    renameSync(join(root, 'src'), join(root, 'moved'));
    symlinkSync(outside, join(root, 'src'));
    writeFileSync(folder.at('new.txt'), 'x');
    expect([treeOf(outside), readFileSync(join(root, 'moved/new.txt'), 'utf8')]).toEqual([
      { 'secret.txt': BEFORE },
      'x',
    ]);
  } finally {
    folder.close();
  }
});

test('a folder that became a link before it was opened is not opened', () => {
  symlinkSync(outside, join(attacked.root, 'src'));
  expect(() => openDirectory(attacked.root, ['src'])).toThrow(/ENOTDIR|ELOOP/u);
});

test('a state folder that somebody else can reach into is made private again', async () => {
  const { stateHome, write } = attacked;
  mkdirSync(join(stateHome, 'surepatch'), { recursive: true, mode: 0o777 });
  const report = await write({ diff: DIFF, filePath: 'tide.txt' });
  expect(report.success).toBe(true);
  expect(execFileSync('stat', ['-c', '%a', join(stateHome, 'surepatch')], { encoding: 'utf8' })).toBe('700\n');
});

test('a state folder that is a link is not used', async () => {
  const { stateHome, write } = attacked;
  rmSync(stateHome, { recursive: true, force: true });
  mkdirSync(stateHome);
  symlinkSync(outside, join(stateHome, 'surepatch'));
  const report = await write({ diff: DIFF, filePath: 'tide.txt' });
  expect([report.success, report.error_code, treeOf(outside)]).toEqual([
    false,
    'STATE_UNAVAILABLE',
    { 'secret.txt': BEFORE },
  ]);
});
