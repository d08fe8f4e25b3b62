import { expect, test } from 'vitest';
import { climbs, isAbsolute, partOutsideRoot } from '../../../src/engine/command/paths.ts';

const ROOT = '/work/app';

test.each([
  ['tests/test_a.py', null],
  ['./...', null],
  ['...', null],
  ['a/../b', null],
  ['a..b', null],
  ['/work/app', null],
  ['/work/app/tests', null],
  ['--cov=/work/app/src', null],
  ['src:lib', null],
  ['@scope/name', null],
  ['/work/application', '/work/application'],
  ['/work/app/../x', '/work/app/../x'],
  ['..', '..'],
  ['../x', '../x'],
  ['a/../../app/b', 'a/../../app/b'],
  ['/etc/passwd', '/etc/passwd'],
  ['//host/share', '//host/share'],
  ['--flag=/etc', '/etc'],
  ['--flag=src:/etc', '/etc'],
  ['-I/etc', '/etc'],
  ['-I../x', '../x'],
  ['a,../x', '../x'],
  ['@/etc/args', '/etc/args'],
  ['~/x', '~/x'],
  ['--flag=~root', '~root'],
  ['file:///etc/passwd', '///etc/passwd'],
  ['https://host/x', '//host/x'],
  ['C:\\Windows', 'C:\\Windows'],
  ['c:/x', 'c:/x'],
  ['\\\\host\\share', '\\\\host\\share'],
  ['..\\x', '..\\x'],
])('in %s the part outside the root is %s', (word, part) => {
  expect(partOutsideRoot(word, ROOT)).toBe(part);
});

test('a root whose name holds separators still contains its files', () => {
  expect(partOutsideRoot('--cov=/tmp/a@b=c/src', '/tmp/a@b=c/')).toBeNull();
});

test('a Windows root contains its files and no other drive', () => {
  expect(partOutsideRoot('--cov=C:\\app\\src', 'C:\\app')).toBeNull();
  expect(partOutsideRoot('D:x', 'C:\\app')).toBe('D:x');
});

test('a path that leaves and comes back climbs', () => {
  expect([climbs('a/../../b/c'), climbs('a/../b'), isAbsolute('C:/x'), isAbsolute('a/b')]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
