/**
 * Finds the tool a command really starts, through launchers (`uv run`) and interpreters (`python -m`), and refuses what
 * no caller may start: shells, wrappers, code given on the command line.
 */
import type { CallerLimits, Interpreter } from '../../model/allowlist.ts';
import type { Fault } from './arguments.ts';
import { wholeMatch } from './whole-match.ts';

export type Tool =
  | { readonly kind: 'fault'; readonly fault: Fault }
  | {
      readonly kind: 'tool';
      /** The name its table goes by; a module or a script without its ending counts as a name. */
      readonly name: string;
      /** The first word that is an argument of the tool. */
      readonly start: number;
      readonly isScript: boolean;
    };

const ENDING = /\.(?:exe|cmd|bat|com|ps1|py|rb|php|[cm]?[jt]s)$/u;
const VERSION = /(?<=[a-z]{2})-?\d[\d.]*$/u;

/** Returns the name of a program without folder, ending and version, in lower case: `python` for `C:\\Python3.11.exe`. */
export function programName(word: string): string {
  const file = word.split(/[\\/]/u).at(-1) ?? word;
  return file.toLowerCase().replace(ENDING, '').replace(VERSION, '');
}

/**
 * Finds the tool that the words start. An interpreter that is the last word is a tool by itself when the words are only
 * a prefix, and a fault in a whole command, because it would read its closed standard input and end in success.
 */
export function findTool(limits: CallerLimits, words: readonly string[], isPrefix: boolean, from = 0): Tool {
  const program = words[from];
  if (program === undefined) return fault(words, from - 1, 'starts another program, and none is named');
  const name = programName(program);
  const never = neverReason(limits, program);
  if (never !== undefined) return fault(words, from, never);
  const interpreter = limits.interpreters.find((candidate) => candidate.programs.includes(name));
  if (interpreter !== undefined) return throughInterpreter(interpreter, words, isPrefix, from);
  const launcher = limits.launchers.find(({ prefix }) => {
    return prefix[0] === name && prefix.every((word, at) => at === 0 || word === words[from + at]);
  });
  if (launcher === undefined) {
    // Some runners of scripts fall back to a program of that name (`pnpm sh`).
    const second = neverReason(limits, words[from + 1] ?? '');
    if (second !== undefined) return fault(words, from + 1, second);
    return { kind: 'tool', name, start: from + 1, isScript: false };
  }
  const options = wholeMatch(launcher.options ?? '');
  let next = from + launcher.prefix.length;
  while (words[next] !== undefined && options.test(words[next] ?? '')) next += 1;
  if (words[next]?.startsWith('-') === true) return fault(words, next, 'stands before the program that is started');
  return findTool(limits, words, isPrefix, next);
}

function throughInterpreter(interpreter: Interpreter, words: readonly string[], isPrefix: boolean, from: number): Tool {
  const name = programName(words[from] ?? '');
  const options = wholeMatch(interpreter.options ?? '');
  let next = from + 1;
  while (words[next] !== undefined && options.test(words[next] ?? '')) next += 1;
  const word = words[next];
  if (word === undefined || (isPrefix && word === interpreter.module && words[next + 1] === undefined)) {
    if (isPrefix) return { kind: 'tool', name, start: words.length, isScript: true };
    return fault(words, next - 1, 'is an interpreter without a script, which would end in success and test nothing');
  }
  if (interpreter.modes?.includes(word) === true) {
    return { kind: 'tool', name: `${name} ${word}`, start: next + 1, isScript: false };
  }
  if (word === interpreter.module) {
    const module = words[next + 1] ?? '';
    if (module === '' || module.startsWith('-')) return fault(words, next, 'names no module');
    if (interpreter.refusedModules?.includes(module.split('.')[0] ?? module) === true) {
      return fault(words, next + 1, 'is a module that runs code given to it, or no test');
    }
    return { kind: 'tool', name: module, start: next + 2, isScript: true };
  }
  if (word.startsWith('-')) return fault(words, next, 'may carry code or change what the interpreter runs');
  return { kind: 'tool', name: programName(word), start: next + 1, isScript: true };
}

function neverReason(limits: CallerLimits, word: string): string | undefined {
  const name = programName(word);
  return limits.never.find(({ programs }) => programs.includes(name))?.why;
}

function fault(words: readonly string[], index: number, why: string): Tool {
  return { kind: 'fault', fault: { index, word: words[index] ?? '', why } };
}
