import { describe, expect, test } from 'vitest';
import { judgeRoot } from '../../src/engine/root-policy.ts';
import { failure } from '../../src/model/failure.ts';

const HINT = 'Name the repository itself, or allow this folder with --root DIR at start.';

describe('judgeRoot without boundaries', () => {
  const policy = { boundaries: [], home: '/home/ada' };

  test.each([
    '/home/ada/tides',
    '/srv/tides',
    '/tmp/tides',
    '/opt/tides',
    '/home/ada/work/.hidden/tides',
    '/var/tmp/x',
    '/usr/src/app',
    '/run/media/ada/disk/tides',
    '/var/lib/jenkins/workspace/tides',
  ])('admits %s', (path) => {
    expect(judgeRoot(path, policy)).toEqual({ ok: true, value: path });
  });

  test.each([
    ['/', 'repo_root is the root of the file system.'],
    ['/etc', 'repo_root is a system folder.'],
    ['/usr/local/src', 'repo_root is a system folder.'],
    ['/usr/src', 'repo_root is a system folder.'],
    ['/var/lib/dpkg', 'repo_root is a system folder.'],
    ['/run/user/1000', 'repo_root is a system folder.'],
    ['/proc/self/cwd', 'repo_root is a system folder.'],
    ['/home', 'repo_root is a system folder.'],
    ['/tmp', 'repo_root is a system folder.'],
    ['/home/ada', 'repo_root is the home folder or holds it.'],
    ['/home/ada/.config', 'repo_root is a dot-folder of the home folder.'],
    ['/home/ada/.ssh/keys', 'repo_root is a dot-folder of the home folder.'],
  ])('refuses %s', (path, message) => {
    expect(judgeRoot(path, policy)).toEqual({ ok: false, failure: failure('ROOT_REFUSED', message, { hint: HINT }) });
  });
});

describe('judgeRoot with --root', () => {
  const policy = { boundaries: ['/srv/app', '/srv/lib'], home: '/home/ada' };

  test.each(['/srv/app', '/srv/app/packages/web', '/srv/lib'])('admits %s', (path) => {
    expect(judgeRoot(path, policy)).toEqual({ ok: true, value: path });
  });

  test('calls the root what the caller calls it', () => {
    const refused = [judgeRoot('/srv', policy, 'repoRoot'), judgeRoot('/srv/app/.git', policy, '--root')];
    expect(refused.map((one) => (one.ok ? null : one.failure.message))).toEqual([
      'repoRoot is not inside a folder that the server was started with.',
      '--root lies in a folder of git.',
    ]);
  });

  test.each(['/srv', '/srv/app2', '/home/ada/tides', '/'])(
    'refuses %s in the same words as any other place',
    (path) => {
      expect(judgeRoot(path, policy)).toEqual({
        ok: false,
        failure: failure('ROOT_REFUSED', 'repo_root is not inside a folder that the server was started with.', {
          hint: 'Use one of these or a folder in it: /srv/app, /srv/lib.',
        }),
      });
    },
  );
});
