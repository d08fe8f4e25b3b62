import { expect, test } from 'vitest';
import { compilePolicy } from '../../../src/engine/command/compile.ts';
import { allowedPrefixes } from '../../../src/engine/command/policy.ts';
import type { AllowlistFile, FlagTable } from '../../../src/model/allowlist.ts';
import { readAllowlists } from '../../../src/io/allowlists.ts';
import { ALLOWLISTS, builtInPolicy, valueOf } from '../../support/policy.ts';

const flags: FlagTable = {
  style: 'gnu',
  boolean: ['-q'],
  value: [],
  pattern: [],
  refused: [{ flags: ['--list'], why: 'lists the tests' }],
};
const rule = {
  prefix: [['apple', 'pear'], 'test'],
  justification: 'fruit',
  allows: ['apple test -q'],
  refuses: [{ command: 'pear test --list', why: 'lists the tests' }],
};
const file: AllowlistFile = { runner: 'fruit', rules: [rule], flags };

function messageOf(...files: AllowlistFile[]): string {
  const compiled = compilePolicy(files);
  return compiled.ok ? '' : `${compiled.failure.code} ${compiled.failure.message}`;
}

test('alternatives in a prefix become prefixes of their own', () => {
  expect(allowedPrefixes(valueOf(compilePolicy([file])))).toEqual(['apple test', 'pear test']);
});

test('an example that should be allowed and is not stops the start', () => {
  expect(messageOf({ ...file, rules: [{ ...rule, allows: ['apple test --list'] }] })).toBe(
    'ALLOWLIST_INVALID An allowlist cannot be used: fruit: the rule [["apple","pear"],"test"] should allow ' +
      '`apple test --list`: Word 3 of the command, `--list`, is refused for `apple test`: it lists the tests..',
  );
});

test('an example that should be refused and is not stops the start', () => {
  expect(messageOf({ ...file, rules: [{ ...rule, refuses: [{ command: 'apple test', why: 'x' }] }] })).toContain(
    'should refuse `apple test`, and it is allowed',
  );
});

test('an example that is refused for another reason stops the start', () => {
  expect(
    messageOf({ ...file, rules: [{ ...rule, refuses: [{ command: 'apple test --list', why: 'eats fruit' }] }] }),
  ).toContain('because it "eats fruit", and the reason given is: Word 3');
});

test('an example that another rule allows stops the start', () => {
  const other = { ...rule, prefix: ['plum'], allows: ['plum'], refuses: [] };
  expect(messageOf({ ...file, rules: [{ ...rule, allows: ['plum'] }, other] })).toContain(
    'should allow `plum`, and another rule does',
  );
});

test.each([
  ['two files for one runner', [file, file], 'there is another file for this runner'],
  ['rules without flags', [{ runner: 'fruit', rules: [rule] }], 'it has rules and no flags'],
  [
    'an unknown runner',
    [{ ...file, flags: { ...flags, include: ['nuts'] } }],
    'no flags are given for the runner nuts',
  ],
  [
    'a malformed expression',
    [{ ...file, flags: { ...flags, value: [{ flag: '-n', matches: '(' }] } }],
    'Invalid regular expression',
  ],
  [
    'a malformed value of a variable',
    [{ runner: 'env', rules: [], environment: [{ name: 'A', value: { matches: '[' }, justification: 'x' }] }],
    'Invalid regular expression',
  ],
])('%s stops the start', (_name, files, message) => {
  expect(messageOf(...files)).toContain(message);
});

test('the built-in allowlists name no program by a path but those of a virtual environment and of node_modules', () => {
  const paths = allowedPrefixes(builtInPolicy()).filter((prefix) => /^\S*\//u.test(prefix));
  expect(paths.filter((prefix) => !/^(?:\.?venv\/bin|(?:\.\/)?node_modules\/\.bin|bin\/rails)/u.test(prefix))).toEqual(
    [],
  );
});

test('every flag of a built-in table is known or refused, and not both', () => {
  for (const { runner, flags: table } of valueOf(readAllowlists(ALLOWLISTS))) {
    const refused = new Set(table?.refused.flatMap((entry) => entry.flags));
    const values = (table?.value ?? []).map((entry) => (typeof entry === 'string' ? entry : entry.flag));
    const both = [...(table?.boolean ?? []), ...values, ...(table?.pattern ?? [])].filter((flag) => refused.has(flag));
    expect([runner, both]).toEqual([runner, []]);
  }
});
