/** What is said of imports, over real folders of files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { examine } from '../../../src/examiners/javascript/examine.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

/** Lays the files down, changed as `after` says, and lists what the change breaks. */
function broken(files: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'imports-'));
  roots.push(root);
  for (const [path, text] of Object.entries({ ...files, ...after })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  const changed = Object.entries(after).map(([path, text]) => {
    const before = files[path];
    return { path, before: before === undefined ? null : encode(before), after: encode(text) };
  });
  const { imports, undecided } = examine({ root, files: changed, searchFolders: [] });
  const known = new Set(imports.before.map(({ key }) => key));
  return {
    news: imports.after.filter(({ key }) => !known.has(key)).map(({ file, message }) => `${file}: ${message}`),
    undecided,
  };
}

const nothing = { news: [], undecided: [] };
const breaks = (...news: string[]) => ({ news, undecided: [] });

describe('a module', () => {
  it.each([
    ['beside', "import './b.js'"],
    ['written in the other language', "import './c.js'"],
    ['without an ending', "import './c'"],
    ['of a folder', "import './d'"],
    ['of Node', "import 'node:fs'; import 'fs/promises'"],
    ['by a path of tsconfig.json', "import '@/c'"],
    ['of a workspace', "import 'mine/x'"],
    ['that a tool makes', "import 'virtual:icons'"],
    ['that is provided for', "try { require('./no') } catch {} import('./no')"],
    ['of types only', "import type { A } from 'no-types'"],
    ['of itself', "import '#c'"],
  ])('is found: %s', (_how, text) => {
    const files = {
      'src/b.js': '',
      'src/c.ts': '',
      'src/d/index.ts': '',
      'tsconfig.json': '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}',
      'package.json': '{"name": "root", "workspaces": ["w"]}',
      'src/package.json': '{"imports": {"#c": "./c.ts"}}',
      'node_modules/mine/package.json': '{"name": "mine", "exports": {"./x": "./x.js"}}',
      'node_modules/mine/x.js': '',
    };
    expect(broken({ ...files, 'src/a.ts': '' }, { 'src/a.ts': text })).toEqual(nothing);
  });

  it('that is not there breaks what asks for it', () => {
    expect(broken({ 'a.js': '' }, { 'a.js': "import './no.js'; import 'no-such'; require('./nor')" })).toEqual(
      breaks(
        'a.js: There is no module ./no.js.',
        'a.js: There is no module no-such.',
        'a.js: There is no module ./nor.',
      ),
    );
  });

  it('that was not there before the change either breaks nothing', () => {
    expect(broken({ 'a.js': "import './no.js'" }, { 'a.js': "import './no.js'; b()" })).toEqual(nothing);
  });

  it('that is declared and not installed is not decided', () => {
    const files = { 'package.json': '{"dependencies": {"left": "1"}}', 'a.js': '' };
    expect(broken(files, { 'a.js': "import 'left'" })).toEqual({
      news: [],
      undecided: ['a.js: left is declared and not installed.'],
    });
  });

  it('that the configuration may name is not decided', () => {
    const files = { 'vite.config.js': 'export default { resolve: { alias: { "~": "/src" } } }', 'a.js': '' };
    expect(broken(files, { 'a.js': "import '~/x'" })).toEqual({
      news: [],
      undecided: ['a.js: ~/x may be a name that the configuration gives.'],
    });
  });

  it('by a name that is computed is not decided', () => {
    expect(broken({ 'a.js': '' }, { 'a.js': 'import(b)' }).undecided).toEqual([
      'a.js: 1 of its imports are computed while it runs.',
    ]);
  });
});

describe('a name', () => {
  it('that is not exported breaks what asks for it', () => {
    expect(broken({ 'a.ts': '', 'b.ts': 'export const c = 1' }, { 'a.ts': "import d, { c, e } from './b'" })).toEqual(
      breaks('a.ts: ./b does not export default.', 'a.ts: ./b does not export e.'),
    );
  });

  it('that comes through barrels is found, types among them', () => {
    const files = {
      'b.ts': "export * from './c'; export { x as y } from './c'; export * as z from './c'",
      'c.ts': 'export interface T {} export type U = T; export const x = 1; export enum E {} export class K {}',
    };
    const text = "import { T, U, x, y, z, E, K } from './b'";
    expect(broken({ ...files, 'a.ts': '' }, { 'a.ts': text })).toEqual(nothing);
  });

  it('of CommonJS that makes its exports, of JSON and of a dependency is not looked for', () => {
    const files = { 'b.js': 'module.exports = make()', 'c.json': '{}', 'node_modules/d/index.js': 'export {}' };
    const text = "import { a } from './b.js'; import { b } from './c.json'; import { c } from 'd'";
    expect(broken({ ...files, 'a.mjs': '' }, { 'a.mjs': text })).toEqual(nothing);
  });

  it('that is taken away breaks the files that import it, through a barrel too', () => {
    const files = {
      'src/sum.ts': 'export const sum = 1; export const total = 2; export default 3',
      'src/index.ts': "export * from './sum'",
      'src/other.ts': "import { sum } from './sum'",
      'test/sum.test.ts': "import { total, sum } from '../src'; import it from '../src/sum'",
      'node_modules/x/index.ts': "import { sum } from '../../src/sum'",
    };
    expect(broken(files, { 'src/sum.ts': 'export const total = 2' })).toEqual(
      breaks(
        'src/other.ts: ./sum does not export sum.',
        'test/sum.test.ts: ../src does not export sum.',
        'test/sum.test.ts: ../src/sum does not export default.',
      ),
    );
  });
});

describe('a member of a namespace', () => {
  const files = { 'm.ts': 'export const x = 1; export type T = 1', 'n.ts': "export * as m from './m'" };
  const renamed = { 'm.ts': 'export const y = 1' };

  it.each([
    ['by its name', "import * as m from './m'; m.x()", './m does not export x.'],
    ['by a string', "import * as m from './m'; m['x']", './m does not export x.'],
    ['taken apart', "import * as m from './m'; const { x: z } = m", './m does not export x.'],
    ['as a type', "import * as m from './m'; let t: m.T; m.x2", './m does not export T.'],
    ['as an element', "import * as m from './m'; a = <m.x />", './m does not export x.'],
    ['of what was required', "const m = require('./m'); m.x", './m does not export x.'],
    ['of what was required, taken apart', "const { x } = require('./m')", './m does not export x.'],
    ['of what was waited for', "async () => { const m = await import('./m'); m.x }", './m does not export x.'],
    ['through a barrel', "import { m } from './n'; m.x", './n does not export m.x.'],
    ['through a barrel as a whole', "import * as n from './n'; n.m.x", './n does not export m.x.'],
    ['where another function hides it', "import * as m from './m'; (m) => m.x; m.x", './m does not export x.'],
  ])('that the change took away is missed where it is read: %s', (_how, text, message) => {
    const before = { ...files, 'a.tsx': text };
    const old = text.includes('m.x2') ? { ...before, 'm.ts': `${files['m.ts']}; export const x2 = 1` } : before;
    const after = text.includes('m.x2') ? { 'm.ts': 'export const x2 = 1' } : renamed;
    expect(broken(old, after)).toEqual(breaks(`a.tsx: ${message}`));
  });

  it.each([
    ['is hidden by a parameter', '(m) => m.x'],
    ['is hidden in a block', '{ const m = a; m.x }'],
    ['is hidden by a variable of the function', 'function f() { m.x; { var m = a } }'],
    ['is handed on', 'f(m, "x")'],
    ['is read by a computed name', 'm[x]'],
    ['is called if it is there', 'm.x?.()'],
    ['is asked for first', "if ('x' in m) m.x()"],
    ['is asked for its type first', "typeof m.x === 'function' && m.x()"],
    ['has a default', 'const { x = 1 } = m'],
    ['breaks where that is caught', 'try { m.x() } catch {}'],
  ])('that the change took away is not missed where it %s', (_how, text) => {
    expect(broken({ ...files, 'a.ts': `import * as m from './m'; ${text}` }, renamed)).toEqual(nothing);
  });
});

describe('what a CommonJS module gives', () => {
  const named = (text: string, user: string) =>
    broken({ 'm.js': 'exports.f = f; exports.g = g', 'u.js': user }, { 'm.js': text });

  it.each([
    ['read of the module', "const m = require('./m'); exports.q = () => m.g()", './m does not export g.'],
    ['read at once', "exports.q = () => require('./m').g()", './m does not export g.'],
    ['taken apart', "const { f, g: h } = require('./m')", './m does not export g.'],
    ['imported by name', "import { f, g } from './m.js'", './m.js does not export g.'],
    ['read of the default import', "import m from './m.js'; m.f(m.g)", './m.js does not export default.g.'],
    ['read of a namespace', "import * as m from './m.js'; m.default.f(m.g)", './m.js does not export g.'],
  ])('and is no longer there is missed where it is %s', (_how, user, message) => {
    expect(named('exports.f = f; exports.h = g', user)).toEqual(breaks(`u.js: ${message}`));
  });

  it.each([
    ['by members', 'exports.f = () => exports.g()'],
    ['by members of both names', "module.exports.f = f; module['exports']['h'] = exports.g"],
    ['by an object', 'module.exports = { f, h() {}, get i() { return g } }'],
    ['by both at once', 'exports = module.exports = Object.freeze({ f })'],
    ['by a property that is defined', "Object.defineProperty(exports, 'f', { get: g })"],
    ['by another module', "module.exports = require('./other')"],
    ['under names that are prepared', 'exports.f = exports.g = void 0; exports.f = f'],
    ['not at all', 'if (require.main === module) console.log(typeof exports)'],
    ['not at all, in silence', ''],
  ])('is known where it is given %s', (_how, text) => {
    const files = { 'm.js': 'exports.f = f; exports.g = g', 'other.js': 'exports.f = 1', 'u.js': "require('./m').g" };
    expect(broken(files, { 'm.js': text })).toEqual(breaks('u.js: ./m does not export g.'));
  });

  it.each([
    ['a function', 'module.exports = function f() {}'],
    ['an object with others inside', 'module.exports = { ...others, f }'],
    ['computed', 'for (const name of names) exports[name] = name'],
    ['computed in an object', 'module.exports = { [g]: f }'],
    ['put on an object that is named', 'const own = module.exports = {}; own.g = g'],
    ['given by whoever gets them', 'fill(exports); exports.f = f'],
    ['given by whoever gets the module', 'fill(module)'],
    ['given by another name of them', 'const own = exports; own.g = g'],
    ['those of a wrapper', '(function (exports) { exports.f = f })(own)'],
    ['put on what the file calls itself', 'this.g = g'],
    ['taken apart into', '[exports.g, { a: exports.f }] = pair'],
    ['those of another kind of module', "define(['g'], (g) => ({ g }))"],
    ['given on one of two ways', 'if (a) exports.g = g'],
    ['those of a module of which that is not known', "module.exports = require('fs')"],
  ])('is not missed where its exports are %s', (_how, text) => {
    expect(named(text, "require('./m').g; require('./m').f")).toEqual(
      text.includes('if (a)') ? breaks('u.js: ./m does not export f.') : nothing,
    );
  });

  it('of another module is followed', () => {
    const files = {
      'signs.js': 'exports.stop = stop; exports.go = go',
      'tables.js': "const signs = require('./signs'); module.exports = { signs, more: require('./signs') }",
      'u.js': "const tables = require('./tables'); tables.signs.go(); tables.more.go(); tables.signs.stop()",
    };
    expect(broken(files, { 'signs.js': 'exports.stop = stop' })).toEqual(
      breaks('u.js: ./tables does not export signs.go.', 'u.js: ./tables does not export more.go.'),
    );
  });

  it('may be set by who uses it', () => {
    expect(named('exports.f = f', "const m = require('./m'); m.g = fake; m.g()")).toEqual(nothing);
  });
});
