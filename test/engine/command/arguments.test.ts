import { expect, test } from 'vitest';
import { firstFault } from '../../../src/engine/command/arguments.ts';
import { compileTable } from '../../../src/engine/command/flag-table.ts';
import type { FlagTable } from '../../../src/model/allowlist.ts';

const flags: FlagTable = {
  style: 'gnu',
  boolean: ['-q', '--fast', '--cov'],
  value: [{ flag: '-j', matches: '\\d*' }, { flag: '--tb', matches: 'short' }, '--dir', '--cov'],
  pattern: ['-k'],
  refused: [{ flags: ['-c', '--config'], why: 'reads another file' }],
  operands: { matches: '[a-z./]*', why: 'is no test' },
};

function faultIn(command: string, style: FlagTable['style'] = 'gnu', namedUntil = 0) {
  const table = compileTable('a', [{ runner: 'a', rules: [], flags: { ...flags, style } }], new Map());
  const fault = firstFault({ table, words: command.split(' '), start: 0, namedUntil, root: '/root' });
  return fault === null ? null : `${fault.word} ${fault.why}`;
}

test.each([
  '-q --fast a/b',
  '-j4',
  '-j 4',
  '-j -q',
  '-qj4',
  '--tb=short',
  '--tb short',
  '-k ../x',
  '-qk../x',
  '--cov=src',
])('%s has no fault', (command) => {
  expect(faultIn(command)).toBeNull();
});

test.each([
  ['-c x', '-c reads another file'],
  ['-qcx', '-qcx holds -c, which reads another file'],
  ['-zc', '-zc may hold -c, which reads another file'],
  ['-k -c', '-c reads another file'],
  ['--conf x', '--conf can be read as --config, which reads another file'],
  ['--CONFIG=x', '--CONFIG=x can be read as --config, which reads another file'],
  ['--fast=now', '--fast=now gives a value to --fast, which takes none'],
  ['--other', '--other is no flag that Surepatch knows for this runner'],
  ['--tb', '--tb lacks its value'],
  ['--tb -q', '--tb lacks its value'],
  ['--tb long', 'long has a value other than the ones that are safe here (short)'],
  ['-j a', 'a has a value other than the ones that are safe here (\\d*)'],
  ['--cov ../x', '../x names `../x`, outside the root'],
  ['--dir /etc', '/etc names `/etc`, outside the root'],
  ['A=B', 'A=B is no test'],
  ['-', '- reads standard input, which is closed'],
  ['-- a', '-- hands the words after it to another program'],
  ['-k @x', '@x names a file of further arguments'],
])('in %s the fault is: %s', (command, fault) => {
  expect(faultIn(command)).toBe(fault);
});

test('words that a prefix names may be unknown and may not be refused', () => {
  expect([faultIn('--other A=B', 'gnu', 2), faultIn('--other A=B', 'gnu', 1), faultIn('-c x', 'gnu', 2)]).toEqual([
    null,
    'A=B is no test',
    '-c reads another file',
  ]);
});

test('in the style of words one dash and two name the same flag, and letters are not taken apart', () => {
  expect([faultIn('--c', 'word'), faultIn('-c:x', 'word'), faultIn('-qc', 'word'), faultIn('--q', 'word')]).toEqual([
    '--c reads another file',
    '-c:x reads another file',
    '-qc is no flag that Surepatch knows for this runner',
    null,
  ]);
});
