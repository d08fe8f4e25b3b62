/** Why one hunk could not be placed, in the words of the wire: where, what was expected, what was found. */

export const HUNK_CONFLICT_CODES = [
  'COUNT',
  'BAD_HEADER',
  'BAD_LINE',
  'ORDER',
  'NO_ANCHOR',
  'PAST_EOF',
  'CONTEXT',
  'OFFSET',
  'AMBIGUOUS',
  'EOL_MISMATCH',
  'MIXED_EOL',
  'BOM',
  'EOF_NEWLINE',
  'TRAILING_WS',
  'WHITESPACE',
  'UNICODE_FORM',
  'ENCODING',
  'ALREADY_APPLIED',
  'PLACEHOLDER',
  'LINE_NUMBERS',
] as const;

export type HunkConflictCode = (typeof HUNK_CONFLICT_CODES)[number];

export interface HunkConflict {
  readonly code: HunkConflictCode;
  /** 1-based number of the hunk in the patch. */
  readonly hunk: number;
  /** One sentence that stands alone. */
  readonly message: string;
  /** 1-based line of the patch text, where one line is to blame. */
  readonly patch_line?: number;
  /** 1-based line of the file. */
  readonly file_line?: number;
  /** 1-based column (in characters of the shown text) of the first difference. */
  readonly column?: number;
  /** The patch's line, invisible characters escaped, at most 200 characters around the first difference. */
  readonly expected?: string;
  /** The file's line, shown in the same way. */
  readonly actual?: string;
  /** 1-based lines of the file where the hunk's old lines stand. */
  readonly found_at?: readonly number[];
  /** The hunk header that would fit. */
  readonly suggested_header?: string;
  readonly hint?: string;
  /** Three numbered lines of the file around the stated line. */
  readonly excerpt?: string;
}
