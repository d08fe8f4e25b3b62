/** What is remembered of every change that Surepatch made or judged: one record each, in the order in which they happened. */
import type { ReasonCode, Verdict } from './verdict.ts';
import type { Revision } from './write-facts.ts';

export const HISTORY_KINDS = ['write', 'rollback', 'undo', 'commit', 'verification'] as const;

export type HistoryKind = (typeof HISTORY_KINDS)[number];

/** Where the bytes of before can be found: an object of git's, a file beside the one that was written, or both. */
export interface PreimagePlace {
  /** Name that git gives to these bytes; git may hold them or not. */
  readonly blob: string | null;
  /** Path of the backup relative to the root, with `/`. */
  readonly backup: string | null;
}

export interface HistoryFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Null for a file that was not there. */
  readonly sha256Before: string | null;
  readonly sha256After: string | null;
  /** Null where nothing was written, as in a verification, and where there was no file before. */
  readonly preimage: PreimagePlace | null;
}

/** What a use-case has to say; the store numbers, dates and chains it. */
export interface HistoryEvent {
  readonly kind: HistoryKind;
  /** The write's, the verification's or the commit's own id; a rollback has that of the write it took back. */
  readonly id: string;
  /** The program that called, as it named itself; null for the command line and for recovery. */
  readonly client: { readonly name: string; readonly version: string } | null;
  readonly files: readonly HistoryFile[];
  /** The test command as it was given or found; null where none ran. */
  readonly command: string | null;
  readonly verdict: Verdict | null;
  readonly reasonCode: ReasonCode | null;
  /** How it ended, in one word or code: `kept`, `recovered`, `committed`, `judged`, or the code of the failure. */
  readonly outcome: string;
  /** The write that this one undoes, or that was rolled back; null for anything else. */
  readonly of: string | null;
  /** SHA-256 of the kept patch text, by which an undo can make the inverse; null where none is kept. */
  readonly patchSha256: string | null;
  /** Where the output of the run can be read; null where nothing ran. */
  readonly outputUri: string | null;
  readonly revision: Revision | null;
}

export interface HistoryRecord extends HistoryEvent {
  /** Counts from 1, without a gap. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** Hash of the record before it; 64 zeros for the first one. */
  readonly previous: string;
  /** Keyed hash of everything above. */
  readonly hash: string;
}

/**
 * `altered`: a line is not as Surepatch wrote it. `inserted`: a line that Surepatch did not write. `missing`: a record
 * was removed or cut off. `misplaced`: a record stands where another belongs. `unsealed`: the file that says how far the
 * history reaches was altered or removed, now or once before.
 */
export const HISTORY_PROBLEMS = ['altered', 'inserted', 'missing', 'misplaced', 'unsealed'] as const;

export interface HistoryProblem {
  readonly kind: (typeof HISTORY_PROBLEMS)[number];
  /** First and last record that it is about; for a line between records the one after it. */
  readonly from: number;
  readonly to: number;
}

/** The history as it stands on disk: every record that is as it was written, and what is wrong with the rest. */
export interface History {
  readonly records: readonly HistoryRecord[];
  readonly problems: readonly HistoryProblem[];
}
