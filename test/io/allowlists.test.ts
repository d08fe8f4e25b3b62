import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readAllowlist, readAllowlists } from '../../src/io/allowlists.ts';
import { ALLOWLISTS, valueOf } from '../support/policy.ts';

const folder = mkdtempSync(join(tmpdir(), 'surepatch-allowlists-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function messageFor(text: string): string {
  const path = join(folder, 'own.json');
  writeFileSync(path, text);
  const read = readAllowlist(path);
  return read.ok ? '' : read.failure.message.replace(folder, '');
}

test('the built-in allowlists are read in the order of their names, without the schema', () => {
  const runners = valueOf(readAllowlists(ALLOWLISTS)).map((file) => file.runner);
  const names = runners.map((runner) => `${runner}.json`);
  expect(names).toEqual(names.toSorted());
  expect(runners).toEqual(expect.arrayContaining(['pytest', 'npm', 'go', 'cargo', 'maven', 'dotnet', 'make', 'ctest']));
});

test('a file comes back as it was written', () => {
  const file = { runner: 'own', rules: [], environment: [{ name: 'A', value: 'paths', justification: 'x' }] };
  const path = join(folder, 'good.json');
  writeFileSync(path, JSON.stringify(file));
  expect(readAllowlist(path)).toEqual({ ok: true, value: file });
});

test.each([
  ['{', /^The allowlist \/own\.json cannot be used: it is no JSON \(/u],
  ['[]', /: the file: /u],
  ['{"runner":"own","rules":[],"extra":1}', /: the file: Unrecognized key: "extra"\.$/u],
  ['{"runner":"own","rules":[{"prefix":[]}]}', /: rules\.0\.prefix: .*; rules\.0\.justification: /u],
  ['{"runner":"own","rules":[],"flags":null}', /: flags: /u],
  ['{"runner":"Own!","rules":[]}', /: runner: /u],
])('%s is refused with the file and the place in it', (text, message) => {
  expect(messageFor(text)).toMatch(message);
});

test('a file or folder that is not there is refused by its name', () => {
  for (const read of [readAllowlist(join(folder, 'none.json')), readAllowlists(join(folder, 'none'))]) {
    expect(read).toMatchObject({ ok: false, failure: { code: 'ALLOWLIST_INVALID' } });
    expect(read.ok ? '' : read.failure.message).toContain('none');
  }
});
