/** Reads one flag of a command by a table: its name, its value, the letters joined to it, and what it could be taken for. */
import type { CompiledTable, KnownFlag } from './flag-table.ts';

export type Reading =
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'known';
      /** The flag; of joined letters, the last one. */
      readonly flag: KnownFlag;
      readonly value: string | null;
      /** The letters joined before it. */
      readonly before: readonly KnownFlag[];
    };

/** Reads one word that begins with a dash; `--` alone is none of its business. */
export function readFlag(table: CompiledTable, word: string): Reading {
  const at = word.search(table.style === 'word' ? /[=:]/u : /=/u);
  const name = at < 0 ? word : word.slice(0, at);
  const value = at < 0 ? null : word.slice(at + 1);
  for (const spelling of table.style === 'word' ? [name, name.replace(/^--/u, '-')] : [name]) {
    const refused = table.refused.get(spelling);
    if (refused !== undefined) return { kind: 'refused', why: refused };
    const known = table.known.get(spelling);
    if (known !== undefined) return readKnown(name, known, value);
  }
  if (table.style === 'gnu' && /^-[^-]/u.test(word)) return readCluster(table, word);
  return readAlike(table, name);
}

function readKnown(name: string, flag: KnownFlag, value: string | null): Reading {
  const isBare = flag.takes === 'nothing';
  if (isBare && value !== null && !/^(?:true|false)$/u.test(value)) {
    return { kind: 'refused', why: `gives a value to ${name}, which takes none` };
  }
  return { kind: 'known', flag, value, before: [] };
}

/** Reads `-xk value` letter by letter until one takes the rest as its value. */
function readCluster(table: CompiledTable, word: string): Reading {
  const letters = Array.from(word.slice(1));
  const before: KnownFlag[] = [];
  let last: Reading = { kind: 'unknown' };
  for (const [index, letter] of letters.entries()) {
    const refused = table.refused.get(`-${letter}`);
    if (refused !== undefined) return { kind: 'refused', why: `holds -${letter}, which ${refused}` };
    const flag = table.known.get(`-${letter}`);
    const rest = letters.slice(index + 1);
    if (flag === undefined) return readUnknownLetter(table, rest);
    last = { kind: 'known', flag, value: null, before: [...before] };
    if (flag.takes !== 'nothing' && rest.length > 0) return { ...last, value: rest.join('').replace(/^=/u, '') };
    before.push(flag);
  }
  return last;
}

/** An unknown letter may or may not take the rest as its value, so the rest is searched for refused letters too. */
function readUnknownLetter(table: CompiledTable, rest: readonly string[]): Reading {
  for (const letter of rest) {
    const refused = table.refused.get(`-${letter}`);
    if (refused !== undefined) return { kind: 'refused', why: `may hold -${letter}, which ${refused}` };
  }
  return { kind: 'unknown' };
}

/** Refuses a flag that a parser could take for a refused one: cut short, in other case, or with other dashes. */
function readAlike(table: CompiledTable, name: string): Reading {
  const key = spelledAlike(name);
  if (key.length < 2) return { kind: 'unknown' };
  for (const [refused, why] of table.refused) {
    if (refused.length > 2 && spelledAlike(refused).startsWith(key)) {
      return { kind: 'refused', why: `can be read as ${refused}, which ${why}` };
    }
  }
  return { kind: 'unknown' };
}

function spelledAlike(name: string): string {
  return name.replace(/[-_]/gu, '').toLowerCase();
}
