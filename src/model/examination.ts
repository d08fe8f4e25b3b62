/**
 * What a language's examiner says of a change: the structure of each changed file before and after, and what is wrong
 * with it. One form for all languages; the examiner is a program that only reads, and neither imports nor runs the project.
 *
 * Places are offsets in UTF-16 code units of the decoded text (a byte order mark counted), lines from 1.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly endLine: number;
}

/** Something wrong in one tree. The same `key` in the tree of before means that the change did not introduce it. */
export interface Finding {
  /** Path relative to the root, with `/`. */
  readonly file: string;
  readonly line: number;
  /** One sentence. */
  readonly message: string;
  readonly key: string;
}

/**
 * A word of the source. Comments and white space are none. Two texts with equal `key`s in equal order mean the same
 * program: where indentation has a meaning, it is part of the key.
 */
export interface Token extends Span {
  readonly key: string;
}

/** Text to insert so that running this part is recorded; `%` stands for the probe's number. Never contains a line end. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/**
 * When a statement or arm runs, and so what counts as having exercised it.
 * `definition`: when the file is loaded or the definition around it is made (imports, constants, headers of functions and
 * classes, decorators). `body`: only when a function runs, so that loading the file does not count.
 */
export type Timing = 'definition' | 'body';

export interface Statement extends Span {
  readonly timing: Timing;
  /** Short name for a reader: `return`, `if`, `assignment`, … */
  readonly kind: string;
  /** Where the part of it before any nested statement ends: a change after that belongs to a nested statement. */
  readonly headerEnd: number;
  /** Marked by its author as not to be covered (`# pragma: no cover`, `istanbul ignore`). */
  readonly isExcluded: boolean;
  /** True for what never runs by itself: a type, an interface, a directive. */
  readonly isInert: boolean;
  /** Null where no probe can be placed; then only the coverage source can tell. */
  readonly probe: readonly Insertion[] | null;
}

/** A way through a statement: a branch of a conditional, the right side of `and`, a default value, a case. */
export interface Arm extends Span {
  readonly timing: Timing;
  /** `then`, `else`, `case`, `catch`, `operand`, `condition`, `lambda`, `default`, … */
  readonly kind: string;
  /** Index in `statements` of the innermost statement that holds it. */
  readonly statement: number;
  /** A change of any token in here introduces the arm: the condition and the arm itself, without nested statements. */
  readonly introducedBy: readonly Span[];
  readonly isExcluded: boolean;
  readonly probe: readonly Insertion[] | null;
}

export interface SourceAnalysis {
  readonly syntax: readonly Finding[];
  /** Empty after a syntax error, as `statements` and `arms` are. */
  readonly tokens: readonly Token[];
  /** In order of their start; an outer one before the inner ones. */
  readonly statements: readonly Statement[];
  readonly arms: readonly Arm[];
  /** Runs once when the file is loaded; null where none can be placed (an empty file, a file with no statement). */
  readonly loadProbe: readonly Insertion[] | null;
}

export interface ExaminedFile {
  readonly path: string;
  /** Null for a file that the change creates. */
  readonly before: SourceAnalysis | null;
  readonly after: SourceAnalysis;
}

export interface Examination {
  readonly files: readonly ExaminedFile[];
  /** Imports that do not resolve and names that are not exported, in changed files and in files that import them. */
  readonly imports: { readonly before: readonly Finding[]; readonly after: readonly Finding[] };
  /** What could not be decided, a sentence each (imports by computed names, dependencies that are not installed). */
  readonly undecided: readonly string[];
}

/**
 * What an examiner reads, as JSON, from the file that its only argument names; it prints an `Examination` as JSON. Files
 * that import a changed one it finds itself, and only when a name that others may use was taken away.
 */
export interface ExaminationRequest {
  /** Root of the tree that holds the change. */
  readonly root: string;
  readonly files: readonly {
    readonly path: string;
    /** Base64; null for a file that the change creates. */
    readonly before: string | null;
    readonly after: string;
  }[];
  /** Folders in which the project looks for its own modules, from the command (`PYTHONPATH=src`), absolute. */
  readonly searchFolders: readonly string[];
}
