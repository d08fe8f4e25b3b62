/** What a unified diff says, as data: the names in its headers and its hunks as byte views. Nothing here decides anything. */

/** A stretch of bytes in a buffer that many share; ten thousand hunks would be too many views. */
export interface ByteRange {
  readonly bytes: Buffer;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** The bytes of a range, as a view. */
export function bytesOf({ bytes, from, to }: ByteRange): Buffer {
  return bytes.subarray(from, to);
}

/**
 * One side of a hunk: what must stand in the preimage, or what will stand in the postimage. Its bytes are its lines,
 * joined, each with its ending; the last one without, where a marker says so.
 */
export interface HunkSide extends ByteRange {
  /** 1-based first line, as the hunk header states it; for an empty side the line before it. */
  readonly start: number;
  /** Number of lines. */
  readonly count: number;
  /** A `\ No newline at end of file` marker ends this side. */
  readonly unterminated: boolean;
}

export interface Hunk {
  /** 1-based number in the patch. */
  readonly number: number;
  /** 1-based line of the patch text that holds the header. */
  readonly headerLine: number;
  readonly old: HunkSide;
  readonly new: HunkSide;
  /** The lines after the header as they were sent, prefixes and markers included. */
  readonly body: ByteRange;
  /** Some line of the body holds a carriage return. */
  readonly hasCarriageReturn: boolean;
  /** The last line of the body is an added one: no context holds the end in place. */
  readonly endsInAddition: boolean;
}

export interface Patch {
  /** The `---` and `+++` lines as they were sent; empty when the patch has none. */
  readonly header: string;
  /** The file names of the headers, unquoted, without time stamps; `/dev/null` is left out. */
  readonly names: readonly string[];
  /** The headers say that the file is new. */
  readonly creates: boolean;
  readonly hunks: readonly Hunk[];
}

/** A hunk at its place in the preimage: bytes `from` to `to` (exclusive) become `text`. */
export interface PlacedHunk {
  readonly hunk: Hunk;
  readonly from: number;
  readonly to: number;
  readonly text: Uint8Array;
  /** What was adapted so that the hunk fits; empty when every old line equals the file byte for byte. */
  readonly adaptations: readonly Adaptation[];
}

/** What belongs to the file and not to the patch: CRLF endings, a byte order mark, a missing final newline. */
export type Adaptation = 'crlf' | 'bom' | 'final_newline';

export interface Rewrite {
  /** The postimage in order; views of the preimage and of the patch. */
  readonly pieces: readonly Uint8Array[];
  readonly byteLength: number;
  /** Sentences for the caller: what was adapted, which header numbers were off. */
  readonly notes: readonly string[];
  readonly placed: readonly PlacedHunk[];
}
