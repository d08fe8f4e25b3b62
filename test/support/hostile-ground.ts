/** A repository that leads outside itself in every way known to us, and a full record of every file around it. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gitRepo, temporaryFolder } from './git-repo.ts';

export interface HostileGround {
  /** Holds everything that must stay as it is. */
  readonly path: string;
  /** The repository: a linked worktree of another one beside it. */
  readonly root: string;
  /** A place for state and output, beside what must stay as it is. */
  readonly beside: string;
  /** Every entry below `path`, dependencies and git's own folder included. */
  record(): Readonly<Record<string, string>>;
  /** Gives everything to another user. */
  giveTo(uid: number): void;
  dispose(): void;
}

/** Makes the ground. */
export function hostileGround(): HostileGround {
  const temporary = temporaryFolder();
  const path = join(temporary.path, 'ground');
  const beside = join(temporary.path, 'beside');
  mkdirSync(beside);
  const main = gitRepo(join(path, 'main-repository'));
  main.file('src/app.py', 'original\n');
  main.file('src/deep/inner.py', 'original\n');
  main.file('locked.txt', 'original\n');
  main.file('.gitignore', 'node_modules\n.venv\n');
  main.commit();
  const root = join(path, 'project');
  main.git('worktree', 'add', '-q', root);
  const project = gitRepo(root, false);
  project.file('node_modules/dependency/index.js', 'original\n');
  project.file('packages/part/index.js', 'original\n');
  project.file('untracked.txt', 'original\n');
  const elsewhere = gitRepo(path, false);
  elsewhere.file('shared-venv/lib/site.py', 'original\n');
  elsewhere.file('outer-package/index.js', 'original\n');
  elsewhere.file('shared/settings.json', 'original\n');
  elsewhere.file('store/deep-package/index.js', 'original\n');
  elsewhere.file('data/deep/table.csv', 'original\n');
  elsewhere.file('data/settings.ini', 'original\n');
  for (const folder of [
    'node_modules/@scope',
    'node_modules/.pnpm/deep@1/node_modules',
    'src/deep/er',
    '.tool/a/b/c',
  ]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  symlinkSync('../../../../../store/deep-package', join(root, 'node_modules/.pnpm/deep@1/node_modules/deep'));
  symlinkSync(join(path, 'data/deep'), join(root, 'src/deep/er/data'));
  symlinkSync('../../../../../data/settings.ini', join(root, '.tool/a/b/c/settings.ini'));
  mkdirSync(join(root, 'empty'));
  symlinkSync('../../packages/part', join(root, 'node_modules/@scope/part'));
  symlinkSync('../../../outer-package', join(root, 'node_modules/@scope/outer'));
  symlinkSync(join(path, 'shared-venv'), join(root, '.venv'));
  symlinkSync('../shared/settings.json', join(root, 'settings.json'));
  elsewhere.file('shared/build-tool', '#!/bin/sh\n');
  chmodSync(join(path, 'shared/build-tool'), 0o755);
  symlinkSync('../../shared/build-tool', join(root, '.tool/build'));
  symlinkSync(join(root, 'src'), join(root, 'absolute'));
  chmodSync(join(root, 'locked.txt'), 0o444);
  return {
    path,
    root,
    beside,
    record: () => recordOf(path),
    giveTo: (uid) => {
      execFileSync('chown', ['-R', '-h', `${uid}:${uid}`, temporary.path]);
    },
    dispose: temporary.dispose,
  };
}

/** Kind, mode, owner, inode, times to the nanosecond (of a change of attributes, too), and content of each entry. */
export function recordOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(['', ...names].map((name) => [name, describe(join(folder, name))]));
}

function describe(path: string): string {
  const { mode, uid, gid, ino, mtimeNs, ctimeNs, ...found } = lstatSync(path, { bigint: true });
  const isLink = (mode & 0o170000n) === 0o120000n;
  const isFile = (mode & 0o170000n) === 0o100000n;
  const content = isLink ? readlinkSync(path) : isFile ? digestOf(path) : `${found.nlink}`;
  return [mode.toString(8), uid, gid, ino, mtimeNs, ctimeNs, content].join(' ');
}

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
