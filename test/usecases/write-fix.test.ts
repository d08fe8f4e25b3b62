import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { failure } from '../../src/model/failure.ts';
import {
  lineDiff,
  testProduct,
  treeOf,
  writeProgram,
  writeSuite,
  type TestProduct,
  type TestProductOptions,
} from '../support/product.ts';

const BEFORE = 'low\nrising\nhigh\n';
const AFTER = 'low\nfalling\nhigh\n';
const DIFF = lineDiff('rising', 'falling');
const HEADERLESS = DIFF.slice(DIFF.indexOf('@@'));

const open: TestProduct[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.dispose();
});

function tides(options: TestProductOptions = {}): TestProduct {
  const made = testProduct(options);
  open.push(made);
  made.repo.file('tide.txt', BEFORE);
  return made;
}

/** What differs from run to run is checked by its shape elsewhere; everything else as it is. */
const VARYING = ['write_id', 'revision', 'tests', 'isolation', 'test_output', 'sha256_before', 'sha256_after'];

function stable(report: object) {
  return Object.fromEntries(Object.entries(report).filter(([name]) => !VARYING.includes(name)));
}

function tide(root: string): string {
  return readFileSync(join(root, 'tide.txt'), 'utf8');
}

describe('without tests', () => {
  test('a committed file is written, and no backup is needed because git holds its bytes', async () => {
    const { root, repo, write } = tides();
    repo.commit();
    const report = await write({ diff: DIFF, filePath: 'tide.txt' });
    expect(stable(report)).toEqual({
      success: true,
      error: null,
      rolled_back: false,
      disk_state: 'patched',
      git_state: 'clean',
      backup: null,
      notes: [],
    });
    expect(treeOf(root)).toEqual({ 'tide.txt': AFTER });
  });

  test.each([
    ['a file that git does not track', 'untracked', {}],
    ['a file of a folder without git', 'no_repo', { git: false }],
  ] as const)('%s keeps a backup with its bytes, mode and inode', async (_, git_state, options) => {
    const { root, write } = tides(options);
    chmodSync(join(root, 'tide.txt'), 0o750);
    const { ino } = statSync(join(root, 'tide.txt'));
    const report = await write({ diff: DIFF, filePath: join(root, 'tide.txt') });
    expect(stable(report)).toEqual({
      success: true,
      error: null,
      rolled_back: false,
      disk_state: 'patched',
      git_state,
      backup: 'tide.txt.reforge-bak',
      notes: [],
    });
    expect(treeOf(root)).toEqual({ 'tide.txt': AFTER, 'tide.txt.reforge-bak': BEFORE });
    expect(statSync(join(root, 'tide.txt.reforge-bak')).ino).toBe(ino);
    expect(statSync(join(root, 'tide.txt')).mode & 0o7777).toBe(0o750);
  });

  test('a backup never takes the name of a file that exists', async () => {
    const { root, repo, write } = tides();
    repo.file('tide.txt.reforge-bak', 'the user’s own');
    const report = await write({ diff: DIFF, filePath: 'tide.txt' });
    expect(report.backup).toBe('tide.txt.reforge-bak.2');
    expect(treeOf(root)).toEqual({
      'tide.txt': AFTER,
      'tide.txt.reforge-bak': Buffer.from('the user’s own').toString('latin1'),
      'tide.txt.reforge-bak.2': BEFORE,
    });
  });

  test('backups are listed once in the repository’s local exclude file and not by git status', async () => {
    const { root, repo, write } = tides();
    await write({ diff: DIFF, filePath: 'tide.txt' });
    await write({ diff: lineDiff('falling', 'rising'), filePath: 'tide.txt' });
    const exclude = readFileSync(join(root, '.git/info/exclude'), 'utf8');
    expect(exclude.match(/^\*\.reforge-bak$/gmu)).toEqual(['*.reforge-bak']);
    expect(repo.git('status', '--porcelain')).toBe('?? tide.txt\n');
  });

  test('a link inside the root is followed to the real file and named', async () => {
    const { root, repo, write } = tides();
    repo.file('data/real.txt', BEFORE);
    symlinkSync('data/real.txt', join(root, 'link.txt'));
    const diff = DIFF.replaceAll('tide.txt', 'data/real.txt');
    const report = await write({ diff, filePath: 'link.txt' });
    expect([report.success, report.notes, lstatSync(join(root, 'link.txt')).isSymbolicLink()]).toEqual([
      true,
      ['link.txt is a link; the file behind it is data/real.txt.'],
      true,
    ]);
    expect(readFileSync(join(root, 'data/real.txt'), 'utf8')).toBe(AFTER);
  });

  test('a dry run shows the change as a diff and touches nothing, not even the state folder', async () => {
    const { root, stateHome, write } = tides();
    const stampOf = () => {
      const { ino, mode, size, mtimeNs, ctimeNs } = statSync(join(root, 'tide.txt'), { bigint: true });
      return { ino, mode, size, mtimeNs, ctimeNs };
    };
    const before = stampOf();
    const report = await write({ diff: DIFF, filePath: 'tide.txt', dryRun: true });
    expect([report.success, report.disk_state, report.diff]).toEqual([true, 'unchanged', DIFF]);
    expect(stampOf()).toEqual(before);
    expect(readdirSync(root).sort()).toEqual(['.git', 'tide.txt']);
    expect(existsSync(join(stateHome, 'surepatch/roots'))).toBe(false);
  });

  test('revisions count every write of a root within one epoch', async () => {
    const { write } = tides();
    const one = await write({ diff: DIFF, filePath: 'tide.txt' });
    const two = await write({ diff: lineDiff('falling', 'rising'), filePath: 'tide.txt' });
    expect([one.revision?.revision, two.revision?.revision, one.revision?.epoch === two.revision?.epoch]).toEqual([
      1,
      2,
      true,
    ]);
  });
});

describe('with tests', () => {
  const testCommand = 'node --test';

  test('a patch stays when the tests pass', async () => {
    const { root, repo, write } = tides();
    writeSuite(repo, AFTER);
    repo.commit();
    const report = await write({ diff: DIFF, filePath: 'tide.txt', testCommand });
    expect(stable(report)).toEqual({
      success: true,
      error: null,
      rolled_back: false,
      disk_state: 'patched',
      git_state: 'clean',
      backup: null,
      notes: [],
    });
    expect(report.tests).toMatchObject({ exit_code: 0, signal: null, timed_out: false });
    expect(readFileSync(join(root, 'tide.txt'), 'utf8')).toBe(AFTER);
    expect(readdirSync(root).sort()).toEqual(['.git', 'tide.test.js', 'tide.txt']);
  });

  test.each([
    ['committed', true],
    ['modified', false],
  ])('a %s file that the tests refuse is put back with its inode, mode and time', async (_, isClean) => {
    const { root, repo, write } = tides();
    writeSuite(repo, BEFORE);
    repo.commit();
    if (!isClean) repo.file('tide.txt', `${BEFORE}slack\n`);
    chmodSync(join(root, 'tide.txt'), 0o640);
    const content = readFileSync(join(root, 'tide.txt'), 'utf8');
    const before = statSync(join(root, 'tide.txt'), { bigint: true });
    const report = await write({ diff: DIFF, filePath: 'tide.txt', testCommand });
    expect(stable(report)).toEqual({
      success: false,
      error: 'The tests failed with exit code 1. tide.txt was put back.',
      error_code: 'TESTS_FAILED',
      hint: 'Read the test output, mend the patch and call again; the file is as it was.',
      rolled_back: true,
      disk_state: 'rolled_back',
      git_state: isClean ? 'clean' : 'modified',
      notes: [],
    });
    expect(report.test_output).toContain('the tide is as the table says');
    const after = statSync(join(root, 'tide.txt'), { bigint: true });
    expect([after.ino, after.mode, after.mtimeNs]).toEqual([before.ino, before.mode, before.mtimeNs]);
    expect(readFileSync(join(root, 'tide.txt'), 'utf8')).toBe(content);
    expect(readdirSync(root).sort()).toEqual(['.git', 'tide.test.js', 'tide.txt']);
  });

  test('other files that the suite wrote are named and left', async () => {
    const { root, repo, write } = tides();
    repo.file(
      'a.test.js',
      `require('node:fs').writeFileSync(__dirname + '/report.txt', 'made'); require('node:test')('x', () => {});`,
    );
    repo.commit();
    const report = await write({ diff: DIFF, filePath: 'tide.txt', testCommand });
    expect([report.success, report.notes]).toEqual([
      true,
      ['Also changed while the tests ran, and left so: report.txt.'],
    ]);
    expect(readFileSync(join(root, 'report.txt'), 'utf8')).toBe('made');
  });

  test('a file that somebody changed while the tests ran is left alone, and its bytes of before stay in the backup', async () => {
    const { root, repo, write } = tides();
    repo.file(
      'a.test.js',
      `require('node:fs').writeFileSync(__dirname + '/tide.txt', 'mine'); require('node:test')('x', () => { throw new Error('no'); });`,
    );
    repo.commit();
    const report = await write({ diff: DIFF, filePath: 'tide.txt', testCommand });
    expect([report.success, report.error_code, report.disk_state, report.backup]).toEqual([
      false,
      'ROLLBACK_CONFLICT',
      'conflict',
      'tide.txt.reforge-bak',
    ]);
    expect([
      readFileSync(join(root, 'tide.txt'), 'utf8'),
      readFileSync(join(root, 'tide.txt.reforge-bak'), 'utf8'),
    ]).toEqual(['mine', BEFORE]);
  });

  test('a backup that the passing suite deletes is made again, because nothing else holds its bytes', async () => {
    const { root, repo, write } = tides();
    writeProgram(repo, 'pytest', '#!/bin/sh\nrm -f *.reforge-bak\n');
    chmodSync(join(root, 'tide.txt'), 0o640);
    const report = await write({ diff: DIFF, filePath: 'tide.txt', testCommand: 'pytest' });
    expect([report.success, report.backup]).toEqual([true, 'tide.txt.reforge-bak']);
    expect([tide(root), readFileSync(join(root, 'tide.txt.reforge-bak'), 'utf8')]).toEqual([AFTER, BEFORE]);
    expect(statSync(join(root, 'tide.txt.reforge-bak')).mode & 0o777).toBe(0o640);
  });

  test('a suite that changes the file and deletes the backup leaves the bytes of before beside it', async () => {
    const { root, repo, write } = tides();
    writeProgram(repo, 'pytest', '#!/bin/sh\nrm -f *.reforge-bak\necho mine > tide.txt\nexit 1\n');
    const report = await write({ diff: DIFF, filePath: 'tide.txt', testCommand: 'pytest' });
    expect([report.error_code, report.backup]).toEqual(['ROLLBACK_CONFLICT', 'tide.txt.reforge-bak']);
    expect([tide(root), readFileSync(join(root, 'tide.txt.reforge-bak'), 'utf8')]).toEqual(['mine\n', BEFORE]);
  });

  test('a path that cannot be looked at after the tests does not undo a patch that passed', async () => {
    const { root, repo, write } = tides();
    repo.file(
      'a.test.js',
      `const fs = require('node:fs'); let at = __dirname; process.chdir(at);
       for (let n = 0; n < 30; n += 1) { fs.mkdirSync('x'.repeat(200)); process.chdir('x'.repeat(200)); }
       fs.writeFileSync('deep.txt', ''); require('node:test')('x', () => {});`,
    );
    repo.commit();
    const report = await write({ diff: DIFF, filePath: 'tide.txt', testCommand: 'node --test a.test.js' });
    expect([report.success, tide(root)]).toEqual([true, AFTER]);
    // Too deep for the removal at the end of the test as well.
    writeProgram(repo, 'pytest', '#!/bin/sh\nexit 0\n');
    execFileSync('rm', ['-rf', join(root, 'x'.repeat(200))]);
  });

  test('while the tests run, git does not see the old bytes as a new file', async () => {
    const { repo, write } = tides();
    writeProgram(repo, 'pytest', '#!/bin/sh\ngit status --porcelain\n');
    repo.commit();
    const report = await write({ diff: DIFF, filePath: 'tide.txt', testCommand: 'pytest' });
    expect([report.success, report.test_output]).toEqual([true, ' M tide.txt\n']);
  });

  test('a file that the suite deletes comes back, from memory when the backup is deleted too', async () => {
    const { root, repo, write } = tides();
    repo.file(
      'a.test.js',
      `const fs = require('node:fs'); for (const f of fs.readdirSync(__dirname)) if (f.startsWith('tide.txt')) fs.rmSync(__dirname + '/' + f);
       require('node:test')('x', () => { throw new Error('no'); });`,
    );
    repo.commit();
    chmodSync(join(root, 'tide.txt'), 0o600);
    const report = await write({ diff: DIFF, filePath: 'tide.txt', testCommand });
    expect([
      report.rolled_back,
      readFileSync(join(root, 'tide.txt'), 'utf8'),
      statSync(join(root, 'tide.txt')).mode & 0o777,
    ]).toEqual([true, BEFORE, 0o600]);
  });

  test('a suite that does not end is stopped, and the file is put back', async () => {
    const { root, repo, write } = tides({ settings: { testTimeoutMs: 1500 } });
    writeProgram(repo, 'pytest', '#!/bin/sh\nsleep 60\n');
    const report = await write({ diff: DIFF, filePath: 'tide.txt', testCommand: 'pytest' });
    expect([
      report.error_code,
      report.rolled_back,
      report.tests?.timed_out,
      readFileSync(join(root, 'tide.txt'), 'utf8'),
    ]).toEqual(['TIMED_OUT', true, true, BEFORE]);
  });

  test('a cancelled call ends the suite and puts the file back', async () => {
    const { root, repo, write } = tides();
    writeProgram(repo, 'pytest', '#!/bin/sh\nsleep 60\n');
    const stop = new AbortController();
    const watch = setInterval(() => {
      if (readFileSync(join(root, 'tide.txt'), 'utf8') === AFTER) stop.abort();
    }, 20);
    stop.signal.addEventListener('abort', () => {
      clearInterval(watch);
    });
    const report = await write({ diff: DIFF, filePath: 'tide.txt', testCommand: 'pytest' }, stop.signal);
    expect([
      report.error_code,
      report.rolled_back,
      report.disk_state,
      readFileSync(join(root, 'tide.txt'), 'utf8'),
    ]).toEqual(['CANCELLED', true, 'rolled_back', BEFORE]);
  });

  test('a suite that prints without end is stopped, and the file is put back', async () => {
    const { root, repo, write } = tides({
      change: (host) => ({
        ...host,
        runner: { ...host.runner, run: (request) => host.runner.run({ ...request, outputLimitBytes: 100_000 }) },
      }),
    });
    writeProgram(repo, 'pytest', '#!/bin/sh\nexec yes\n');
    const report = await write({ diff: DIFF, filePath: 'tide.txt', testCommand: 'pytest' });
    expect([report.error_code, report.rolled_back, readFileSync(join(root, 'tide.txt'), 'utf8')]).toEqual([
      'OUTPUT_TOO_LARGE',
      true,
      BEFORE,
    ]);
  });

  test('a program of the project’s own is named in a note', async () => {
    const { root, repo, write } = tides();
    writeProgram(repo, 'pytest', '#!/bin/sh\nexit 0\n');
    const report = await write({ diff: DIFF, filePath: 'tide.txt', testCommand: 'pytest' });
    expect(report.notes).toContain(`pytest is the project's own program: ${join(root, '.venv/bin/pytest')}.`);
  });
});

describe('refused before anything is written', () => {
  test.each([
    ['a file outside the root', { filePath: '/etc/hostname' }, 'PATH_OUTSIDE_REPO'],
    ['a file outside the root that is not there', { filePath: '/etc/no-such-file' }, 'PATH_OUTSIDE_REPO'],
    ['a path that climbs out', { filePath: '../tide.txt' }, 'PATH_OUTSIDE_REPO'],
    ['the root itself', { filePath: '.' }, 'PATH_OUTSIDE_REPO'],
    ['a missing file', { filePath: 'tides.txt' }, 'FILE_NOT_FOUND'],
    ['a folder', { filePath: 'folder' }, 'NOT_A_FILE'],
    ['git’s own file', { filePath: '.git/config' }, 'PATH_PROTECTED'],
    ['a hard link', { filePath: 'second.txt' }, 'HARD_LINKED'],
    ['a read-only file', { filePath: 'locked.txt' }, 'FILE_READ_ONLY'],
    ['a root outside the boundary', { repoRoot: '/srv' }, 'ROOT_REFUSED'],
    ['a diff that names another file', { diff: DIFF.replaceAll('tide.txt', 'ebb.txt') }, 'PATCH_WRONG_FILE'],
    ['a diff that is none', { diff: 'please lower the tide' }, 'PATCH_EMPTY'],
    ['a digest that does not fit', { expectedSha256: '0'.repeat(64) }, 'PREIMAGE_STALE'],
    ['a command that is not allowed', { testCommand: 'curl example.invalid' }, 'COMMAND_NOT_ALLOWED'],
    ['a command for a shell', { testCommand: 'npm test && rm -rf .' }, 'COMMAND_UNPARSABLE'],
    ['a program that is not there', { testCommand: 'tox' }, 'PROGRAM_NOT_FOUND'],
  ])('%s', async (_, request, code) => {
    const { root, repo, write } = tides();
    mkdirSync(join(root, 'folder'));
    linkSync(repo.file('first.txt', BEFORE), join(root, 'second.txt'));
    chmodSync(repo.file('locked.txt', BEFORE), 0o444);
    const before = treeOf(root);
    const report = await write({ diff: HEADERLESS, filePath: 'tide.txt', ...request });
    expect([report.success, report.error_code, report.disk_state, report.rolled_back]).toEqual([
      false,
      code,
      'unchanged',
      false,
    ]);
    expect(report.hint).not.toBe('');
    expect(treeOf(root)).toEqual(before);
  });

  test('places outside the root are refused in the same words, whatever is there', async () => {
    const { write } = tides();
    const reports = await Promise.all(
      ['/etc/hostname', '/etc/no-such-file', '/etc', '../x'].map((filePath) => write({ diff: DIFF, filePath })),
    );
    expect(new Set(reports.map((report) => JSON.stringify(report))).size).toBe(1);
  });

  test('the same diff again is refused as already applied', async () => {
    const { root, write } = tides();
    await write({ diff: DIFF, filePath: 'tide.txt' });
    const before = treeOf(root);
    const report = await write({ diff: DIFF, filePath: 'tide.txt' });
    expect([report.success, report.error_code]).toEqual([false, 'ALREADY_APPLIED']);
    expect(treeOf(root)).toEqual(before);
  });

  test('a file over the limit is refused before it is read', async () => {
    const { root, write } = tides();
    truncateSync(join(root, 'tide.txt'), 64 * 1024 * 1024 + 1);
    const report = await write({ diff: HEADERLESS, filePath: 'tide.txt' });
    expect([report.error_code, report.disk_state]).toEqual(['FILE_TOO_LARGE', 'unchanged']);
  });

  test.runIf(process.geteuid?.() === 0)('a file of another user is refused', () => {
    const { root, product } = tides();
    chmodSync(dirname(root), 0o755);
    chmodSync(join(root, 'tide.txt'), 0o666);
    const folder = product.host.openDirectory(root, []);
    process.seteuid?.(65_534);
    try {
      expect(product.host.readTarget(folder, 'tide.txt', 1000)).toEqual({
        ok: false,
        failure: failure('OWNER_DIFFERS', 'tide.txt belongs to the user with id 0, not to you.'),
      });
    } finally {
      process.seteuid?.(0);
      folder.close();
    }
  });

  test('a full disk is refused before the write', async () => {
    const { root, write } = tides({ change: (host) => ({ ...host, freeBytes: () => 10n }) });
    const report = await write({ diff: DIFF, filePath: 'tide.txt' });
    expect([report.error_code, readFileSync(join(root, 'tide.txt'), 'utf8')]).toEqual(['NO_SPACE', BEFORE]);
  });
});

test('calls for one root take turns: of fifty that each replace the same line, all but the fitting ones are refused', async () => {
  const { root, write } = tides();
  const reports = await Promise.all(Array.from({ length: 50 }, () => write({ diff: DIFF, filePath: 'tide.txt' })));
  expect(reports.filter((report) => report.success)).toHaveLength(1);
  expect(reports.filter((report) => report.error_code === 'ALREADY_APPLIED')).toHaveLength(49);
  writeFileSync(join(root, 'tide.txt'), BEFORE);
});
