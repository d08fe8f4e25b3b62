/** The texts of probes: one way for each kind of place. `%` stands for the number; see `model/examination.ts`. */
import type { Insertion } from '../../model/examination.ts';
import type { SyntaxNode } from './syntax-tree.ts';

const HIT = '__surepatch_hit__(%)';

export function beforeStatement(at: number): readonly Insertion[] {
  return [{ at, text: `${HIT};` }];
}

/** For a statement that is the whole body of another one. */
export function wrapStatement({ start, end }: SyntaxNode): readonly Insertion[] {
  return [
    { at: start, text: `{${HIT};` },
    { at: end, text: '}' },
  ];
}

/** At the start of a block, behind its directives. */
export function insideBlock(at: number): readonly Insertion[] {
  return [{ at, text: `;${HIT};` }];
}

export function wrapValue({ start, end }: SyntaxNode): readonly Insertion[] {
  return [
    { at: start, text: `(${HIT},(` },
    { at: end, text: '))' },
  ];
}

/** For a name behind `?.`: it becomes the same name, computed. */
export function beforeName({ start, end }: SyntaxNode): readonly Insertion[] {
  return [
    { at: start, text: `[(${HIT},"` },
    { at: end, text: '")]' },
  ];
}

/** For a call without arguments: it is given none, and is seen to be given them. */
export function intoCall(at: number): readonly Insertion[] {
  return [{ at, text: `...(${HIT},[])` }];
}

/** For a value that is there only once it has been waited for. */
export function passOn({ start, end }: SyntaxNode): readonly Insertion[] {
  return [
    { at: start, text: `((v) => (${HIT},v))(` },
    { at: end, text: ')' },
  ];
}

/** For a class that gets its name from where it is written: a probe in its body leaves the name alone. */
export function insideClass(at: number): readonly Insertion[] {
  return [{ at, text: `static{${HIT};}` }];
}

/**
 * The first probe of a file brings the function that all others call. It is declared, so that it is there even while modules
 * that import each other in a circle are half loaded; and it looks the recorder up by itself, because a module may be
 * evaluated in a context that shares no global with the one in which the agent was loaded (jest, jsdom, vm).
 */
export function loadProbe(at: number, isTypeScript: boolean): readonly Insertion[] {
  const any = isTypeScript ? ': any' : '';
  const process = isTypeScript ? '(globalThis as any).process' : 'globalThis.process';
  const lookUp =
    `const p${any} = ${process}, r${any} = p?.env?.SUREPATCH_RECORDER; s.f = p?.__surepatch_record__ ?? ` +
    `(r ? p.getBuiltinModule?.("module").createRequire(r)(r).hit : null) ?? (() => {});`;
  const head = `function __surepatch_hit__(n${isTypeScript ? ': number): void' : ')'}`;
  return [
    { at, text: `${head} { const s${any} = __surepatch_hit__; if (!s.f) { ${lookUp} } s.f(n, globalThis); } ${HIT};` },
  ];
}
