/**
 * Line endings, a byte order mark and a missing final newline belong to the file. A hunk that differs from the file in
 * nothing else still fits, and its new lines take on what the file has. Decided per hunk, never for a region of mixed
 * endings and never for a hunk that shows carriage returns itself.
 */
import { type Adaptation, bytesOf, type HunkSide } from '../../model/patch.ts';
import { beginsWithBom, BOM, CR, LF } from './bytes.ts';

const ENDINGS = { lf: Buffer.from('\n'), crlf: Buffer.from('\r\n') };

export interface AdaptedMatch {
  /** Byte after the last line that matched. */
  readonly end: number;
  readonly adaptations: readonly Adaptation[];
}

/** Matches one side of a hunk against the lines at `start`, leaving endings to the file; undefined when it differs. */
export function matchAdapted(
  side: HunkSide,
  hasCarriageReturn: boolean,
  file: Buffer,
  start: number,
): AdaptedMatch | undefined {
  const text = bytesOf(side);
  const bom = start === 0 && beginsWithBom(file) && !beginsWithBom(text);
  let [at, position] = [0, bom ? BOM.length : start];
  let [lf, crlf, finalNewline] = [0, 0, false];
  while (at < text.length) {
    if (position >= file.length) return undefined;
    const lineEnd = text.indexOf(LF, at);
    const contentEnd = lineEnd === -1 ? text.length : lineEnd;
    const fileEnd = file.indexOf(LF, position);
    const fileLine = fileEnd === -1 ? file.length : fileEnd;
    const isCrlf = !hasCarriageReturn && fileEnd > position && file[fileEnd - 1] === CR;
    const fileContent = isCrlf ? fileEnd - 1 : fileLine;
    if (fileContent - position !== contentEnd - at) return undefined;
    if (file.compare(text, at, contentEnd, position, fileContent) !== 0) return undefined;
    if (fileEnd === -1) finalNewline = lineEnd !== -1;
    else if (lineEnd === -1) return undefined;
    else if (isCrlf) crlf += 1;
    else lf += 1;
    at = contentEnd + 1;
    position = fileEnd === -1 ? file.length : fileEnd + 1;
  }
  if (lf > 0 && crlf > 0) return undefined;
  const takesCrlf = crlf > 0 || (lf === 0 && !hasCarriageReturn && isAfterCrlf(file, start));
  const adaptations: Adaptation[] = [];
  if (takesCrlf) adaptations.push('crlf');
  if (bom) adaptations.push('bom');
  if (finalNewline) adaptations.push('final_newline');
  return { end: position, adaptations };
}

/** Writes the new side of a hunk with what the file has; undefined when no line is left for a BOM, or one brings its own. */
export function adaptText(side: HunkSide, adaptations: readonly Adaptation[]): Buffer | undefined {
  const text = bytesOf(side);
  const bom = adaptations.includes('bom');
  if (bom && (side.count === 0 || beginsWithBom(text))) return undefined;
  const ending = adaptations.includes('crlf') ? ENDINGS.crlf : ENDINGS.lf;
  const pieces: Buffer[] = bom ? [BOM] : [];
  for (let at = 0; at < text.length;) {
    const lineEnd = text.indexOf(LF, at);
    const contentEnd = lineEnd === -1 ? text.length : lineEnd;
    pieces.push(text.subarray(at, contentEnd));
    at = contentEnd + 1;
    const isLast = at >= text.length;
    if (!isLast || !(side.unterminated || adaptations.includes('final_newline'))) pieces.push(ending);
  }
  return Buffer.concat(pieces);
}

function isAfterCrlf(file: Buffer, start: number): boolean {
  return start >= 2 && file[start - 1] === LF && file[start - 2] === CR;
}
