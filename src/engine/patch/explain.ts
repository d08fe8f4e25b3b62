/** All hunks that do not fit become one failure: which code, which sentence, which conflicts, and whether a corrected diff is offered. */
import { type Failure, type FailureCode, failure, type FailureDetails } from '../../model/failure.ts';
import type { HunkConflict } from '../../model/hunk-conflict.ts';
import type { Hunk, Patch, PlacedHunk } from '../../model/patch.ts';
import { appliedLine, describeMisfit, type Scene } from './describe.ts';
import type { LineIndex } from './line-index.ts';
import { CONFLICT_LIMIT } from './parse.ts';
import { Search } from './search.ts';
import { suggestDiff } from './suggest.ts';

export interface Misfits {
  readonly patch: Patch;
  readonly preimage: Buffer;
  readonly lines: LineIndex;
  readonly placed: readonly PlacedHunk[];
  readonly misfits: readonly Hunk[];
}

/** Explains why a patch does not fit. */
export function explainMisfits({ patch, preimage, lines, placed, misfits }: Misfits): Failure {
  const scene: Scene = { preimage, lines, search: new Search(preimage) };
  const addedBefore = linesAddedBefore(patch);
  const conflicts: HunkConflict[] = [];
  let canMove = true;
  for (const hunk of misfits) {
    if (conflicts.length >= CONFLICT_LIMIT && !canMove) break;
    const conflict = describeMisfit(hunk, addedBefore.get(hunk) ?? 0, scene);
    canMove &&= conflict.code === 'OFFSET';
    conflicts.push(conflict);
  }
  const isApplied = (hunk: Hunk): boolean => appliedLine(hunk, addedBefore.get(hunk) ?? 0, scene) !== undefined;
  const allApplied = misfits.every(isApplied) && placed.every(({ hunk }) => isApplied(hunk));
  const [first] = conflicts;
  const more = misfits.length > 1 ? ` (${misfits.length} of ${patch.hunks.length} hunks do not fit)` : '';
  const details: FailureDetails = { conflicts: conflicts.slice(0, CONFLICT_LIMIT) };
  if (allApplied) return failure('ALREADY_APPLIED', first?.message ?? '', { details });
  const suggestion = canMove ? suggest(patch, conflicts) : undefined;
  return failure(codeOf(conflicts), `${first?.message ?? ''}${more}`, {
    ...hintOf(first, suggestion),
    details: { ...details, ...(suggestion === undefined ? {} : { suggested_diff: suggestion }) },
  });
}

function codeOf(conflicts: readonly HunkConflict[]): FailureCode {
  return conflicts.every(({ code }) => code === 'AMBIGUOUS') ? 'PATCH_AMBIGUOUS' : 'PATCH_CONFLICT';
}

function hintOf(first: HunkConflict | undefined, suggestion: string | undefined): { readonly hint?: string } {
  if (suggestion !== undefined) return { hint: 'Check suggested_diff, the patch with corrected headers, and send it.' };
  return first?.hint === undefined ? {} : { hint: first.hint };
}

function suggest(patch: Patch, conflicts: readonly HunkConflict[]): string | undefined {
  const moved = new Map(conflicts.map(({ hunk, found_at: foundAt }) => [hunk, foundAt?.[0]]));
  return suggestDiff(patch, (hunk) => moved.get(hunk.number) ?? hunk.old.start);
}

function linesAddedBefore(patch: Patch): ReadonlyMap<Hunk, number> {
  let added = 0;
  return new Map(
    patch.hunks.map((hunk) => {
      const before = added;
      added += hunk.new.count - hunk.old.count;
      return [hunk, before] as const;
    }),
  );
}
