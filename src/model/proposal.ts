/** A change that is proposed and not written: whole contents before and after, a file at a time. */

export interface ProposedFile {
  /** Components of the real path from the root down. */
  readonly components: readonly string[];
  /** The same, joined by `/`. */
  readonly path: string;
  /** Null for a file that the change creates. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
  readonly sha256Before: string | null;
  readonly sha256After: string;
  /** Permission bits of a file that the change creates; null keeps those of the file. */
  readonly mode: number | null;
}

/** A change of one file, proposed or saved. */
export interface ChangedFile extends Omit<ProposedFile, 'after' | 'sha256After'> {
  /** Null for a file that the change deletes; only what is saved already can do that. */
  readonly after: Uint8Array | null;
  readonly sha256After: string | null;
}

/** What a caller asks to have verified. */
export interface VerifyRequest {
  readonly repoRoot?: string | undefined;
  /** What the caller calls the root, for messages; `repoRoot` where nothing is said. */
  readonly rootArgument?: string;
  readonly edits?: readonly { readonly path: string; readonly newContent: string }[] | undefined;
  readonly unifiedDiff?: string | undefined;
  readonly testCommand?: string | undefined;
  /** Judges the whole change anew, even where the same one was judged before. */
  readonly fresh?: boolean | undefined;
}
