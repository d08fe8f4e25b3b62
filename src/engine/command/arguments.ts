/**
 * Judges the words after a prefix against a flag table. Every word that begins with a dash is judged as a flag, also
 * where the program might read it as another flag's value, so no misreading of a table can hide one.
 */
import type { CompiledTable, KnownFlag } from './flag-table.ts';
import { partOutsideRoot } from './paths.ts';
import { readFlag, type Reading } from './read-flag.ts';

/** What is wrong with one word of a command. */
export interface Fault {
  readonly index: number;
  readonly word: string;
  readonly why: string;
  readonly hint?: string;
}

export interface Inspection {
  /** Null for a program without a table: then only paths are judged. */
  readonly table: CompiledTable | null;
  readonly words: readonly string[];
  /** The first word to judge. */
  readonly start: number;
  /** Words before this one were named in a prefix: there, flags and operands that the table lacks are admitted. */
  readonly namedUntil: number;
  readonly root: string;
}

interface Waiting {
  readonly index: number;
  readonly word: string;
  readonly flag: KnownFlag;
}

const SHOWN = 60;
const CARRIED_INTO_A_SHELL = /[$`"\\]/u;

/** Finds the first word that may not be there, or null. Linear in the words. */
export function firstFault(inspection: Inspection): Fault | null {
  const { words, start, namedUntil, root } = inspection;
  let table = inspection.table;
  let waiting: Waiting | null = null;
  for (let index = start; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const always = faultAnywhere(table, word);
    if (always !== null) return { index, word, why: always };
    if (waiting !== null && !word.startsWith('-')) {
      const why = faultOfValue(waiting.flag, word, table, root);
      if (why !== null) return { index, word, why };
      waiting = null;
      continue;
    }
    if (waiting !== null && lacksValue(waiting)) break;
    waiting = null;
    if (table === null || !word.startsWith('-')) {
      const why = faultOfOperand(table, word, index < namedUntil, root);
      if (why !== null) return { index, word, why };
    } else if (word === '--') {
      if (table.afterDashes === null) return { index, word, why: 'hands the words after it to another program' };
      table = table.afterDashes;
    } else {
      const reading = readFlag(table, word);
      const fault = faultOfFlag(reading, table, word, index < namedUntil, root);
      if (fault !== null) return { index, word, ...fault };
      const isWaiting = reading.kind === 'known' && reading.value === null && reading.flag.takes === 'value';
      if (isWaiting) waiting = { index, word, flag: reading.flag };
    }
  }
  if (waiting === null || !lacksValue(waiting)) return null;
  return { index: waiting.index, word: waiting.word, why: 'lacks its value' };
}

function lacksValue(waiting: Waiting): boolean {
  return waiting.flag.matches.some((expression) => !expression.test(''));
}

function faultAnywhere(table: CompiledTable | null, word: string): string | null {
  if (word.startsWith('@') && table?.atWords !== true) return 'names a file of further arguments';
  if (table?.shell === true && CARRIED_INTO_A_SHELL.test(word)) {
    return 'holds a character that the shell started by this runner could interpret';
  }
  return null;
}

function faultOfFlag(
  reading: Reading,
  table: CompiledTable,
  word: string,
  isNamed: boolean,
  root: string,
): { readonly why: string; readonly hint?: string } | null {
  let why: string | null = null;
  if (word === '-') why = 'reads standard input, which is closed';
  else if (reading.kind === 'refused') why = reading.why;
  else if (reading.kind === 'known') {
    why = reading.value === null ? null : faultOfValue(reading.flag, reading.value, table, root);
  } else if (isNamed) why = faultOfPath(table, word, root);
  else
    return {
      why: 'is no flag that Surepatch knows for this runner',
      hint: 'Leave the flag out, or let an allowed prefix name the command with it.',
    };
  return why === null ? null : { why };
}

function faultOfValue(flag: KnownFlag, value: string, table: CompiledTable | null, root: string): string | null {
  const mismatch = flag.matches.find((expression) => !expression.test(value));
  if (mismatch !== undefined) return `has a value other than the ones that are safe here (${shown(mismatch)})`;
  if (flag.isPattern) return null;
  return faultOfPath(table, value, root);
}

function faultOfOperand(table: CompiledTable | null, word: string, isNamed: boolean, root: string): string | null {
  const operands = table?.operands ?? null;
  if (operands !== null && !isNamed && !operands.matches.test(word)) return operands.why;
  return faultOfPath(table, word, root);
}

function faultOfPath(table: CompiledTable | null, word: string, root: string): string | null {
  const path = table?.nodeIds === true ? (word.split('::')[0] ?? word) : word;
  const outside = partOutsideRoot(path, root);
  return outside === null ? null : `names \`${outside}\`, outside the root`;
}

function shown(expression: RegExp): string {
  const source = expression.source.slice(4, -2);
  return source.length > SHOWN ? `${source.slice(0, SHOWN)}…` : source;
}
