/** What can run or not run, and what its probes must tell: the same cases for every runner, in both languages. */

export interface ProbeCase {
  readonly name: string;
  /** Code that defines the function `F`; `§` stands where TypeScript wants a type. */
  readonly source: string;
  /** Code of a test that exercises it, and of one that does not. */
  readonly exercised: string;
  readonly not: string;
  /** Parts of function bodies: kind and text → hit when exercised, hit when not. */
  readonly parts: Readonly<Record<string, readonly [exercised: boolean, not: boolean]>>;
}

const always = [true, true] as const;
const only = [true, false] as const;
const never = [false, false] as const;
const other = [false, true] as const;

export const PROBE_CASES: readonly ProbeCase[] = [
  {
    name: 'one-line if',
    source: 'export function F(a§) { if (a) return 1; return 2; }',
    exercised: 'F(1)',
    not: 'F(0)',
    parts: {
      'function { if (a) return 1; return 2; }': always,
      'if if (a) return 1;': always,
      'then return 1;': only,
      'return return 1;': only,
      'return return 2;': other,
    },
  },
  {
    name: 'ternary',
    source: "export const F = (a§) => (a ? 'x' : 'y');",
    exercised: 'F(1)',
    not: 'F(0)',
    parts: { "arrow (a ? 'x' : 'y')": always, "then 'x'": only, "else 'y'": other },
  },
  {
    name: 'short circuit',
    source: 'export function F(a§) { return (a && 11) ?? 12; }',
    exercised: 'F(1)',
    not: 'F(0)',
    parts: {
      'function { return (a && 11) ?? 12; }': always,
      'return return (a && 11) ?? 12;': always,
      'operand 11': only,
      'operand 12': never,
    },
  },
  {
    name: 'optional chain',
    source: 'export function F(a§) { return a?.at(21)?.concat(22).at(23 - 23); }',
    exercised: "F('x'.repeat(30))",
    not: 'F(null)',
    parts: {
      'function { return a?.at(21)?.concat(22).at(23 - 23); }': always,
      'return return a?.at(21)?.concat(22).at(23 - 23);': always,
      'operand at': only,
      'operand concat': only,
    },
  },
  {
    name: 'statement over several lines',
    source: 'export function F(a§) {\n  if (!a) return;\n  return [\n    a,\n    2,\n  ];\n}',
    exercised: 'F(1)',
    not: 'F(0)',
    parts: {
      'function {\n  if (!a) return;\n  return [\n    a,\n    2,\n  ];\n}': always,
      'if if (!a) return;': always,
      'then return;': other,
      'return return;': other,
      'return return [\n    a,\n    2,\n  ];': only,
    },
  },
  {
    name: 'body of a function that is only imported',
    source: 'export function F() { return 21; }',
    exercised: 'F()',
    not: 'typeof F',
    parts: { 'function { return 21; }': only, 'return return 21;': only },
  },
  {
    name: 'default of a parameter',
    source: 'export function F(a§ = 31) { return a; }',
    exercised: 'F()',
    not: 'F(1)',
    parts: { 'default 31': only, 'function { return a; }': always, 'return return a;': always },
  },
  {
    name: 'generator that is never started',
    source: 'export function* F() { yield 41; }',
    exercised: 'F().next()',
    not: 'F()',
    parts: { 'function { yield 41; }': only, 'expression yield 41;': only },
  },
  {
    name: 'code after a throw',
    source: 'export function F(a§) { a(); return 51; }',
    exercised: 'F(() => 1)',
    not: 'try { F(() => { throw new Error() }) } catch {}',
    parts: { 'function { a(); return 51; }': always, 'call a();': always, 'return return 51;': only },
  },
  {
    name: 'body of an arrow',
    source: 'export const F = () => 61;',
    exercised: 'F()',
    not: 'typeof F',
    parts: { 'arrow 61': only },
  },
  {
    name: 'arm of a switch',
    source: 'export function F(a§) { switch (a) { case 1: return 71; default: return 72; } }',
    exercised: 'F(1)',
    not: 'F(2)',
    parts: {
      'function { switch (a) { case 1: return 71; default: return 72; } }': always,
      'switch switch (a) { case 1: return 71; default: return 72; }': always,
      'condition 1': always,
      'case case 1: return 71;': only,
      'return return 71;': only,
      'case default: return 72;': other,
      'return return 72;': other,
    },
  },
  {
    name: 'catch',
    source: 'export function F(a§) { try { a(); } catch { return 81; } }',
    exercised: 'F(null)',
    not: 'F(() => 1)',
    parts: {
      'function { try { a(); } catch { return 81; } }': always,
      'try try { a(); } catch { return 81; }': always,
      'call a();': always,
      'catch catch { return 81; }': only,
      'return return 81;': only,
    },
  },
  {
    name: 'async function and its loop',
    source: 'export async function F(a§) { for (const b of a) await b; }',
    exercised: 'await F([1])',
    not: 'await F([])',
    parts: {
      'function { for (const b of a) await b; }': always,
      'for of for (const b of a) await b;': always,
      'loop await b;': only,
      'await await b;': only,
    },
  },
  {
    name: 'method and field of a class',
    source: 'export class F { a = 91; b() { return this.a || 92; } }',
    exercised: 'new F().b()',
    not: 'typeof F',
    parts: {
      'field a = 91;': only,
      'function { return this.a || 92; }': only,
      'return return this.a || 92;': only,
      'operand 92': never,
    },
  },
];
