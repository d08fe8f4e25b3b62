/** Walks the lines of a patch text, one at a time; a line ends at LF only. It reads and never judges. */
import { LF } from './bytes.ts';

/** Header and envelope lines are looked at up to this many bytes. */
const PEEK_BYTES = 8192;

/** A place in a patch text that moves forward line by line. The bytes must end with LF or be empty. */
export class PatchReader {
  readonly bytes: Buffer;
  /** Byte where the present line begins. */
  at = 0;
  /** 1-based number of the present line. */
  line: number;

  /** `firstLine` is the number of the first line, for a piece of a longer text. */
  constructor(bytes: Buffer, firstLine = 1) {
    this.bytes = bytes;
    this.line = firstLine;
  }

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  /** The present line without its ending or a CR before it. */
  peek(): string {
    return this.lineAt(this.at);
  }

  /** The line after the present one, empty at the end. */
  peekNext(): string {
    return this.lineAt(this.bytes.indexOf(LF, this.at) + 1);
  }

  /** The present line as it was sent, with its ending. */
  raw(): string {
    return this.bytes.toString('utf8', this.at, this.bytes.indexOf(LF, this.at) + 1);
  }

  skip(): void {
    this.at = this.bytes.indexOf(LF, this.at) + 1;
    this.line += 1;
  }

  /** Goes to a place further on, `lines` lines ahead. */
  jump(at: number, lines: number): void {
    this.at = at;
    this.line += lines;
  }

  private lineAt(start: number): string {
    const end = this.bytes.indexOf(LF, start);
    const line = this.bytes.toString('utf8', start, Math.min(end, start + PEEK_BYTES));
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}
