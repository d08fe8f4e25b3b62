import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyTree, systemCopy } from '../../../src/io/shadow/copy-tree.ts';
import { temporaryFolder } from '../../support/git-repo.ts';

let folder: ReturnType<typeof temporaryFolder>;
let from: string;
let to: string;

beforeEach(() => {
  folder = temporaryFolder();
  from = join(folder.path, 'from');
  to = join(folder.path, 'to');
  mkdirSync(join(from, 'src/closed'), { recursive: true });
  mkdirSync(join(from, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(from, 'src/tool.sh'), 'tool');
  writeFileSync(join(from, 'src/closed/a'), 'a');
  writeFileSync(join(from, 'node_modules/dependency.js'), 'dependency');
  symlinkSync('../dependency.js', join(from, 'node_modules/.bin/relative'));
  symlinkSync(join(from, 'src'), join(from, 'absolute'));
  symlinkSync(`${from}-not`, join(from, 'neighbour'));
  symlinkSync('/nowhere', join(from, 'dangling'));
  chmodSync(join(from, 'src/tool.sh'), 0o751);
  chmodSync(join(from, 'src/closed'), 0o555);
  for (const path of ['src/closed/a', 'src/tool.sh', 'src/closed', 'src', 'node_modules', '']) {
    utimesSync(join(from, path), new Date(1e12), new Date(1.1e12));
  }
});
afterEach(() => {
  folder.dispose();
});

/** Path → mode, time of change and content; links as `-> target`, with `to` written as `from`. */
function look(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    ['', ...names].sort().map((name) => {
      const path = join(root, name);
      const { mode, mtimeMs } = lstatSync(path);
      const isLink = (mode & 0o170000) === 0o120000;
      const isFile = (mode & 0o170000) === 0o100000;
      const content = isLink ? `-> ${readlinkSync(path)}` : isFile ? readFileSync(path, 'utf8') : '';
      return [name, `${mode.toString(8)} ${Math.round(mtimeMs)} ${content}`];
    }),
  );
}

describe.each([
  ['the cp of the system', systemCopy()],
  ['a walk of our own', null],
  ['a walk, because this cp does not know the options', 'strange'],
])('a copy by %s', (name, program) => {
  const copy = (signal?: AbortSignal) => {
    if (program !== 'strange') return copyTree({ from, to, signal }, program);
    const strange = join(folder.path, 'cp');
    writeFileSync(strange, '#!/bin/sh\necho "cp: unrecognized option: reflink" >&2; exit 1\n', { mode: 0o755 });
    return copyTree({ from, to, signal }, strange);
  };

  describe.skipIf(name.startsWith('the cp') && program === null)('', () => {
    it('copies one file', async () => {
      const file = join(folder.path, 'settings.ini');
      writeFileSync(file, 'tide=high\n', { mode: 0o750 });
      const outcome = await copyTree({ from: file, to: `${file}.copy` }, program === 'strange' ? null : program);
      expect([outcome, readFileSync(`${file}.copy`, 'utf8'), lstatSync(`${file}.copy`).mode & 0o777]).toEqual([
        { failure: null, missing: [] },
        'tide=high\n',
        0o750,
      ]);
    });

    it('keeps content, modes and times, and leads absolute links into the copy', async () => {
      const expected = look(from);
      expect(await copy()).toEqual({ failure: null, missing: [] });
      const led = lstatSync(join(from, 'absolute'));
      expect(look(to)).toEqual({
        ...expected,
        absolute: `${led.mode.toString(8)} ${Math.round(led.mtimeMs)} -> ${join(to, 'src')}`,
      });
    });

    it('leaves sockets and pipes out', async () => {
      execFileSync('mkfifo', [join(from, 'src/pipe')]);
      utimesSync(join(from, 'src'), new Date(1e12), new Date(1.1e12));
      expect(await copy()).toEqual({ failure: null, missing: [] });
      expect(readdirSync(join(to, 'src')).sort()).toEqual(['closed', 'tool.sh']);
      expect(lstatSync(join(to, 'src')).mtimeMs).toBe(1.1e12);
    });

    it('shares no file with the original', async () => {
      await copy();
      writeFileSync(join(to, 'node_modules/dependency.js'), 'changed');
      expect(readFileSync(join(from, 'node_modules/dependency.js'), 'utf8')).toBe('dependency');
    });

    it('ends when the call is cancelled', async () => {
      expect((await copy(AbortSignal.abort())).failure?.code).toBe('CANCELLED');
    });
  });
});

it('says that a disk is full', async () => {
  const program = join(folder.path, 'cp');
  writeFileSync(program, '#!/bin/sh\necho "cp: error writing: No space left on device" >&2; exit 1\n', { mode: 0o755 });
  expect((await copyTree({ from, to }, program)).failure?.code).toBe('NO_SPACE');
});

it('names what could not be read, and copies the rest', async () => {
  const program = join(folder.path, 'cp');
  writeFileSync(program, '#!/bin/sh\ncp -a "$5" "$6"; echo "cp: cannot open x: Permission denied" >&2; exit 1\n', {
    mode: 0o755,
  });
  expect(await copyTree({ from, to }, program)).toEqual({
    failure: null,
    missing: ['cp: cannot open x: Permission denied'],
  });
});

it.each([systemCopy(), null])('says what the disk refuses (by %s)', async (program) => {
  writeFileSync(join(folder.path, 'file'), '');
  const { failure } = await copyTree({ from, to: join(folder.path, 'file/to') }, program);
  expect(failure?.code).toBe('DISK_FAILED');
});
