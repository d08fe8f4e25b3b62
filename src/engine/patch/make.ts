/** Makes unified diffs; the sole owner of the `diff` package, which only formats here and never parses, places or applies. */
import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk } from 'diff';
import type { Hunk, PlacedHunk, Rewrite } from '../../model/patch.ts';
import { LF } from './bytes.ts';
import { newStart } from './rewrite.ts';

const MARKER = '\\ No newline at end of file';

/**
 * Writes a rewrite as a unified diff with git's names: what applying it would do to these very bytes, adaptations
 * included. It costs what the hunks cost, whatever the size of the file; its lines come from a patch and are UTF-8.
 */
export function makePatch(relativePath: string, { placed }: Rewrite, preimage: Buffer): string {
  let added = 0;
  const hunks = placed.map((place): StructuredPatchHunk => {
    const { old, new: next } = place.hunk;
    const start = newStart(old, next.count, added);
    added += next.count - old.count;
    // The formatter takes the start of an empty side as the line after it.
    return {
      oldStart: old.count === 0 ? old.start + 1 : old.start,
      oldLines: old.count,
      newStart: next.count === 0 ? start + 1 : start,
      newLines: next.count,
      lines: hunkLines(place, preimage),
    };
  });
  const names = { oldFileName: `a/${relativePath}`, newFileName: `b/${relativePath}` };
  return formatPatch({ ...names, oldHeader: undefined, newHeader: undefined, hunks }, FILE_HEADERS_ONLY);
}

function hunkLines(place: PlacedHunk, preimage: Buffer): string[] {
  const { hunk, from, to, text } = place;
  const oldLines = splitLines(preimage.subarray(from, to));
  const newLines = splitLines(Buffer.from(text.buffer, text.byteOffset, text.byteLength));
  const lines: string[] = [];
  const push = (prefix: string, line: string | undefined): void => {
    if (line === undefined) return;
    lines.push(prefix + (line.endsWith('\n') ? line.slice(0, -1) : line));
    if (!line.endsWith('\n')) lines.push(MARKER);
  };
  let [oldAt, newAt] = [0, 0];
  for (const kind of bodyKinds(hunk)) {
    // A context line whose ending changes with what is added after it is a removed and an added line.
    const isContext = kind === ' ' && oldLines[oldAt] === newLines[newAt];
    if (isContext) push(' ', oldLines[oldAt]);
    if (!isContext && kind !== '+') push('-', oldLines[oldAt]);
    if (!isContext && kind !== '-') push('+', newLines[newAt]);
    if (kind !== '+') oldAt += 1;
    if (kind !== '-') newAt += 1;
  }
  return lines;
}

function bodyKinds({ body }: Hunk): readonly string[] {
  const kinds: string[] = [];
  for (let at = body.from; at < body.to; at = body.bytes.indexOf(LF, at) + 1) {
    const prefix = String.fromCharCode(body.bytes[at] ?? LF);
    if (prefix !== '\\') kinds.push(prefix === '+' || prefix === '-' ? prefix : ' ');
  }
  return kinds;
}

/** Lines with their endings; the last one may have none. */
function splitLines(bytes: Buffer): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(LF, at);
    const next = end === -1 ? bytes.length : end + 1;
    lines.push(bytes.toString('utf8', at, next));
    at = next;
  }
  return lines;
}
