/** May these files be committed here, now, as they are? Every refusal comes before anything is changed. */
import { posix } from 'node:path';
import type { CommitGround, FileToCommit } from '../io/git-commit.ts';
import type { CommitReport, CommitRequest } from '../model/commit.ts';
import type { CommitFacts, FileDifference } from '../model/commit-facts.ts';
import { failure, type Failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { WrittenFile } from './written-files.ts';

/** Refuses a repository in which a commit would be something else than it seems; null is admitted. */
export function refuseGround(ground: CommitGround, { allowDetached }: CommitRequest): Failure | null {
  const { operation, unmerged, branch, head } = ground;
  if (unmerged.length > 0) {
    const named = unmerged.slice(0, 10).join(', ');
    return failure('UNMERGED_PATHS', `These paths are not merged: ${named}.`);
  }
  if (operation !== null) {
    return failure('OPERATION_IN_PROGRESS', `${operation} is under way; a commit now would become a part of it.`);
  }
  if (branch === null && allowDetached !== true) {
    const at = head === null ? '' : ` (at ${head.slice(0, 12)})`;
    return failure('DETACHED_HEAD', `HEAD is on no branch${at}, so the commit would belong to none.`);
  }
  return null;
}

/** A path of the worktree as callers of this root see it. */
export function fromRoot({ prefix }: CommitGround, path: string): string {
  return posix.relative(prefix, path);
}

/** The files that do not hold what the caller or our own record says; the caller's word counts for more. */
export function differencesOf(
  ground: CommitGround,
  files: readonly FileToCommit[],
  expected: ReadonlyMap<string, string | null>,
  written: ReadonlyMap<string, WrittenFile>,
): readonly FileDifference[] {
  return files.flatMap(({ path: inWorktree, sha256 }): FileDifference[] => {
    const path = fromRoot(ground, inWorktree);
    const given = expected.get(path);
    const promised = given === undefined ? written.get(path)?.sha256 : given;
    if (promised === undefined || promised === sha256) return [];
    const expected_by = given === undefined ? 'write_fix' : 'caller';
    return [{ path, sha256_expected: promised, sha256_found: sha256, expected_by }];
  });
}

const SAYINGS: Readonly<Record<FileDifference['expected_by'], string>> = {
  caller: 'expected says',
  write_fix: 'write_fix wrote',
  first_look: 'a moment before it was',
};

/** Says in one sentence what each file holds instead. */
export function bytesDiffer(differences: readonly FileDifference[]): Failure {
  const said = differences.slice(0, 5).map(({ path, sha256_expected, sha256_found, expected_by }) => {
    return `${path} is ${sha256_found ?? 'not there'}, and ${SAYINGS[expected_by]} ${sha256_expected ?? 'nothing'}`;
  });
  const rest = differences.length > said.length ? `; and ${differences.length - said.length} more` : '';
  return failure('BYTES_DIFFER', `Not the bytes that are to be committed (SHA-256): ${said.join('; ')}${rest}.`, {
    details: { commit: { differences } },
  });
}

/** Lays what is known around an answer; notes come first, and what the answer says itself stands. */
export function withFacts(answer: Result<CommitReport>, facts: Partial<CommitFacts>): Result<CommitReport> {
  const { notes = [] } = facts;
  if (answer.ok) return ok({ ...answer.value, notes: [...notes, ...answer.value.notes] });
  const known = answer.failure.details.commit;
  const commit = { ...facts, ...known, notes: [...notes, ...(known?.notes ?? [])] };
  const failed: Failure = { ...answer.failure, details: { ...answer.failure.details, commit } };
  return fail(failed);
}
