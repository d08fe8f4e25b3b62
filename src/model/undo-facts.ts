/** What an undo is about, and the two sides of a conflict, in the field names of the wire. */

export interface UndoFacts {
  /** The write that was to be undone; null where none was found. */
  readonly undoes: string | null;
  readonly file_path?: string;
  /** One side: what the undo would have changed in the file as the write left it. */
  readonly undo_diff?: string;
  /** The other side: what changed in the file since. */
  readonly since_diff?: string;
}
