import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listProjectFolder, readProjectFile } from '../../src/io/project-files.ts';

let beside: string;
let root: string;
beforeEach(() => {
  beside = realpathSync(mkdtempSync(join(tmpdir(), 'surepatch-project-')));
  root = join(beside, 'harbour');
  mkdirSync(join(root, 'tests/deep'), { recursive: true });
  writeFileSync(join(root, 'pyproject.toml'), '[project]\n');
  writeFileSync(join(root, 'tests/test_tide.py'), 'low = 1\n');
  writeFileSync(join(beside, 'secret.toml'), 'secret');
  mkdirSync(join(beside, 'other'));
});
afterEach(() => {
  rmSync(beside, { recursive: true, force: true });
});

describe('readProjectFile', () => {
  test('gives the text of a file of the root, in folders and through links that stay inside', () => {
    symlinkSync('tests', join(root, 'spec'));
    symlinkSync(join(root, 'pyproject.toml'), join(root, 'linked.toml'));
    expect([
      readProjectFile(root, 'pyproject.toml'),
      readProjectFile(root, './tests/test_tide.py'),
      readProjectFile(root, 'spec/test_tide.py'),
      readProjectFile(root, 'linked.toml'),
    ]).toEqual(['[project]\n', 'low = 1\n', 'low = 1\n', '[project]\n']);
  });

  test.each([
    ['a missing file', 'setup.cfg'],
    ['a file in a missing folder', 'no/setup.cfg'],
    ['a file below a file', 'pyproject.toml/x'],
    ['a folder', 'tests'],
    ['the root', '.'],
    ['a path that climbs out', '../secret.toml'],
    ['a link that leaves the root', 'leaves.toml'],
    ['a folder that is a link out of the root', 'outside/secret.toml'],
    ['a link that leads nowhere', 'dangling.toml'],
    ['a link to itself', 'loop.toml'],
    ['a pipe', 'pipe'],
    ['bytes that are not UTF-8', 'latin1.cfg'],
    ['a name that is too long', 'x'.repeat(300)],
    ['a name with a NUL', 'pyproject.toml\0'],
  ])('%s says nothing', (_, path) => {
    symlinkSync(join(beside, 'secret.toml'), join(root, 'leaves.toml'));
    symlinkSync('..', join(root, 'outside'));
    symlinkSync('nowhere', join(root, 'dangling.toml'));
    symlinkSync('loop.toml', join(root, 'loop.toml'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    writeFileSync(join(root, 'latin1.cfg'), Buffer.from([0x66, 0xe9]));
    expect(readProjectFile(root, path)).toBeNull();
  });

  test('an absolute path says nothing, not even one that lies in the root', () => {
    expect(readProjectFile(root, join(root, 'pyproject.toml'))).toBeNull();
  });

  test('a file of 1 MiB is read and one byte more is too many', () => {
    writeFileSync(join(root, 'fits.json'), 'x'.repeat(1 << 20));
    writeFileSync(join(root, 'large.json'), 'x'.repeat((1 << 20) + 1));
    expect([readProjectFile(root, 'fits.json')?.length, readProjectFile(root, 'large.json')]).toEqual([1 << 20, null]);
  });

  test('a byte order mark is left out, as the programs that read these files do', () => {
    writeFileSync(join(root, 'package.json'), '\uFEFF{}');
    expect(readProjectFile(root, 'package.json')).toBe('{}');
  });
});

describe('listProjectFolder', () => {
  test('names folders with a slash, and links as what they lead to in the root', () => {
    symlinkSync('tests', join(root, 'spec'));
    symlinkSync('pyproject.toml', join(root, 'linked.toml'));
    symlinkSync('.', join(root, 'self'));
    symlinkSync(join(beside, 'other'), join(root, 'leaves'));
    symlinkSync('nowhere', join(root, 'dangling'));
    expect(listProjectFolder(root, '.')).toEqual([
      'dangling',
      'leaves',
      'linked.toml',
      'pyproject.toml',
      'self/',
      'spec/',
      'tests/',
    ]);
    expect(listProjectFolder(root, '')).toEqual(listProjectFolder(root, '.'));
    expect(listProjectFolder(root, 'spec/')).toEqual(['deep/', 'test_tide.py']);
  });

  test('what is no folder of the root is empty', () => {
    symlinkSync(join(beside, 'other'), join(root, 'leaves'));
    writeFileSync(join(beside, 'other/x'), '');
    const places = ['missing', 'pyproject.toml', '..', '../other', 'leaves', join(root, 'tests')];
    expect(places.map((place) => listProjectFolder(root, place))).toEqual(places.map(() => []));
  });

  test.skipIf(process.platform !== 'linux')('a name that is not UTF-8 is left out', () => {
    writeFileSync(Buffer.concat([Buffer.from(join(root, 'tests/')), Buffer.from([0xe9])]), '');
    expect(listProjectFolder(root, 'tests')).toEqual(['deep/', 'test_tide.py']);
  });
});
