/**
 * The shape of `allowlists/*.json`: which commands may run, and what each of their arguments may be.
 * Policy is data; nothing here decides anything.
 */

/** One file: a runner, the prefixes that start it, and the flags it may be given. */
export interface AllowlistFile {
  readonly runner: string;
  readonly rules: readonly AllowlistRule[];
  readonly flags?: FlagTable;
  /** Other names of the same program, such as a wrapper script kept in the repository. */
  readonly aliases?: readonly string[];
  readonly environment?: readonly AssignableVariable[];
  readonly limits?: CallerLimits;
}

/** One allowed prefix; a list in place of a token means any one of them. */
export interface AllowlistRule {
  readonly prefix: readonly (string | readonly string[])[];
  readonly justification: string;
  /** Commands that this very rule must allow; checked when the file is loaded. */
  readonly allows: readonly string[];
  readonly refuses: readonly RefusedExample[];
}

interface RefusedExample {
  readonly command: string;
  /** A part of the sentence that refuses the command. */
  readonly why: string;
}

/** The arguments after a prefix. A flag that is not in the table is refused. */
export interface FlagTable {
  /** `gnu`: `-abc` is three letters; `word`: `-abc` is one name, with one dash or two. */
  readonly style: 'gnu' | 'word';
  /** Flags without a value; a flag that is also in `value` takes one only after `=`. */
  readonly boolean: readonly string[];
  readonly value: readonly (string | ValueFlag)[];
  /** Flags whose value is an expression and not a path, so that `a/../b` in it means nothing. */
  readonly pattern: readonly string[];
  readonly refused: readonly RefusedFlags[];
  /** What the words that are no flag may be; without it, any path inside the root. */
  readonly operands?: { readonly matches: string; readonly why: string };
  /** Runners whose tables hold here as well. */
  readonly include?: readonly string[];
  /** Runners whose tables hold after `--`; without it, `--` is refused. */
  readonly afterDashes?: readonly string[];
  /** What follows `::` in a word names a test and is no path. */
  readonly nodeIds?: boolean;
  /** A leading `@` is a package scope here, not a file of further arguments. */
  readonly atWords?: boolean;
  /** The runner hands its arguments to a shell of its own. */
  readonly shell?: boolean;
  /** What the arguments do to the suite; without it, every flag may leave tests out. */
  readonly scope?: ScopeTable;
}

/** Which arguments leave tests out. A flag in no list may do so. */
export interface ScopeTable {
  /** Flags that select some of the tests; one that is in `neutral` too does so with all other values. */
  readonly narrowing: readonly string[];
  /** Flags that end the run at a failure. */
  readonly stopping: readonly string[];
  /** Flags that leave every test in, with any value or with one that matches. */
  readonly neutral: readonly (string | ValueFlag)[];
  /** The operands that mean the whole suite, joined by spaces; without it, none at all. */
  readonly operands?: string;
  /** Words of a prefix that name less than the whole suite. */
  readonly parts?: string;
  /** Flags that take the next word where it is no flag, and need none. */
  readonly takesNext?: readonly string[];
  /** How to see that the folders to test hold every test; without it, they are taken for a part. */
  readonly discovery?: TestDiscovery;
}

/** Where a runner looks for tests by itself. */
export interface TestDiscovery {
  /** Names of files that may be tests; matches too many rather than too few. */
  readonly files: string;
  /** Names of folders that are never looked into. */
  readonly ignored: string;
  /** A file that marks its folder as one that is not looked into. */
  readonly marker: string;
  /** Files with the runner's settings, and the words in them after which nothing of this holds. */
  readonly settings: readonly string[];
  readonly unless: string;
}

/** A flag with a value that must match the whole of an expression. */
interface ValueFlag {
  readonly flag: string;
  readonly matches: string;
}

interface RefusedFlags {
  readonly flags: readonly string[];
  readonly why: string;
}

/** A variable that a command may set before its program. */
interface AssignableVariable {
  readonly name: string;
  /** `paths`: a list of paths inside the root; else an expression for the whole value. */
  readonly value: 'paths' | { readonly matches: string };
  readonly justification: string;
}

/** What no list of a caller can admit. */
export interface CallerLimits {
  readonly never: readonly { readonly programs: readonly string[]; readonly why: string }[];
  /** Programs that start another program, which is judged in their place. */
  readonly launchers: readonly { readonly prefix: readonly string[]; readonly options?: string }[];
  readonly interpreters: readonly Interpreter[];
  /** Flags that carry code, refused for a program that has no table. */
  readonly inline: readonly string[];
}

/** A program that runs a script, a module or code given to it. */
export interface Interpreter {
  readonly programs: readonly string[];
  /** Options that may stand before the script, as an expression. */
  readonly options?: string;
  /** Options that make the interpreter a test runner. */
  readonly modes?: readonly string[];
  readonly module?: string;
  readonly refusedModules?: readonly string[];
}
