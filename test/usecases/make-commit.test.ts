import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { Committer } from '../../src/io/git-commit.ts';
import { commitFiles } from '../../src/usecases/commit-files.ts';
import { readHistory } from '../../src/usecases/history.ts';
import { undoFix } from '../../src/usecases/undo-fix.ts';
import { writeFix } from '../../src/usecases/write-fix.ts';
import { commitGround, type CommitGround } from '../support/commit-ground.ts';
import { lineDiff } from '../support/product.ts';

const open: CommitGround[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.dispose();
});

/** A change of tide.txt and a new file wait to be committed, and moon.txt is staged by somebody else. */
function waiting(): CommitGround & { readonly unchanged: () => void } {
  const it = commitGround();
  open.push(it);
  const { repo } = it;
  repo.file('moon.txt', 'staged\n');
  repo.git('add', 'moon.txt');
  repo.file('tide.txt', 'rising\n');
  repo.file('new.txt', 'new\n');
  const state = (): string[] => [
    repo.git('rev-parse', 'HEAD'),
    repo.git('ls-files', '-s'),
    repo.git('status', '--short'),
  ];
  const before = state();
  return {
    ...it,
    unchanged: () => {
      expect([...state(), existsSync(join(it.root, '.git/index.lock'))]).toEqual([...before, false]);
      expect(scratchFolders(it)).toEqual([]);
    },
  };
}

function scratchFolders({ stateHome }: CommitGround): readonly string[] {
  const roots = join(stateHome, 'surepatch/roots');
  return readdirSync(roots).flatMap((root) => readdirSync(join(roots, root, 'commits')));
}

const FILES = { files: ['tide.txt', 'new.txt'] };
const COMMITTED = 'A\tnew.txt\nM\ttide.txt';

describe('hooks', () => {
  test('all four run as git runs them, with the environment of the user, and what they print comes back', async () => {
    const { repo, root, commit, hook, head } = waiting();
    for (const name of ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit']) {
      hook(
        name,
        `#!/bin/sh\necho "${name} ($0 $#) in $(pwd), config '$GIT_CONFIG_PARAMETERS', hooks at '$(git config core.hooksPath)'"\n` +
          'git diff --cached --name-only -- "*.txt"\n',
      );
    }
    const report = await commit(FILES);
    const said = (name: string, count: number): string =>
      `${name} (.git/hooks/${name} ${count}) in ${root}, config '', hooks at ''`;
    expect([report.error, report.notes]).toEqual([null, []]);
    const lines = report.output?.split('\n') ?? [];
    expect(lines.filter((line) => line.includes('config'))).toEqual([
      said('pre-commit', 0),
      said('prepare-commit-msg', 2),
      said('commit-msg', 1),
      said('post-commit', 0),
    ]);
    expect(lines.filter((line) => line === 'new.txt' || line === 'tide.txt' || line === 'moon.txt')).toEqual([
      ...['new.txt', 'tide.txt'],
      ...['new.txt', 'tide.txt'],
      ...['new.txt', 'tide.txt'],
      'moon.txt',
    ]);
    expect([head().changes, repo.git('diff', '--cached', '--name-only')]).toEqual([COMMITTED, 'moon.txt\n']);
  });

  test('a hook folder of the user’s (core.hooksPath) is used, and hooks may change the message', async () => {
    const { repo, root, commit, head } = waiting();
    repo.git('config', 'core.hooksPath', 'my hooks');
    const path = repo.file('my hooks/commit-msg', '#!/bin/sh\necho "Reviewed-by: $0" >> "$1"\n');
    repo.git('config', 'core.fileMode', 'false');
    const { chmodSync } = await import('node:fs');
    chmodSync(path, 0o755);
    await commit({ ...FILES, message: 'raise' });
    expect(head()).toEqual({ message: 'raise\nReviewed-by: my hooks/commit-msg', changes: COMMITTED });
    expect(existsSync(join(root, 'my hooks/commit-msg'))).toBe(true);
  });

  test.each(['pre-commit', 'prepare-commit-msg', 'commit-msg'])(
    'a %s hook that fails keeps the commit from being made, in its own words',
    async (name) => {
      const { commit, hook, unchanged } = waiting();
      hook(name, '#!/bin/sh\necho "the harbour is closed" >&2\nexit 3\n');
      const report = await commit(FILES);
      expect([report.success, report.error_code, report.error]).toEqual([
        false,
        'HOOK_FAILED',
        `The ${name} hook ended with 3. It said: the harbour is closed`,
      ]);
      unchanged();
    },
  );

  test('a post-commit hook that fails cannot undo the commit, which is said', async () => {
    const { commit, hook, head } = waiting();
    hook('post-commit', '#!/bin/sh\nexit 4\n');
    const report = await commit(FILES);
    expect([report.success, report.notes]).toEqual([true, ['The commit stands; the post-commit hook ended with 4.']]);
    expect(head().changes).toBe(COMMITTED);
  });

  test.each([
    ['and stages it', 'echo more >> tide.txt\ngit add tide.txt', 'what was to be committed'],
    ['and does not stage it', 'echo more >> tide.txt', 'a named file on disk'],
    ['by staging another file', 'git add wind.txt', 'what was to be committed'],
  ])('a hook that rewrites the file %s is refused', async (_, script, what) => {
    const { repo, commit, hook } = waiting();
    repo.file('wind.txt', 'unstaged\n');
    const head = repo.git('rev-parse', 'HEAD');
    hook('pre-commit', `#!/bin/sh\n${script}\n`);
    const report = await commit(FILES);
    expect([report.success, report.error_code, report.error]).toEqual([
      false,
      'HOOK_CHANGED_FILES',
      `A hook (pre-commit) changed ${what}.`,
    ]);
    expect([repo.git('rev-parse', 'HEAD'), repo.git('diff', '--cached', '--name-only')]).toEqual([head, 'moon.txt\n']);
  });

  test('what a hook made of the files is committed with allow_hook_changes, and said', async () => {
    const { repo, commit, hook, head } = waiting();
    hook('pre-commit', '#!/bin/sh\necho more >> tide.txt\ngit add tide.txt\n');
    const report = await commit({ ...FILES, allowHookChanges: true });
    expect([report.success, report.hook_changes, report.notes]).toEqual([
      true,
      ['tide.txt'],
      [
        'Hooks changed what was committed: tide.txt. The index may still hold what was named.',
        'No longer on disk as it was named for the commit: tide.txt.',
      ],
    ]);
    expect([head().changes, repo.git('show', 'HEAD:tide.txt')]).toEqual([COMMITTED, 'rising\nmore\n']);
  });

  test('a hook that hangs is ended with the limit, and all it started', async () => {
    const { commit, hook, unchanged, root } = waiting();
    hook(
      'pre-commit',
      `#!/bin/sh\n(sleep 60; echo late > "${root}/late.txt") &\necho $! > "${root}/.git/pid"\nsleep 60\n`,
    );
    const report = await commit(FILES, { timeoutMs: 3_000 });
    expect([report.error_code, report.error]).toEqual([
      'HOOK_TIMED_OUT',
      'The pre-commit hook did not end within 3 s.',
    ]);
    expect(isAlive(Number(readFileSync(join(root, '.git/pid'), 'utf8')))).toBe(false);
    unchanged();
  });

  test('a background process that a hook leaves is ended with the commit, which stands', async () => {
    const { commit, hook, root, head } = waiting();
    hook('post-commit', `#!/bin/sh\nsetsid sleep 60 > /dev/null 2>&1 &\necho $! > "${root}/.git/pid"\n`);
    expect((await commit(FILES)).success).toBe(true);
    expect(isAlive(Number(readFileSync(join(root, '.git/pid'), 'utf8')))).toBe(false);
    expect(head().changes).toBe(COMMITTED);
  });

  test('a call that is cancelled while a hook runs commits nothing', async () => {
    const { commit, hook, unchanged, root } = waiting();
    hook('pre-commit', `#!/bin/sh\ntouch "${root}/.git/began"\nsleep 60\n`);
    const stop = new AbortController();
    const answer = commit(FILES, { signal: stop.signal });
    while (!existsSync(join(root, '.git/began'))) await delay(20);
    stop.abort();
    expect((await answer).error_code).toBe('CANCELLED');
    unchanged();
  });

  test('a hook that commits by itself afterwards is not taken for ours', async () => {
    const { commit, hook, repo } = waiting();
    hook('post-commit', '#!/bin/sh\n[ -e .git/once ] || { touch .git/once; git commit -q --amend -m amended; }\n');
    const report = await commit(FILES);
    expect([report.success, report.error_code, report.commit]).toEqual([
      false,
      'COMMIT_DIFFERS',
      repo.git('rev-parse', 'HEAD').trim(),
    ]);
  });
});

describe('signing', () => {
  const signWith = ({ repo, home }: CommitGround, script: string): void => {
    const program = join(home, 'signer');
    writeFileSync(program, script, { mode: 0o755 });
    repo.git('config', 'commit.gpgSign', 'true');
    repo.git('config', 'gpg.program', program);
  };

  test('a signer that works signs', async () => {
    const it = waiting();
    signWith(it, '#!/bin/sh\ncat > /dev/null\necho "[GNUPG:] SIG_CREATED " >&2\necho SEALED\n');
    const report = await it.commit(FILES);
    expect([report.success, it.head().changes]).toEqual([true, COMMITTED]);
    expect(it.repo.git('cat-file', 'commit', 'HEAD')).toContain('gpgsig SEALED');
  });

  test('a signer that fails keeps the commit from being made, in its own words', async () => {
    const it = waiting();
    signWith(it, '#!/bin/sh\ncat > /dev/null\necho "no seal at hand" >&2\nexit 2\n');
    const report = await it.commit(FILES);
    expect([report.success, report.error_code]).toEqual([false, 'SIGNING_FAILED']);
    expect(report.error).toContain('no seal at hand');
    it.unchanged();
  });

  test('an SSH key that is not there is a signer that fails', async () => {
    const it = waiting();
    it.repo.git('config', 'commit.gpgSign', 'true');
    it.repo.git('config', 'gpg.format', 'ssh');
    it.repo.git('config', 'user.signingKey', join(it.home, 'no-such-key'));
    expect((await it.commit(FILES)).error_code).toBe('SIGNING_FAILED');
    it.unchanged();
  });

  test('a signer that waits for a pass phrase is ended with the limit', async () => {
    const it = waiting();
    signWith(it, '#!/bin/sh\nsleep 60\n');
    const report = await it.commit(FILES, { timeoutMs: 3_000 });
    expect([report.error_code, report.error]).toEqual([
      'COMMIT_TIMED_OUT',
      'git commit did not end within 3 s; it was waiting for the signer.',
    ]);
    it.unchanged();
  });
});

describe('after write_fix', () => {
  const RISING = lineDiff('slack', 'rising');
  const written = async (): Promise<CommitGround> => {
    const it = commitGround();
    open.push(it);
    it.repo.file('tide.txt', 'low\nslack\nhigh\n');
    it.repo.commit('tide');
    it.repo.file('moon.txt', 'dirty\n');
    await it.write({ diff: RISING, filePath: 'tide.txt' });
    return it;
  };

  test('what it wrote is committed when no file is named, once', async () => {
    const { commit, head } = await written();
    expect((await commit({})).files.map(({ path }) => path)).toEqual(['tide.txt']);
    expect(head().changes).toBe('M\ttide.txt');
    expect((await commit({})).error_code).toBe('NOTHING_TO_COMMIT');
  });

  test('a file that was changed since is refused with both digests, unless the caller expects it so', async () => {
    const it = await written();
    it.repo.file('tide.txt', 'low\nrising fast\nhigh\n');
    const report = await it.commit({});
    expect([report.error_code, report.differences?.map(({ path, expected_by }) => [path, expected_by])]).toEqual([
      'BYTES_DIFFER',
      [['tide.txt', 'write_fix']],
    ]);
    const sha256 = report.differences?.[0]?.sha256_found ?? '';
    expect((await it.commit({ expected: [{ path: 'tide.txt', sha256 }] })).success).toBe(true);
  });

  test('the commit is in the history, with who made it and its revision', async () => {
    const { root, product, commit } = await written();
    const report = await commit({});
    const folder = product.host.realFolder(root);
    const store = folder === null ? null : product.host.openHistory(folder);
    const records = store?.ok === true ? store.value.read().records : [];
    expect(records.at(-1)).toMatchObject({
      kind: 'commit',
      id: report.commit,
      outcome: 'committed',
      revision: report.revision,
      files: [{ path: 'tide.txt' }],
    });
  });
});

describe('the intent to add a new file', () => {
  test('never takes away what somebody staged meanwhile', async () => {
    const { repo, commit, hook } = waiting();
    // The hook has an index of its own; this is the one of the user, who is quicker than our answer.
    hook('pre-commit', '#!/bin/sh\nunset GIT_INDEX_FILE\nrm -f .git/index.lock\ngit add new.txt\nexit 1\n');
    const report = await commit(FILES);
    expect([report.error_code, repo.git('ls-files', '-s', '--', 'new.txt')]).toEqual([
      'HOOK_FAILED',
      `100644 ${repo.git('hash-object', 'new.txt').trim()} 0\tnew.txt\n`,
    ]);
  });

  test('is taken back when git cannot even be run', async () => {
    const it = withCommitter((committer) => ({
      ...committer,
      runCommit: () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
    }));
    it.repo.file('new.txt', 'new\n');
    const report = await it.commit({ files: ['new.txt'] });
    expect([report.error_code, it.repo.git('ls-files', '--', 'new.txt')]).toEqual(['NO_SPACE', '']);
  });
});

describe('a commit that stands', () => {
  test('is recorded and counted when it is not what was let through', async () => {
    const it = waiting();
    it.hook('post-commit', '#!/bin/sh\n[ -e .git/once ] || { touch .git/once; git commit -q --amend -m amended; }\n');
    const report = await it.commit(FILES);
    const read = readHistory(it.product, {});
    expect([report.revision?.revision, read.ok && read.value.records.map(({ id, outcome }) => [id, outcome])]).toEqual([
      1,
      [[report.commit, 'COMMIT_DIFFERS']],
    ]);
  });

  test('is said to stand when it cannot be read back', async () => {
    const it = withCommitter((committer) => {
      let asked = 0;
      return {
        ...committer,
        changesSince: (...given) => {
          asked += 1;
          if (asked > 1) throw new Error('no more');
          return committer.changesSince(...given);
        },
      };
    });
    it.repo.file('tide.txt', 'rising\n');
    const report = await it.commit({ files: ['tide.txt'] });
    const id = it.repo.git('rev-parse', 'HEAD').trim();
    const read = readHistory(it.product, {});
    expect([report.success, report.commit, report.notes, read.ok && read.value.records.map((one) => one.id)]).toEqual([
      true,
      id,
      [`The commit stands, but could not be read back: no more; git show ${id} shows it.`],
      [id],
    ]);
  });
});

describe.each(['tide.txt', 'new.txt'])('a lock on the index that is taken after it was free (%s)', (file) => {
  const lockedLate = (use: (lock: string) => void): CommitGround => {
    const it = withCommitter((committer) => {
      let asked = 0;
      return {
        ...committer,
        waitForIndex: async (ground) => {
          const free = await committer.waitForIndex(ground);
          asked += 1;
          if (asked === 1) use(join(ground.gitFolder, 'index.lock'));
          return free;
        },
      };
    });
    it.repo.file(file, 'rising\n');
    return it;
  };

  test('is named when it stays', async () => {
    const it = lockedLate((lock) => {
      writeFileSync(lock, '');
    });
    const report = await it.commit({ files: [file] });
    expect([report.error_code, existsSync(join(it.root, '.git/index.lock'))]).toEqual(['INDEX_LOCKED', true]);
  });

  test('is waited for when it goes', async () => {
    const it = lockedLate((lock) => {
      writeFileSync(lock, '');
      setTimeout(() => {
        rmSync(lock);
      }, 700);
    });
    expect(await it.commit({ files: [file] })).toMatchObject({ success: true, files: [{ path: file }] });
  });
});

function withCommitter(change: (committer: Committer) => Committer): CommitGround {
  const it = commitGround({
    change: (host) => ({
      ...host,
      committer: (root) => {
        const committer = host.committer(root);
        return committer.ok ? { ok: true, value: change(committer.value) } : committer;
      },
    }),
  });
  open.push(it);
  return it;
}

test('a write that was undone is not among what is committed when no file is named', async () => {
  const it = commitGround();
  open.push(it);
  it.repo.file('tide.txt', 'low\nrising\nhigh\n');
  it.repo.commit('tide');
  const call = { signal: new AbortController().signal, progress: () => undefined };
  const undo = async (writeId = ''): Promise<string | undefined> => {
    const answer = await undoFix(it.product, { writeId, repoRoot: it.root }, call);
    return answer.ok ? answer.value.write_id : answer.failure.message;
  };
  const { write_id } = await it.write({ diff: lineDiff('rising', 'slack'), filePath: 'tide.txt' });
  const undone = await undo(write_id);
  expect((await it.commit({})).error).toBe('write_fix wrote nothing here that is not committed.');
  await undo(undone);
  expect(await it.commit({})).toMatchObject({ success: true, files: [{ path: 'tide.txt' }] });
});

test('commits of eight callers at once hold exactly one path each', async () => {
  const { repo, commit, head } = waiting();
  expect(head().changes).toContain('tide.txt');
  const names = Array.from({ length: 8 }, (_, index) => `caller-${index}.txt`);
  for (const name of names) repo.file(name, `${name}\n`);
  const reports = await Promise.all(names.map((name) => commit({ message: name, files: [name] })));
  expect(reports.map(({ success, files }) => [success, files.map(({ path }) => path)])).toEqual(
    names.map((name) => [true, [name]]),
  );
  const log = repo
    .git('log', '-8', '--format=%s', '--name-only')
    .split('\n')
    .filter((line) => line !== '');
  expect(new Set(log)).toEqual(new Set(names));
  expect(log.length).toBe(16);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A dead process that nobody has reaped yet still answers.
    return !/^State:\s+[ZX]/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test('a write that is tested through a root above or below is not committed before it is settled', async () => {
  const it = commitGround();
  open.push(it);
  const { repo, root, product, head } = it;
  repo.file('sub/tide.txt', 'low\nrising\nhigh\n');
  repo.file('sub/gate.test.js', GATED_TEST);
  repo.commit('bay');
  const request = {
    diff: lineDiff('rising', 'slack'),
    filePath: join(root, 'sub/tide.txt'),
    repoRoot: join(root, 'sub'),
  };
  const call = { signal: new AbortController().signal, progress: () => undefined };
  const written = writeFix(product, { ...request, testCommand: 'node --test' }, call);
  while (!existsSync(join(root, 'sub/testing'))) await delay(20);
  let hasWaited = false;
  const waits = {
    ...call,
    progress: () => {
      hasWaited = true;
      writeFileSync(join(root, 'sub/fail'), '');
    },
  };
  const answer = await commitFiles(product, { message: 'too early', files: ['sub/tide.txt'] }, waits);
  expect([hasWaited, answer.ok || answer.failure.code, await written]).toMatchObject([
    true,
    'NOTHING_TO_COMMIT',
    { value: { success: false, disk_state: 'rolled_back' } },
  ]);
  expect(head().message).toBe('bay');
});

/** Says that it runs, and fails once it is told to. */
const GATED_TEST = `
const { existsSync, writeFileSync } = require('node:fs');
require('node:test')('gate', async () => {
  writeFileSync('testing', '');
  while (!existsSync('fail')) await new Promise((resolve) => setTimeout(resolve, 20));
  throw new Error('told to');
});
`;
