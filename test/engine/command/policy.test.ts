import { expect, test } from 'vitest';
import { closestPrefix, matchingRule } from '../../../src/engine/command/policy.ts';
import { builtInPolicy } from '../../support/policy.ts';

const policy = builtInPolicy();

test.each([
  ['mvn -q test -X', 'mvn -q test'],
  ['npm run test:unit', 'npm run test:unit'],
  ['npm run test:unitary', undefined],
  ['npm', undefined],
])('the longest rule that %s begins with is %s', (command, prefix) => {
  expect(matchingRule(policy, command.split(' '))?.prefix.join(' ')).toBe(prefix);
});

test.each([
  ['python -I -m pytest', 'python -m pytest'],
  ['./vendor/bin/phpunit', 'phpunit'],
  ['npm --prefix x test', 'npm test'],
  ['frobnicate', null],
])('the allowed prefix closest to %s is %s', (command, prefix) => {
  expect(closestPrefix(policy, command.split(' '))).toBe(prefix);
});
