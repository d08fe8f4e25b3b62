/**
 * A patch and a preimage become a Rewrite, or one refusal that names every hunk that does not fit. Stated positions only;
 * the preimage is never decoded and never changed; nothing is half applied.
 */
import { failure } from '../../model/failure.ts';
import { bytesOf, type Hunk, type Patch, type PlacedHunk, type Rewrite } from '../../model/patch.ts';
import { fail, ok, type Result } from '../../model/result.ts';
import { explainMisfits } from './explain.ts';
import { LineIndex } from './line-index.ts';
import { locate, wouldRepeat } from './locate.ts';
import { changesNothing, rewrite } from './rewrite.ts';

/** A file may have this many bytes; the caller checks before reading it. */
export const FILE_LIMIT_BYTES = 64 * 1024 * 1024;

/**
 * Applies a patch to the bytes of a file. Fails with PATCH_CONFLICT, PATCH_AMBIGUOUS, ALREADY_APPLIED, PATCH_EMPTY or,
 * for a patch that creates a file over one that is not empty, PATCH_UNSUPPORTED.
 */
export function applyPatch(patch: Patch, preimage: Buffer): Result<Rewrite> {
  if (patch.creates && preimage.length > 0) {
    if (isAppliedWhole(patch, preimage)) return fail(nothingToDo(patch));
    const message = 'The patch is for a new file, but the file is there and is not empty; creation is not supported.';
    return fail(failure('PATCH_UNSUPPORTED', message, { hint: 'Diff against the file as it is.' }));
  }
  const lines = new LineIndex(preimage);
  const placed: PlacedHunk[] = [];
  const misfits: Hunk[] = [];
  for (const hunk of patch.hunks) {
    const place = locate(hunk, preimage, lines);
    if (place === undefined || wouldRepeat(place, preimage)) misfits.push(hunk);
    else placed.push(place);
  }
  if (misfits.length > 0) return fail(explainMisfits({ patch, preimage, lines, placed, misfits }));
  if (changesNothing(preimage, placed)) return fail(nothingToDo(patch));
  const result = rewrite(preimage, placed);
  if (!patch.creates) return ok(result);
  const note = 'The patch is for a new file; the file was there and empty, and keeps its mode.';
  return ok({ ...result, notes: [note, ...result.notes] });
}

function nothingToDo(patch: Patch): ReturnType<typeof failure> {
  const saysNothing = patch.hunks.every((hunk) => bytesOf(hunk.old).equals(bytesOf(hunk.new)));
  if (saysNothing) return failure('PATCH_EMPTY', 'The patch changes nothing: both sides of every hunk are equal.');
  return failure('ALREADY_APPLIED', 'The file already is what the patch would make of it.');
}

function isAppliedWhole({ hunks }: Patch, preimage: Buffer): boolean {
  const [hunk] = hunks;
  return hunks.length === 1 && hunk !== undefined && bytesOf(hunk.new).equals(preimage);
}
