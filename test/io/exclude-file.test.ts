import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { excludeBackups } from '../../src/io/exclude-file.ts';
import { backupName, temporaryName } from '../../src/model/own-file-names.ts';
import { gitRepo, temporaryFolder } from '../support/git-repo.ts';
import type { GitRepo } from '../support/git-repo.ts';

const BLOCK = [
  '# Surepatch: backups and temporary files, never to be committed',
  '*.reforge-bak',
  '*.reforge-bak.[0-9]*',
  '.reforge-*.tmp',
  '',
].join('\n');

let folder: ReturnType<typeof temporaryFolder>;
let repo: GitRepo;
let exclude: string;

beforeEach(() => {
  folder = temporaryFolder();
  repo = gitRepo(join(folder.path, 'project'));
  exclude = join(repo.path, '.git/info/exclude');
});
afterEach(() => {
  folder.dispose();
});

function refused(why: string): object {
  return { listed: false, note: `Backups are not listed in git's exclude file: ${why}.` };
}

describe('listing the backups', () => {
  it('adds the patterns once, after what is there', () => {
    const before = readFileSync(exclude, 'utf8');
    expect([excludeBackups(repo.path), excludeBackups(repo.path)]).toEqual([{ listed: true }, { listed: true }]);
    expect(readFileSync(exclude, 'utf8')).toBe(before + BLOCK);
  });

  it('keeps a last line without line feed whole, and adds only what is missing', () => {
    writeFileSync(exclude, '*.log\n*.reforge-bak \n.reforge-*.tmp\n*.tmp');
    expect(excludeBackups(repo.path)).toEqual({ listed: true });
    const [comment = '', , numbered = ''] = BLOCK.split('\n');
    expect(readFileSync(exclude, 'utf8')).toBe(
      `*.log\n*.reforge-bak \n.reforge-*.tmp\n*.tmp\n${comment}\n${numbered}\n`,
    );
  });

  it('makes git ignore every name that Surepatch gives, and no other', () => {
    const ours = [backupName('main.py', 1), backupName('src/main.py', 12), temporaryName('0123abcd')];
    for (const name of [...ours, 'main.py', 'reforge-bak', 'x.reforge-bak.md']) repo.file(name, 'x\n');
    excludeBackups(repo.path);
    const seen = repo.git('ls-files', '--others', '--exclude-standard').trim().split('\n');
    expect(seen).toEqual(['main.py', 'reforge-bak', 'x.reforge-bak.md']);
  });

  it('makes the file when the folder has none', () => {
    rmSync(exclude);
    expect(excludeBackups(repo.path)).toEqual({ listed: true });
    expect(readFileSync(exclude, 'utf8')).toBe(BLOCK);
  });
});

describe('touching nothing', () => {
  it('a folder without a repository is left alone without a note', () => {
    expect(excludeBackups(folder.path)).toEqual({ listed: false });
  });

  it('a root inside a larger repository leaves that repository alone', () => {
    const before = readFileSync(exclude);
    mkdirSync(join(repo.path, 'packages/app'), { recursive: true });
    expect(excludeBackups(join(repo.path, 'packages/app'))).toEqual(
      refused('the root is a folder of a larger repository'),
    );
    expect(readFileSync(exclude)).toEqual(before);
  });

  const elsewhere = join('.git', 'info');
  const traps: readonly (readonly [string, (outside: string) => void, string])[] = [
    [
      'a .git file',
      () => {
        renameSync(join(repo.path, '.git'), join(folder.path, 'kept'));
        repo.file('.git', 'gitdir: ../kept\n');
      },
      '.git is not a folder (a linked worktree or a submodule)',
    ],
    [
      'a .git link',
      () => {
        renameSync(join(repo.path, '.git'), join(folder.path, 'kept'));
        symlinkSync('../kept', join(repo.path, '.git'));
      },
      '.git is not a folder (a linked worktree or a submodule)',
    ],
    [
      'an info folder that is a link',
      (outside) => {
        rmSync(join(repo.path, elsewhere), { recursive: true });
        symlinkSync(join(outside, '..'), join(repo.path, elsewhere));
      },
      '.git/info/exclude cannot be changed (ENOTDIR)',
    ],
    [
      'an exclude file that is a link',
      (outside) => {
        rmSync(exclude);
        symlinkSync(outside, exclude);
      },
      '.git/info/exclude cannot be changed (ELOOP)',
    ],
    [
      'an exclude file that is a dangling link',
      (outside) => {
        rmSync(exclude);
        symlinkSync(`${outside}.new`, exclude);
      },
      '.git/info/exclude cannot be changed (ELOOP)',
    ],
    [
      'an exclude file with a second name',
      (outside) => {
        rmSync(exclude);
        linkSync(outside, exclude);
      },
      '.git/info/exclude is not an ordinary file',
    ],
    [
      'a folder named .git that is no repository',
      () => {
        rmSync(join(repo.path, '.git/HEAD'));
      },
      '.git is not a repository',
    ],
    [
      'a .git whose settings are shared',
      () => {
        appendFileSync(join(repo.path, '.git/commondir'), '../../kept\n');
      },
      '.git shares the settings of another repository',
    ],
  ];
  it.each(traps)('%s is refused, and nothing outside changes', (_name, arrange, why) => {
    const outside = join(folder.path, 'exclude');
    writeFileSync(outside, 'theirs\n');
    arrange(outside);
    expect(excludeBackups(repo.path)).toEqual(refused(why));
    expect(readFileSync(outside, 'utf8')).toBe('theirs\n');
    expect(existsSync(`${outside}.new`)).toBe(false);
  });
});
