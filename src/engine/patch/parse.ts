/**
 * The text of a unified diff becomes a Patch, or a refusal that names every hunk in the wrong.
 *
 *   patch    = [BOM] [fence] text [header] hunk+ [fence] blank* [signature]
 *   header   = "--- " name [TAB stamp]  "+++ " name [TAB stamp]
 *   hunk     = "@@ -" start ["," count] " +" start ["," count] " @@" any
 *              then exactly the counted lines: " " context, "-" removed, "+" added, "" blank context, "\ " marker
 *
 * Nothing is repaired and nothing is skipped that could be a damaged piece of the patch.
 */
import { type Failure, failure } from '../../model/failure.ts';
import type { HunkConflict } from '../../model/hunk-conflict.ts';
import type { Patch } from '../../model/patch.ts';
import { fail, ok, type Result } from '../../model/result.ts';
import { readEnvelope, refuseTail } from './envelope.ts';
import { HUNK_LIMIT, readHunks } from './hunks.ts';
import { PatchReader } from './patch-reader.ts';

/** A diff may have this many bytes in UTF-8. */
export const DIFF_LIMIT_BYTES = 8 * 1024 * 1024;

export { HUNK_LIMIT };

/** An answer names this many failing hunks. */
export const CONFLICT_LIMIT = 5;

const BOM = '\ufeff';

/**
 * Parses a diff; fails with PATCH_TOO_LARGE, PATCH_EMPTY, PATCH_UNSUPPORTED or PATCH_MALFORMED. `firstLine` numbers its
 * lines where it is a section of a longer diff.
 */
export function parsePatch(diff: string, firstLine = 1): Result<Patch> {
  if (diff.length > DIFF_LIMIT_BYTES || Buffer.byteLength(diff) > DIFF_LIMIT_BYTES) {
    return fail(failure('PATCH_TOO_LARGE', `The patch has more than ${DIFF_LIMIT_BYTES / 1024 / 1024} MiB.`));
  }
  if (!diff.isWellFormed()) {
    const message = 'The patch holds half of a surrogate pair, which no file can hold.';
    return fail(
      failure('PATCH_MALFORMED', message, { hint: 'Send the text as it is, without cutting characters in two.' }),
    );
  }
  const text = diff.startsWith(BOM) ? diff.slice(1) : diff;
  return parsePatchBytes(Buffer.from(text === '' || text.endsWith('\n') ? text : `${text}\n`), firstLine);
}

/** The same for the bytes of a diff that Surepatch kept, which may hold lines that are no UTF-8; it ends in LF. */
export function parsePatchBytes(bytes: Buffer, firstLine = 1): Result<Patch> {
  const reader = new PatchReader(bytes, firstLine);
  const envelope = readEnvelope(reader);
  if (!envelope.ok) return envelope;
  const { hunks, conflicts, isTooMany } = readHunks(reader);
  if (isTooMany) return fail(failure('PATCH_TOO_LARGE', `The patch has more than ${HUNK_LIMIT} hunks.`));
  if (conflicts.length > 0) return fail(malformed(conflicts));
  const tail = refuseTail(reader, envelope.value.fence);
  if (tail !== undefined) return fail(tail);
  const { header, names, creates } = envelope.value;
  return ok({ header, names, creates, hunks });
}

function malformed(conflicts: readonly HunkConflict[]): Failure {
  const [first] = conflicts;
  const more = conflicts.length > 1 ? ` (${conflicts.length} hunks are wrong)` : '';
  return failure('PATCH_MALFORMED', `${first?.message ?? ''}${more}`, {
    ...(first?.hint === undefined ? {} : { hint: first.hint }),
    details: { conflicts: conflicts.slice(0, CONFLICT_LIMIT) },
  });
}
