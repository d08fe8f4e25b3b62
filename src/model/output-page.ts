/** One page of the kept output of a test run, cut by bytes and shown as text. */

export interface OutputPage {
  /** Bytes that are no valid UTF-8 are replaced; a character is never cut in two by the page's ends. */
  readonly text: string;
  /** First byte of the page, as it was asked for or moved back to the start of a character. */
  readonly offset: number;
  /** First byte of the next page; null on the last one. */
  readonly nextOffset: number | null;
  readonly totalBytes: number;
}
