import { afterAll, describe, expect, test } from 'vitest';
import { changedParts } from '../../../src/engine/evidence/changed-parts.ts';
import { examine } from '../../../src/examiners/javascript/examine.ts';
import type { SourceAnalysis, Span } from '../../../src/model/examination.ts';
import { analysisOf } from '../../support/analysis.ts';
import { temporaryFolder } from '../../support/git-repo.ts';
import { examinePython } from '../../support/python-project.ts';

interface Found {
  /** What changed, as the texts have it. */
  readonly statements?: readonly string[];
  readonly arms?: readonly string[];
  readonly deleted?: readonly string[];
  readonly deletedArms?: readonly string[];
  readonly isInert?: true;
  readonly isUnreadable?: true;
}

interface Change {
  readonly before: string | null;
  readonly after: string;
}

type Case = readonly [what: string, change: Change, found: Found];

const folder = temporaryFolder();
afterAll(() => {
  folder.dispose();
});

function found({ before, after }: Change, old: SourceAnalysis | null, next: SourceAnalysis): Found {
  const parts = changedParts(old, next);
  const texts = (text: string, spans: readonly Span[], wanted: readonly number[]): readonly string[] =>
    wanted.map((index) => text.slice(spans[index]?.start, spans[index]?.end).replace(/\s+/gu, ' '));
  const some = (name: keyof Found, list: readonly string[]) => (list.length === 0 ? {} : { [name]: list });
  return {
    ...some('statements', texts(after, next.statements, parts.statements)),
    ...some('arms', texts(after, next.arms, parts.arms)),
    ...some('deleted', texts(before ?? '', old?.statements ?? [], parts.deleted)),
    ...some('deletedArms', texts(before ?? '', old?.arms ?? [], parts.deletedArms)),
    ...(parts.isInert ? { isInert: true } : {}),
    ...(parts.isUnreadable ? { isUnreadable: true } : {}),
  };
}

const SMALL: readonly Case[] = [
  ['a word is replaced', { before: 'a b\nc d', after: 'a x\nc d' }, { statements: ['a x'] }],
  ['a word is added', { before: 'a b', after: 'a b c' }, { statements: ['a b c'] }],
  ['a word is removed at the end of a line', { before: 'a b\nc', after: 'a\nc' }, { statements: ['a'] }],
  ['a word is removed at the start of a line', { before: 'a b\nc', after: 'b\nc' }, { statements: ['b'] }],
  ['a line is removed', { before: 'a\nb\nc', after: 'a\nc' }, { deleted: ['b'] }],
  ['the first line is removed', { before: 'a\nb', after: 'b' }, { deleted: ['a'] }],
  ['the last line is removed', { before: 'a\nb', after: 'a' }, { deleted: ['b'] }],
  [
    'the end of one line and the next line are removed',
    { before: 'a b\nc\nd', after: 'a\nd' },
    { statements: ['a'], deleted: ['c'] },
  ],
  ['a line is added', { before: 'a\nc', after: 'a\nb\nc' }, { statements: ['b'] }],
  ['a line moves into a block', { before: 'if a\n b\nc', after: 'if a\n b\n c' }, { statements: ['c'] }],
  ['a condition changes', { before: 'if a\n b', after: 'if x\n b' }, { statements: ['if x b'], arms: ['b'] }],
  [
    'a word is removed from a condition',
    { before: 'if a and b\n c', after: 'if a\n c' },
    { statements: ['if a c'], arms: ['c'] },
  ],
  ['what is inside a block changes', { before: 'if a\n b', after: 'if a\n x' }, { statements: ['x'] }],
  ['a block is removed', { before: 'a\nif b\n c\nd', after: 'a\nd' }, { deleted: ['if b c', 'c'] }],
  ['all lines inside a block are removed', { before: 'if a\n b\nc', after: 'if a\nc' }, { deleted: ['b'] }],
  ['comments and blank lines change', { before: 'a b # one\nc', after: '# two\n\na  b\nc' }, { isInert: true }],
  ['what never runs changes', { before: 'type a\nb', after: 'type x\nb' }, {}],
  ['what never runs is removed', { before: 'type a\nb', after: 'b' }, {}],
  ['what runs gives way to what never does', { before: 'a\nc', after: 'type b\nc' }, { deleted: ['a'] }],
  ['a line stays and runs no more', { before: 'x\na type b', after: 'x\ntype a type b' }, { deleted: ['a type b'] }],
  [
    'the head of a function changes',
    { before: 'function a\n type b\n c\n d', after: 'function x\n type b\n c\n d' },
    { statements: ['function x type b c d', 'c'] },
  ],
  [
    'the head of a function inside another changes',
    { before: 'function a\n function b\n  c', after: 'function a\n function x\n  c' },
    { statements: ['function x c', 'c'] },
  ],
  [
    'a directive changes',
    { before: 'directive a\nb', after: 'directive x\nb' },
    { statements: ['directive x'], isUnreadable: true },
  ],
  [
    'a directive is removed',
    { before: 'directive a\nb', after: 'b' },
    { deleted: ['directive a'], isUnreadable: true },
  ],
  ['a file is created', { before: null, after: 'a\nif b\n c' }, { statements: ['a', 'if b c', 'c'], arms: ['c'] }],
  ['an empty file is created', { before: null, after: '' }, { isInert: true, isUnreadable: true }],
  ['nothing is left', { before: 'a', after: '' }, { deleted: ['a'], isUnreadable: true }],
];
const PYTHON: readonly Case[] = [
  [
    'a statement is replaced',
    { before: 'def f(x):\n    return x\n', after: 'def f(x):\n    return -x\n' },
    { statements: ['return -x'] },
  ],
  [
    'a word is removed from a statement',
    { before: 'def f(x):\n    return not x\n', after: 'def f(x):\n    return x\n' },
    { statements: ['return x'] },
  ],
  [
    'a statement is deleted',
    { before: 'def f(x):\n    x += 1\n    return x\n', after: 'def f(x):\n    return x\n' },
    { deleted: ['x += 1'] },
  ],
  [
    'two statements are deleted',
    { before: 'def f(x):\n    x += 1\n    g(x)\n    return x\n', after: 'def f(x):\n    return x\n' },
    { deleted: ['x += 1', 'g(x)'] },
  ],
  [
    'the last statement is deleted',
    { before: 'def f(x):\n    g()\n    return x\n', after: 'def f(x):\n    g()\n' },
    { deleted: ['return x'] },
  ],
  [
    'one of two equal statements is deleted',
    { before: 'def f(x):\n    g()\n    g()\n', after: 'def f(x):\n    g()\n' },
    { deleted: ['g()'] },
  ],
  [
    'a statement moves into a block',
    {
      before: 'def f(x):\n    if x:\n        g()\n    h()\n',
      after: 'def f(x):\n    if x:\n        g()\n        h()\n',
    },
    { statements: ['h()'] },
  ],
  [
    'a statement moves out of a block',
    {
      before: 'def f(x):\n    if x:\n        g()\n        h()\n',
      after: 'def f(x):\n    if x:\n        g()\n    h()\n',
    },
    { statements: ['h()'] },
  ],
  [
    'a block is put around a statement',
    { before: 'def f(x):\n    g()\n', after: 'def f(x):\n    if x:\n        g()\n' },
    { statements: ['if x: g()', 'g()'], arms: ['g()'] },
  ],
  [
    'a block is taken away',
    { before: 'def f(x):\n    if x:\n        g()\n', after: 'def f(x):\n    g()\n' },
    { statements: ['g()'] },
  ],
  [
    'a guard is deleted',
    {
      before: 'def f(x):\n    if not x:\n        return 0\n    return 1 / x\n',
      after: 'def f(x):\n    return 1 / x\n',
    },
    { deleted: ['if not x: return 0', 'return 0'] },
  ],
  [
    'a comment changes',
    { before: 'def f(x):\n    return x  # one\n', after: '# two\ndef f(x):\n    return x\n' },
    { isInert: true },
  ],
  ['the layout changes', { before: 'x = f(1, 2)\n', after: 'x = f(\n    1,\n    2)\n' }, { isInert: true }],
  [
    'a docstring changes',
    { before: 'def f(x):\n    """One."""\n    return x\n', after: 'def f(x):\n    """Two."""\n    return x\n' },
    { statements: ['def f(x): """Two.""" return x', 'return x'] },
  ],
  [
    'a name is declared global',
    {
      before: 'def f(x):\n    if x:\n        n = 1\n    g()\n',
      after: 'def f(x):\n    global n\n    if x:\n        n = 1\n    g()\n',
    },
    { statements: ['global n', 'n = 1'] },
  ],
  [
    'a name is no longer declared global',
    {
      before: 'def f(x):\n    global n\n    def g():\n        return n\n    return g\n',
      after: 'def f(x):\n    def g():\n        return n\n    return g\n',
    },
    { statements: ['return n'], deleted: ['global n'] },
  ],
  [
    'a name is declared of the function around',
    {
      before: 'def f():\n    n = 0\n    def g():\n        n = 1\n    return g\n',
      after: 'def f():\n    n = 0\n    def g():\n        nonlocal n\n        n = 1\n    return g\n',
    },
    { statements: ['nonlocal n', 'n = 1'] },
  ],
  [
    'a function is renamed',
    { before: 'def f(x):\n    return x\n', after: 'def g(x):\n    return x\n' },
    { statements: ['def g(x): return x', 'return x'] },
  ],
  [
    'a condition changes',
    {
      before: 'def f(x):\n    if x > 0:\n        g()\n    else:\n        h()\n',
      after: 'def f(x):\n    if x >= 0:\n        g()\n    else:\n        h()\n',
    },
    { statements: ['if x >= 0: g() else: h()'], arms: ['g()', 'h()'] },
  ],
  [
    'a condition loses an operand',
    { before: 'def f(x, y):\n    if x and y:\n        g()\n', after: 'def f(x, y):\n    if x:\n        g()\n' },
    { statements: ['if x: g()'], arms: ['g()'], deletedArms: ['y'] },
  ],
  [
    'an operand is added',
    { before: 'def f(x, y):\n    return x\n', after: 'def f(x, y):\n    return x or y\n' },
    { statements: ['return x or y'], arms: ['y'] },
  ],
  [
    'an else is deleted',
    {
      before: 'def f(x):\n    if x:\n        g()\n    else:\n        h()\n',
      after: 'def f(x):\n    if x:\n        g()\n',
    },
    { statements: ['if x: g()'], deleted: ['h()'] },
  ],
  [
    'what a lambda gives loses its end',
    { before: 'f = lambda x, y: x + y\n', after: 'f = lambda x, y: x\n' },
    { statements: ['f = lambda x, y: x'], arms: ['x'] },
  ],
  [
    'a default changes',
    { before: 'def f(x=1):\n    return x\n', after: 'def f(x=2):\n    return x\n' },
    { statements: ['def f(x=2): return x', 'return x'], arms: ['2'] },
  ],
  [
    'a default is deleted',
    { before: 'def f(x=1):\n    return x\n', after: 'def f(x):\n    return x\n' },
    { statements: ['def f(x): return x', 'return x'], deletedArms: ['1'] },
  ],
  [
    'parameters trade places',
    { before: 'def f(x, y):\n    return x - y\n', after: 'def f(y, x):\n    return x - y\n' },
    { statements: ['def f(y, x): return x - y', 'return x - y'] },
  ],
  [
    'a decorator is deleted',
    { before: '@cached\ndef f(x):\n    return x\n', after: 'def f(x):\n    return x\n' },
    { statements: ['def f(x): return x', 'return x'] },
  ],
  [
    'a function is added',
    { before: 'def f(x):\n    return x\n', after: 'def f(x):\n    return x\n\n\ndef g(x):\n    return x\n' },
    { statements: ['def g(x): return x', 'return x'] },
  ],
  [
    'a function is deleted',
    { before: 'def f(x):\n    return x\n\n\ndef g(x):\n    return x + 1\n', after: 'def f(x):\n    return x\n' },
    { deleted: ['def g(x): return x + 1', 'return x + 1'] },
  ],
  [
    'two statements trade places',
    { before: 'def f(x):\n    g()\n    h()\n', after: 'def f(x):\n    h()\n    g()\n' },
    { statements: ['h()', 'g()'] },
  ],
  [
    'a ternary is simplified',
    { before: 'def f(x):\n    return 1 if x else 2\n', after: 'def f(x):\n    return 2\n' },
    { statements: ['return 2'], deletedArms: ['1'] },
  ],
  [
    'a file is created',
    { before: null, after: 'import os\n\n\ndef f(x):\n    if x:\n        return 1\n' },
    { statements: ['import os', 'def f(x): if x: return 1', 'if x: return 1', 'return 1'], arms: ['return 1'] },
  ],
  ['an empty file is created', { before: null, after: '' }, { isInert: true, isUnreadable: true }],
  ['a file is emptied', { before: 'x = 1\n', after: '' }, { deleted: ['x = 1'], isUnreadable: true }],
];
const JAVASCRIPT: readonly Case[] = [
  [
    'a statement is replaced',
    { before: 'function f(x) { return x; }', after: 'function f(x) { return -x; }' },
    { statements: ['return -x;'] },
  ],
  [
    'a statement is deleted',
    { before: 'function f(x) { x += 1; return x; }', after: 'function f(x) { return x; }' },
    { deleted: ['x += 1;'] },
  ],
  [
    'one of two equal statements is deleted',
    { before: 'function f(x) { g(); g(); }', after: 'function f(x) { g(); }' },
    { deleted: ['g();'] },
  ],
  [
    'a statement moves into a block',
    { before: 'function f(x) { if (x) { g(); } h(); }', after: 'function f(x) { if (x) { g(); h(); } }' },
    { statements: ['if (x) { g(); h(); }'], arms: ['{ g(); h(); }'] },
  ],
  [
    'a statement moves out of a block',
    { before: 'function f(x) { if (x) { g(); h(); } }', after: 'function f(x) { if (x) { g(); } h(); }' },
    { statements: ['if (x) { g(); }'], arms: ['{ g(); }'] },
  ],
  [
    'a block is taken away',
    { before: 'function f(x) { if (x) { g(); } }', after: 'function f(x) { g(); }' },
    { deleted: ['if (x) { g(); }'] },
  ],
  [
    'a guard is deleted',
    { before: 'function f(x) { if (!x) return 0; return 1 / x; }', after: 'function f(x) { return 1 / x; }' },
    { deleted: ['if (!x) return 0;', 'return 0;'] },
  ],
  ['a comment changes', { before: 'f(); // one', after: '/* two */ f();' }, { isInert: true }],
  [
    'a condition changes',
    {
      before: 'function f(x) { if (x > 0) { g(); } else { h(); } }',
      after: 'function f(x) { if (x >= 0) { g(); } else { h(); } }',
    },
    { statements: ['if (x >= 0) { g(); } else { h(); }'], arms: ['{ g(); }', '{ h(); }'] },
  ],
  [
    'a default changes',
    { before: 'function f(x = 1) { return x; }', after: 'function f(x = 2) { return x; }' },
    { statements: ['function f(x = 2) { return x; }'], arms: ['2', '{ return x; }'] },
  ],
  [
    'a default is deleted',
    { before: 'function f(x = 1) { return x; }', after: 'function f(x) { return x; }' },
    { statements: ['function f(x) { return x; }'], arms: ['{ return x; }'], deletedArms: ['1'] },
  ],
  [
    'an operand is deleted',
    { before: 'const f = (x, y) => x ?? y;', after: 'const f = (x, y) => x;' },
    { statements: ['const f = (x, y) => x;'], arms: ['x'], deletedArms: ['y'] },
  ],
  [
    'what an arrow function gives loses its end',
    { before: 'const f = (x, y) => x + y;', after: 'const f = (x, y) => x;' },
    { statements: ['const f = (x, y) => x;'], arms: ['x'] },
  ],
  [
    'what an arrow function gives loses its start',
    { before: 'const f = (x, y) => !x + y;', after: 'const f = (x, y) => x + y;' },
    { statements: ['const f = (x, y) => x + y;'], arms: ['x + y'] },
  ],
  [
    'an arrow function loses its end and an argument behind it',
    { before: 'f((x) => x + y, z);', after: 'f((x) => x);' },
    { statements: ['f((x) => x);'], arms: ['x'] },
  ],
  [
    'an await is deleted',
    { before: 'async function f() { await g(); }', after: 'async function f() { g(); }' },
    { statements: ['g();'] },
  ],
  ['a directive is added', { before: 'f();', after: '"use strict"; f();' }, { isUnreadable: true }],
  ['a type changes', { before: 'type A = 1; f();', after: 'type A = 2; f();' }, {}],
  [
    'an annotation changes',
    { before: 'const a: number = f();', after: 'const a: string = f();' },
    { statements: ['const a: string = f();'] },
  ],
  [
    'a function is renamed',
    { before: 'function f(x) { return x; }', after: 'function g(x) { return x; }' },
    { statements: ['function g(x) { return x; }'], arms: ['{ return x; }'] },
  ],
  [
    'an else is deleted',
    { before: 'function f(x) { if (x) { g(); } else { h(); } }', after: 'function f(x) { if (x) { g(); } }' },
    { statements: ['if (x) { g(); }'], deleted: ['h();'] },
  ],
  [
    'a file is created',
    { before: null, after: 'export const f = (x) => x ? 1 : 2;' },
    { statements: ['export const f = (x) => x ? 1 : 2;'], arms: ['x ? 1 : 2', '1', '2'] },
  ],
  [
    'a module constant changes',
    { before: 'const a = [1, 2];', after: 'const a = [1, 3];' },
    { statements: ['const a = [1, 3];'] },
  ],
];

describe('small analyses', () => {
  test.each(SMALL)('%s', (_what, change, expected) => {
    const old = change.before === null ? null : analysisOf(change.before);
    expect(found(change, old, analysisOf(change.after))).toEqual(expected);
  });
});

describe('real examinations of Python', () => {
  test.each(PYTHON)('%s', (_what, change, expected) => {
    const before = change.before === null ? {} : { 'tide.py': change.before };
    const [file] = examinePython('python3', folder.path, { before, after: { 'tide.py': change.after } }).files;
    if (file === undefined) throw new Error('not examined');
    expect(found(change, file.before, file.after)).toEqual(expected);
  });
});

describe('real examinations of JavaScript', () => {
  test.each(JAVASCRIPT)('%s', (_what, change, expected) => {
    const encoded = (text: string): string => Buffer.from(text).toString('base64');
    const before = change.before === null ? null : encoded(change.before);
    const files = [{ path: 'tide.ts', before, after: encoded(change.after) }];
    const [file] = examine({ root: folder.path, files, searchFolders: [] }).files;
    if (file === undefined) throw new Error('not examined');
    expect(found(change, file.before, file.after)).toEqual(expected);
  });
});
