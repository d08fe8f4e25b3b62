import { expect, test } from 'vitest';
import { compileDiscovery, holdEveryTest } from '../../../src/engine/command/discovery.ts';
import { projectOf } from '../../support/project-facts.ts';

const discovery = compileDiscovery({
  files: 'test_.*',
  ignored: '\\..*|build',
  marker: 'pyvenv.cfg',
  settings: ['tox.ini', 'setup.cfg'],
  unless: 'python_files',
});
const files = ['tests/test_tide.py', 'src/tide.py'];

test.each([
  ['a folder with all tests holds them', [], ['tests'], true],
  ['however it is spelled', [], ['./tests//'], true],
  ['one with none of them does not', [], ['src'], false],
  ['a file does not', [], ['tests/test_tide.py'], false],
  ['a test in another folder is outside', ['src/deep/test_low.py'], ['tests'], false],
  ['a test beside the folders is outside', ['test_low.py'], ['tests'], false],
  ['two folders hold them together', ['src/deep/test_low.py'], ['src/deep', 'tests'], true],
  ['a folder that is never looked into does not count', ['build/test_low.py', '.git/test_x'], ['tests'], true],
  ['nor does one with the marker', ['env/pyvenv.cfg', 'env/lib/test_x.py'], ['tests'], true],
  ['but the root counts with the marker too', ['pyvenv.cfg', 'test_low.py'], ['tests'], false],
])('%s', (_, more, operands, holds) => {
  expect(holdEveryTest(projectOf([...files, ...more]), discovery, operands)).toBe(holds);
});

test('settings that say what a test is leave nothing known', () => {
  const of = (text: string) => holdEveryTest(projectOf(files, { 'setup.cfg': text }), discovery, ['tests']);
  expect([of('[metadata]'), of('python_files = check_*.py')]).toEqual([true, false]);
});

test('a tree of too many folders is not searched', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `f${index}/a.py`);
  const of = (count: number) => holdEveryTest(projectOf([...files, ...many(count)]), discovery, ['tests']);
  expect([of(10), of(5001)]).toEqual([true, false]);
});
