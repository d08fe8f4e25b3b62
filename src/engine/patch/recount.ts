/** Counts what a hunk's body really holds, to offer the header that would fit; used only after the counts disagreed. */
import { LF } from './bytes.ts';
import { PatchReader } from './patch-reader.ts';

export interface BodyCount {
  readonly old: number;
  readonly new: number;
}

/** Counts body lines from byte `start` to the next thing that cannot be one; blank lines at the end do not count. */
export function recount(bytes: Buffer, start: number): BodyCount {
  const reader = new PatchReader(bytes);
  reader.at = start;
  let [old, added, blanks] = [0, 0, 0];
  while (!reader.done) {
    const prefix = String.fromCharCode(bytes[reader.at] ?? 0);
    if (prefix === '\n' || prefix === '\r') {
      blanks += 1;
    } else if (prefix === ' ' || prefix === '+' || prefix === '-') {
      if (prefix !== ' ' && (startsFile(reader) || isSignature(reader))) break;
      old += blanks + (prefix === '+' ? 0 : 1);
      added += blanks + (prefix === '-' ? 0 : 1);
      blanks = 0;
    } else if (prefix !== '\\') {
      break;
    }
    reader.skip();
  }
  return { old, new: added };
}

/** Tells whether a `---` line with its `+++` line begins here. */
export function startsFile(reader: PatchReader): boolean {
  return reader.peek().startsWith('--- ') && reader.peekNext().startsWith('+++ ');
}

/** Tells whether the rest of the text is a mail signature: `-- ` and at most one line of text. */
export function isSignature(reader: PatchReader): boolean {
  if (reader.peek() !== '-- ') return false;
  const next = reader.bytes.indexOf(LF, reader.at) + 1;
  const rest = reader.bytes.toString('utf8', next, next + 1000).split('\n');
  return rest.filter((line) => line.trim() !== '' && !/^(?:`{3,}|~{3,})\s*$/.test(line)).length <= 1;
}
