/** One part of the report: what was measured, as text, and the targets it decides. */

export interface Target {
  readonly what: string;
  readonly value: number;
  /** The target is met by a value of at most this. */
  readonly most: number;
  readonly show: (value: number) => string;
}

export interface Section {
  readonly title: string;
  /** Paragraphs and tables in Markdown. */
  readonly body: readonly string[];
  readonly targets: readonly Target[];
}
