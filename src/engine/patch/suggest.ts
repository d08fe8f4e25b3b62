/** Writes a patch again with corrected headers; offered to the caller and never applied by itself. */
import { bytesOf, type Hunk, type Patch } from '../../model/patch.ts';
import { LF } from './bytes.ts';
import { formatHunkHeader } from './hunk-header.ts';
import { newStart } from './rewrite.ts';

/** A suggestion longer than this would cost the caller more than making the patch anew. */
export const SUGGESTION_LIMIT = 256 * 1024;

/** The patch with every hunk at the line given for it; undefined when hunks would cross, share lines, or fill too much. */
export function suggestDiff(patch: Patch, lineOf: (hunk: Hunk) => number): string | undefined {
  let [text, added, taken] = [patch.header, 0, 1];
  for (const hunk of patch.hunks) {
    const old = { start: lineOf(hunk), count: hunk.old.count };
    if (old.start < taken) return undefined;
    taken = old.start + old.count;
    const next = { start: newStart(old, hunk.new.count, added), count: hunk.new.count };
    added += hunk.new.count - hunk.old.count;
    text += `${formatHunkHeader(old, next)}${section(hunk)}${bytesOf(hunk.body).toString('utf8')}`;
    if (text.length > SUGGESTION_LIMIT) return undefined;
  }
  return text;
}

/** What follows the second `@@` of the header as it was sent, with its line ending. */
function section({ body }: Hunk): string {
  const header = body.bytes.toString('utf8', body.bytes.lastIndexOf(LF, body.from - 2) + 1, body.from);
  return header.slice(header.indexOf(' @@') + ' @@'.length);
}
