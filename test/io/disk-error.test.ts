import { constants } from 'node:os';
import { openSync } from 'node:fs';
import { expect, it } from 'vitest';
import { diskFailure, errnoOf } from '../../src/io/disk-error.ts';

function thrown(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

it('names the error of a real system call', () => {
  expect(errnoOf(thrown(() => openSync('/nowhere/at/all', 'r')))).toBe('ENOENT');
});

it.each(['Unknown system error -122', 'UNKNOWN'])('names a full quota by its number where Node says %s', (code) => {
  const error = Object.assign(new Error(code), { code, errno: -constants.errno.EDQUOT });
  expect([errnoOf(error), diskFailure(error, 'to write').code]).toEqual(['EDQUOT', 'NO_SPACE']);
});

it('gives an error that the system has no name for its number', () => {
  expect(errnoOf(Object.assign(new Error('?'), { code: 'UNKNOWN', errno: -4000 }))).toBe('E4000');
});

it.each([
  [new Error('plain')],
  [Object.assign(new Error('of Node'), { code: 'ERR_INVALID_ARG_TYPE' })],
  [{ code: 'ENOENT' }],
  ['ENOENT'],
])('does not take %o for an error of the system', (error) => {
  expect([errnoOf(error), thrown(() => diskFailure(error, 'anything'))]).toEqual([null, error]);
});

it.each([
  ['ENOSPC', 'NO_SPACE'],
  ['EFBIG', 'NO_SPACE'],
  ['EROFS', 'DISK_FAILED'],
])('words %s', (code, failure) => {
  const { code: found, message } = diskFailure(Object.assign(new Error(code), { code, errno: -1 }), 'to write app.txt');
  expect([found, message]).toEqual([failure, `The disk refused to write app.txt (${code}).`]);
});
