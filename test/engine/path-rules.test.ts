import { describe, expect, test } from 'vitest';
import { componentsBelow, isGitFolderName, refuseProtected } from '../../src/engine/path-rules.ts';
import { failure } from '../../src/model/failure.ts';

describe('componentsBelow', () => {
  const roots = ['/srv/app', '/mnt/real/app'];
  test.each([
    ['/srv/app/src/tide.js', ['src', 'tide.js']],
    ['/mnt/real/app/tide.js', ['tide.js']],
    ['/srv/app', null],
    ['/srv/app2/tide.js', null],
    ['/srv/app/../app2/tide.js', null],
    ['/srv/app/src/../tide.js', ['tide.js']],
    ['/srv', null],
    ['/', null],
    ['/srv/app/..tide', ['..tide']],
  ])('takes %s apart by components', (path, components) => {
    expect(componentsBelow(roots, path)).toEqual(components);
  });
});

describe('isGitFolderName', () => {
  test.each([
    '.git',
    '.GIT',
    '.Git',
    '.git.',
    '.git ',
    '.git. .',
    '.git::$INDEX_ALLOCATION',
    '.git:stream',
    'git~1',
    'GIT~1',
    '.g\u200cit',
    '.\ufeffgit',
    '.gi\u202et',
    '\u2024git',
    '\uff0egit',
    '.\uff47\uff49\uff54',
  ])('knows %j as a spelling of .git', (name) => {
    expect(isGitFolderName(name)).toBe(true);
  });

  test.each(['git', '.gitignore', '.gitattributes', '.github', 'dot.git', '.git-hooks', '.gitt', 'git~2x', 'agit'])(
    'leaves %j alone',
    (name) => {
      expect(isGitFolderName(name)).toBe(false);
    },
  );
});

describe('refuseProtected', () => {
  test('refuses a file in a nested .git folder by its whole path', () => {
    expect(refuseProtected(['vendor', '.GIT', 'config'])).toEqual(
      failure('PATH_PROTECTED', 'vendor/.GIT/config belongs to git, which alone may write there.'),
    );
  });

  test.each(['tide.js.reforge-bak', 'tide.js.reforge-bak.12', '.reforge-0123.tmp', 'TIDE.JS.REFORGE-BAK'])(
    'refuses %s, a file that Surepatch made',
    (name) => {
      expect(refuseProtected(['src', name])).toEqual(
        failure('PATH_PROTECTED', `${name} is a file that Surepatch made, not a file of the project.`),
      );
    },
  );

  test('admits a file whose name only resembles them', () => {
    expect(refuseProtected(['.github', 'reforge-bak', 'a.reforge-bak.md'])).toBeNull();
  });
});
