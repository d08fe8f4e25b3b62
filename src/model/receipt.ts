/** What record_changed_paths asks and answers, in the field names of the wire. */
import type { BadPath } from './path-rule.ts';
import type { Failure, FailureCode } from './failure.ts';
import type { Freshness } from './revision.ts';

/** `unreadable`: something is there that cannot be read, is no file, or lies behind a link that leaves the root. */
export const PATH_KINDS = ['file', 'dir', 'symlink', 'absent', 'unreadable'] as const;

export type PathKind = (typeof PATH_KINDS)[number];

/** What stands at a path at one moment, no link followed. */
export interface PathState {
  readonly kind: PathKind;
  /** Of a file's bytes or of a link's text; left out for anything else, and for a file that is too large. */
  readonly sha256?: string;
}

export interface ExpectedPath {
  readonly path: string;
  /** Null where nothing should be there. */
  readonly sha256: string | null;
}

export interface ReceiptRequest {
  readonly paths: readonly string[];
  readonly repoRoot?: string | undefined;
  readonly expected?: readonly ExpectedPath[] | undefined;
}

export interface Mismatch {
  readonly path: string;
  readonly expected: string | null;
  readonly found: PathState;
}

export const MOST_STATES_SHOWN = 50;

export interface Receipt {
  readonly epoch: string;
  /** The floor to ask for: whatever reaches it has seen these paths as they are now, or later. */
  readonly min_revision: number;
  /** Normalised, each once, in the order in which they were first named. */
  readonly paths: readonly string[];
  /** At most 50 of them, in the order of `paths`. */
  readonly path_states: readonly (PathState & { readonly path: string })[];
  readonly path_state_count: number;
  /** Paths that are not as `expected` says; the receipt stands all the same. */
  readonly mismatches: readonly Mismatch[];
  readonly freshness: Freshness;
}

/** A refusal; no revision was raised by it. */
export interface ReceiptRefusal {
  readonly error: string;
  readonly error_code: FailureCode;
  readonly hint: string;
  readonly bad_path?: BadPath;
}

/** One flat shape for both, as it is published. */
export type ReceiptAnswer = Partial<Receipt> & Partial<ReceiptRefusal>;

/** What is shown for a call that was refused. */
export function refusalOfReceipt({ code, message, hint, details }: Failure): ReceiptRefusal {
  const refusal = { error: message, error_code: code, hint };
  return details.bad_path === undefined ? refusal : { ...refusal, bad_path: details.bad_path };
}
