import { expect, test } from 'vitest';
import { faultOfAssignment, isAssignment } from '../../../src/engine/command/environment.ts';

const assignable = new Map<string, RegExp | null>([
  ['PYTHONPATH', null],
  ['CI', /^(?:true|1)$/u],
]);

test.each(['A=', 'A=b', 'a_1=b=c', 'A+=b'])('%s is an assignment', (word) => {
  expect(isAssignment(word)).toBe(true);
});

test.each(['pytest', '-k=a', '1A=b', '=b', 'a-b=c', './a=b'])('%s is no assignment', (word) => {
  expect(isAssignment(word)).toBe(false);
});

test.each([
  ['CI=1', undefined],
  ['CI=maybe', 'gives CI a value other than the ones that are safe'],
  ['CI=1\n', 'gives CI a value other than the ones that are safe'],
  ['PYTHONPATH=', undefined],
  ['PYTHONPATH=src:/root/lib', undefined],
  ['PYTHONPATH=src:/etc', 'names `/etc`, outside the root'],
  ['PYTHONPATH=src;../x', 'names `../x`, outside the root'],
  ['PYTHONHOME=src', 'sets a variable that may change what runs'],
])('%s has the fault %s', (word, why) => {
  expect(faultOfAssignment(assignable, word, 0, '/root')?.why).toBe(why);
});
