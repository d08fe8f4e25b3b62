import { chmodSync, chownSync, linkSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readTarget, sha256 } from '../../src/io/target-file.ts';
import { BEFORE, writeGround, type WriteGround } from '../support/write-ground.ts';

const LIMIT = 1000;

let ground: WriteGround;

beforeEach(() => {
  ground = writeGround();
});

afterEach(() => {
  ground.dispose();
});

function read(name = 'app.txt', limit = LIMIT): unknown {
  const target = readTarget(ground.folder, name, limit);
  return target.ok
    ? [target.value.bytes.toString('latin1'), target.value.sha256, target.value.facts.ino]
    : [target.failure.code, target.failure.message];
}

it('reads the bytes, their digest and the facts', () => {
  const { ino } = statSync(ground.path('app.txt'), { bigint: true });
  expect(read()).toEqual([BEFORE, sha256([Buffer.from(BEFORE)]), ino]);
});

it('reads an empty file and one of exactly the limit', () => {
  writeFileSync(ground.path('app.txt'), '');
  expect(read()).toEqual(['', sha256([]), expect.any(BigInt)]);
  writeFileSync(ground.path('app.txt'), 'x'.repeat(LIMIT));
  expect(read()).toEqual(['x'.repeat(LIMIT), expect.any(String), expect.any(BigInt)]);
});

it.each([
  ['a link', 'NOT_A_FILE', 'link is not a regular file.', 'link'],
  ['nothing', 'NOT_A_FILE', 'missing is not a regular file.', 'missing'],
])('refuses %s', (_, code, message, name) => {
  symlinkSync('app.txt', ground.path('link'));
  expect(read(name)).toEqual([code, message]);
});

it('refuses a file with a second name', () => {
  linkSync(ground.path('app.txt'), ground.path('second'));
  expect(read()).toEqual(['HARD_LINKED', 'app.txt has 2 hard links, and a write would split them.']);
});

it('refuses a file that its owner may not write', () => {
  chmodSync(ground.path('app.txt'), 0o444);
  expect(read()).toEqual(['FILE_READ_ONLY', 'app.txt is read-only (mode 444).']);
});

it('refuses a file over the limit before reading it', () => {
  expect(read('app.txt', 6)).toEqual(['FILE_TOO_LARGE', 'app.txt has 7 bytes, the limit is 6.']);
});

it.runIf(process.geteuid?.() === 0)('lets root write the file of another user', () => {
  chownSync(ground.path('app.txt'), 4321, 4321);
  expect(read()).toEqual([BEFORE, expect.any(String), expect.any(BigInt)]);
});
