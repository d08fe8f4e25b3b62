/** The examiner as a program, and what it says of words and syntax. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { analyse } from '../../../src/examiners/javascript/analyse.ts';
import { examine } from '../../../src/examiners/javascript/examine.ts';
import type { ExaminationRequest } from '../../../src/model/examination.ts';
import { REPOSITORY } from '../../support/source-files.ts';

const root = mkdtempSync(join(tmpdir(), 'examine-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

function request(path: string, before: string | null, after: string): ExaminationRequest {
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  return {
    root,
    searchFolders: [],
    files: [{ path, before: before === null ? null : encode(before), after: encode(after) }],
  };
}

const words = (text: string, path = 'a.ts'): readonly string[] => analyse(path, text).tokens.map(({ key }) => key);

describe('the program', () => {
  it('prints what the function answers', () => {
    const asked = request('a.ts', 'let a = 1', 'let a = 2');
    const path = join(root, 'request.json');
    writeFileSync(path, JSON.stringify(asked));
    const program = join(REPOSITORY, 'dist/examiners/javascript/main.js');
    const printed: unknown = JSON.parse(execFileSync(process.execPath, [program, path], { encoding: 'utf8' }));
    expect(printed).toEqual(examine(asked));
  });
});

describe('probes', () => {
  it('are placed in the text of before too, for what a change deletes', () => {
    const [file] = examine(request('a.js', 'a();\nb();', 'b();')).files;
    const placed = [file?.before, file?.after].map((side) => side?.statements.map(({ probe }) => probe?.[0]?.at));
    expect(placed).toEqual([[0, 5], [0]]);
  });
});

describe('words', () => {
  it('are the same for two layouts of one program', () => {
    expect(words('a(1,\n  2); // one\nb()')).toEqual(words('/* two */ a(1, 2);\n\n\nb()'));
  });

  it.each([
    ['return x', 'return\nx'],
    ['return a /b/ c', 'return a /b/  d'],
    ['let a = `x  y`', 'let a = `x y`'],
    ['let a = "x"', "let a = 'y'"],
  ])('tell %j from %j', (left, right) => {
    const wrap = (text: string): string => `function f() { ${text} }`;
    expect(words(wrap(left))).not.toEqual(words(wrap(right)));
  });

  it('hold text between tags, and comments that tools obey', () => {
    expect(words('/** @jsx h */\nx = <a>b  c</a>', 'a.jsx')).toEqual([
      '/** @jsx h */',
      '\nx',
      '=',
      ...['<', 'a', '>', 'b  c', '<', '/', 'a', '>'],
    ]);
  });
});

describe('syntax', () => {
  it('is judged as the name of the file says', () => {
    const fails = (path: string, text: string): boolean => analyse(path, text).syntax.length > 0;
    expect([
      fails('a.js', 'return 1'),
      fails('a.mjs', 'return 1'),
      fails('a.js', 'let a: number'),
      fails('a.ts', 'let a: number'),
      fails('a.ts', 'let a = <b>c</b>'),
      fails('a.tsx', 'let a = <b>c</b>'),
      fails('a.js', 'let a; let a'),
    ]).toEqual([false, true, true, false, true, false, true]);
  });

  it('errors keep their key when they move, and get another when they change', () => {
    const key = (text: string): string | undefined => analyse('a.js', text).syntax[0]?.key;
    expect([key('a(\n}') === key('b();\n\na(\n}'), key('a(\n}') === key('a(\n)}')]).toEqual([true, false]);
  });

  it.each([
    ['package.json', '{"a": 1}', []],
    ['package.json', '{"a": 1,}', ['Expected double-quoted property name.']],
    ['package.json', '', ['Unexpected end of JSON input.']],
    ['tsconfig.json', '{ // why\n "a": [1,], }', []],
    ['tsconfig.json', '{ "a": }', ['Unexpected token.']],
  ])('of %s with %j', (path, text, expected) => {
    expect(analyse(path, text).syntax.map(({ message }) => message)).toEqual(expected);
  });

  it('counts a byte order mark, and characters outside the first plane as two', () => {
    const { statements } = analyse('a.js', '\uFEFF/* 😀 */ a()');
    expect(statements.map(({ start, end }) => [start, end])).toEqual([[10, 13]]);
  });
});
