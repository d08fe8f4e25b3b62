/** The parts of one text, and where their probes stand: each case shows the whole probed text. */
import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/examiners/javascript/analyse.ts';
import { withProbes } from '../../../src/examiners/javascript/prove.ts';
import { parse } from '../../../src/examiners/javascript/syntax-tree.ts';
import type { Insertion } from '../../../src/model/examination.ts';

/** The text with all its probes as `§`, without the one that is placed when a file is loaded. */
function probed(text: string, path = 'a.ts'): string {
  const { statements, arms } = analyse(path, text);
  const probes = [...statements, ...arms].flatMap(({ probe }) => (probe === null ? [] : [probe]));
  return withProbes(text, probes).replace(/__surepatch_hit__\(\d+\)/g, '§');
}

describe('probes', () => {
  it.each([
    ['a();\nb();', '§;a();\n§;b();'],
    ['a()\nb()', '§;a()\n§;b()'],
    ['if (a) b\nelse c', '§;if (a) {§;{§;b}}\nelse {§;{§;c}}'],
    ['if (a) b();', '§;if (a) {§;{§;b();}}'],
    ['if (a) { b() }', '§;if (a) {;§; §;b() }'],
    ['x = a ? b : c', '§;x = a ? (§,(b)) : (§,(c))'],
    ['a && b || c', '§;a && (§,(b)) || (§,(c))'],
    ['a ??= b', '§;a ??= (§,(b))'],
    ['for (const a of b) c', '§;for (const a of b) {§;{§;c}}'],
    ['while (a) ;', '§;while (a) {§;;}'],
    ['do a(); while (b)', '§;do {§;a();} while ((§,(b)))'],
    ['outer: for (;;) continue outer', '§;outer: for (;;) {§;{§;continue outer}}'],
    ['try { a() } catch { b() }', '§;try { §;a() } catch {;§; §;b() }'],
    [
      'switch (a) { case 1: case 2: b(); default: c() }',
      '§;switch (a) { case (§,(1)):;§; case (§,(2)): §;;§;b(); default: §;;§;c() }',
    ],
    ['f = (a = 1) => a', '§;f = (a = (§,(1))) => (§,(a))'],
    ['f = () => ({ a })', '§;f = () => (§,(({ a })))'],
    ['f = async () => { await a }', '§;f = async () => {;§; §;await a }'],
    ['const { a = 1 } = b', '§;const { a = (§,(1)) } = b'],
    ["function f() { 'use strict'; return 1 }", "§;function f() { 'use strict';;§; §;return 1 }"],
    ['class A extends B { constructor() { super() } }', '§;class A extends B { constructor() {;§; §;super() } }'],
    ['class A { static a = 1; b = 2 }', '§;class A { static a = (§,(1)); b = (§,(2)) }'],
    ['export default () => 1', '§;export default () => (§,(1))'],
    ['@a export class B {}', '§;@a export class B {}'],
    ['for (; a; b()) c', '§;for (; a; (§,(b()))) {§;{§;c}}'],
    ['a?.b.c?.(d)', '§;a?.[(§,"b")].c?.((§,(d)))'],
    ['a?.[b]!.c', '§;a?.[(§,(b))]!.c'],
    ['x = a?.b?.() ?? c', '§;x = a?.[(§,"b")]?.(...(§,[])) ?? (§,(c))'],
    ['a?.(...b)', '§;a?.(...(§,(b)))'],
    [
      'class A { b = class { c() {} }; d = () => 1 }',
      '§;class A { b = class {static{§;} c() {;§;} }; d = () => (§,(1)) }',
    ],
    ['function* f() { a = yield b; yield c }', '§;function* f() {;§; §;a = ((v) => (§,v))(yield b); §;yield c }'],
    [
      'async () => { a(await b); await c; return (await d) }',
      '§;async () => {;§; §;a(((v) => (§,v))(await b)); §;await c; §;return (await d) }',
    ],
    ['async () => (await a).b', '§;async () => (§,((((v) => (§,v))(await a)).b))'],
  ])('stand in %j', (text, expected) => {
    expect(probed(text)).toBe(expected);
  });

  it.each([
    ['a name that a function gets from a default', 'const { f = () => 1 } = a', '§;const { f = () => (§,(1)) } = a'],
    ['a name that a class gets from an assignment', 'a ||= class {}', '§;a ||= class {}'],
    ['directives at the start', "'use client'\na()", "'use client'\n§;a()"],
    ['an interpreter line', '#!/usr/bin/env node\na()', '#!/usr/bin/env node\n§;a()'],
    [
      'types',
      'interface A { a: 1 }\ntype B = A\ndeclare const c: B',
      'interface A { a: 1 }\ntype B = A\ndeclare const c: B',
    ],
    ['constants of an enumeration', 'enum A { b = 1 | 2 }', '§;enum A { b = 1 | 2 }'],
    ['ways through a constant of an enumeration', 'enum A { b = c ? 1 : 2 }', '§;enum A { b = c ? 1 : 2 }'],
    ['private names, which nothing can compute', 'class A { #b; c = d?.#b }', '§;class A { #b; c = (§,(d?.#b)) }'],
    ['what a statement begins by waiting for', 'a\nawait b || c', '§;a\n§;await b || (§,(c))'],
  ])('leave alone %s', (_what, text, expected) => {
    expect(probed(text)).toBe(expected);
  });

  it('stand in JSX', () => {
    expect(probed('x = <a b={c}>{d && <e />}</a>', 'a.jsx')).toBe('§;x = <a b={c}>{d && (§,(<e />))}</a>');
  });

  it('of a declared function stand where it begins to exist', () => {
    expect(probed('a();\nfunction f() {}')).toBe('§;§;a();\nfunction f() {;§;}');
  });

  it.each(['a.js', 'a.mjs', 'a.cjs', 'a.jsx', 'a.ts', 'a.mts', 'a.cts', 'a.tsx'])(
    'and the function that they call can be parsed together in %s',
    (path) => {
      const text = 'const a = b ? 1 : 2;\nif (a) c();\n';
      const { loadProbe, statements, arms } = analyse(path, text);
      const all = [{ probe: loadProbe }, ...statements, ...arms].map(({ probe }): readonly Insertion[] => probe ?? []);
      const { errors } = parse(path, withProbes(text, all));
      expect({ errors, placed: all.map((probe) => probe.length) }).toEqual({
        errors: [],
        placed: [1, 1, 1, 2, 2, 2, 2],
      });
    },
  );
});

describe('statements', () => {
  it('know when they run, where their head ends and what they are', () => {
    const text = 'import a from "a";\nexport function f(b = 1) {\n  if (b) return a;\n}\n';
    const { statements } = analyse('a.ts', text);
    const seen = statements.map(({ kind, timing, line, endLine, start, headerEnd }) => {
      return [kind, timing, line, endLine, text.slice(start, headerEnd)];
    });
    expect(seen).toEqual([
      ['import', 'definition', 1, 1, 'import a from "a";'],
      ['export named', 'definition', 2, 4, 'export function f(b = 1) {\n  '],
      ['if', 'body', 3, 3, 'if (b) '],
      ['return', 'body', 3, 3, 'return a;'],
    ]);
  });

  it.each([
    ['/* istanbul ignore next */\na();\nb();', ['a();']],
    ['/* v8 ignore next -- @preserve */ if (a) { b() }\nc();', ['if (a) { b() }', 'b()']],
    ['/* c8 ignore start */\na();\n/* c8 ignore stop */\nb();', ['a();']],
    ['/* c8 ignore next 2 */\na();\nb();\nc();', ['a();', 'b();']],
    ['/* istanbul ignore else */\nif (a) b(); else c();', ['c();']],
    ['/* istanbul ignore file */\na();', ['a();']],
    ['// says to ignore next to nothing\na();', []],
  ])('are excluded where their author says so: %j', (text, expected) => {
    const { statements } = analyse('a.js', text);
    expect(statements.filter(({ isExcluded }) => isExcluded).map(({ start, end }) => text.slice(start, end))).toEqual(
      expected,
    );
  });
});

describe('arms', () => {
  it.each([
    ['for (; a; b++) { return }', 'update', ['; b++) ']],
    ['do { break } while (a)', 'condition', [' while (a)']],
    ['switch (a) { case b: c() }', 'condition', ['case b']],
    ['a.b?.c.d(e)', 'operand', ['a.b?.c.d(e)']],
    ['x = f(await a, b)', 'resumption', ['x = f(', ', b)']],
    ['x = a ? await b + c : d', 'resumption', [' + c']],
    ['class A { b = () => { c() } }', 'function', ['b = () => ']],
    ['enum A { b = c || 2 }', 'operand', ['c || 2']],
  ])('are introduced by all that runs only on them: in %j, %s by %j', (text, kind, expected) => {
    const { arms } = analyse('a.ts', text);
    const found = arms.filter((arm) => arm.kind === kind).map(({ introducedBy }) => introducedBy);
    expect(found.map((spans) => spans.map(({ start, end }) => text.slice(start, end)))).toEqual([expected]);
  });

  it('are introduced by their condition and by themselves, not by nested statements', () => {
    const text = 'if (a ? b : c) { d(() => { e() }) } else f();';
    const { arms, statements } = analyse('a.js', text);
    const seen = arms.map(({ kind, statement, introducedBy }) => [
      kind,
      statements[statement]?.kind,
      introducedBy.map(({ start, end }) => text.slice(start, end)),
    ]);
    expect(seen).toEqual([
      ['then', 'if', ['a ? ', 'b']],
      ['else', 'if', ['a ? ', ' : c']],
      ['then', 'if', ['if (a ? b : c) ', '{ ', ' }']],
      ['function', 'call', ['() => ']],
      ['else', 'if', ['if (a ? b : c) ', ' else ']],
    ]);
  });
});
