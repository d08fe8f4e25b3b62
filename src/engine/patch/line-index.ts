/** Finds lines of a file by number and numbers by byte, reading each part of the file at most once in a forward walk. */
import { LF } from './bytes.ts';

/** Lines between two remembered places. */
const STRIDE = 4096;

interface Mark {
  readonly line: number;
  readonly offset: number;
}

/** Line numbers are 1-based; a line ends at LF only; a file that ends in LF has no empty line after it. */
export class LineIndex {
  private readonly bytes: Buffer;
  private readonly marks: Mark[] = [{ line: 1, offset: 0 }];
  private near: Mark = { line: 1, offset: 0 };
  private total: number | undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** The number of lines. */
  get count(): number {
    if (this.total === undefined) this.offsetOf(Number.MAX_SAFE_INTEGER);
    return this.total ?? 0;
  }

  /** The byte where a line begins; undefined when the file has no such line. */
  offsetOf(line: number): number | undefined {
    if (line < 1 || (this.total !== undefined && line > this.total)) return undefined;
    const from = this.near.line <= line ? this.near : this.markBefore((mark) => mark.line <= line);
    let { line: at, offset } = from;
    while (at < line) {
      const end = this.bytes.indexOf(LF, offset);
      if (end === -1 || end + 1 >= this.bytes.length) break;
      offset = end + 1;
      at += 1;
      if (at % STRIDE === 0) this.remember(at, offset);
    }
    if (at < line || offset >= this.bytes.length) {
      this.total = this.bytes.length === 0 ? 0 : at;
      return undefined;
    }
    this.near = { line: at, offset };
    return offset;
  }

  /** The number of the line that holds a byte. */
  lineOf(byte: number): number {
    const from = this.markBefore((mark) => mark.offset <= byte);
    let { line, offset } = from;
    for (;;) {
      const end = this.bytes.indexOf(LF, offset);
      if (end === -1 || end + 1 > byte) return line;
      offset = end + 1;
      line += 1;
      if (line % STRIDE === 0) this.remember(line, offset);
    }
  }

  /** Notes that a line is known to begin at a byte, so that the lines before it are not walked again. */
  pass(line: number, offset: number): void {
    this.near = { line, offset };
    const last = this.marks.at(-1);
    if (last !== undefined && line - last.line >= STRIDE) this.remember(line, offset);
  }

  private remember(line: number, offset: number): void {
    if (line > (this.marks.at(-1)?.line ?? 0)) this.marks.push({ line, offset });
  }

  private markBefore(holds: (mark: Mark) => boolean): Mark {
    let [low, high] = [0, this.marks.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const mark = this.marks[middle];
      if (mark !== undefined && holds(mark)) low = middle;
      else high = middle - 1;
    }
    return this.marks[low] ?? { line: 1, offset: 0 };
  }
}
