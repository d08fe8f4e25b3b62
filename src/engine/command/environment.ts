/** Judges the assignments before a program (`PYTHONPATH=src pytest`). Only listed variables, only harmless values. */
import type { Fault } from './arguments.ts';
import { partOutsideRoot } from './paths.ts';

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/u;

/** Tells whether a word at the start of a command assigns a variable. */
export function isAssignment(word: string): boolean {
  return ASSIGNMENT.test(word);
}

/** Finds what is wrong with an assignment, or null; `assignable` maps a name to its values, null to paths in the root. */
export function faultOfAssignment(
  assignable: ReadonlyMap<string, RegExp | null>,
  word: string,
  index: number,
  root: string,
): Fault | null {
  const at = word.indexOf('=');
  const name = word.slice(0, at);
  const value = word.slice(at + 1);
  const values = assignable.get(name);
  if (values === undefined) {
    const why = 'sets a variable that may change what runs';
    return { index, word, why, hint: `Only these can be set: ${[...assignable.keys()].join(', ')}.` };
  }
  if (values !== null) {
    return values.test(value) ? null : { index, word, why: `gives ${name} a value other than the ones that are safe` };
  }
  const outside = value.split(/[:;]/u).find((path) => partOutsideRoot(path, root) !== null);
  return outside === undefined ? null : { index, word, why: `names \`${outside}\`, outside the root` };
}
