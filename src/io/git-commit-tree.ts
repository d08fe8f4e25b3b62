/**
 * Works out, in an index of our own, the tree that a commit of exactly the named files must have, and reads what a commit
 * really has. Adds objects to the repository, as `git add` does, and changes nothing else of it.
 */
import { join } from 'node:path';
import { FILE_CHANGES, type CommittedFile } from '../model/commit-facts.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { refusedBy, type AskGit, type CommitGround } from './git-commit-ground.ts';

/** Puts the files as they are on disk over HEAD; `scratch` is a folder of ours. */
export async function treeToCommit(
  { worktree, head }: CommitGround,
  paths: readonly string[],
  scratch: string,
  ask: AskGit,
): Promise<Result<string>> {
  const index = { GIT_INDEX_FILE: join(scratch, 'index') };
  const steps = [
    ['read-tree', head ?? '--empty'],
    ['-c', 'core.fsmonitor=', '-c', 'core.splitIndex=false', 'update-index', '--add', '--remove', '--', ...paths],
  ];
  for (const step of steps) {
    const run = await ask(worktree, step, index);
    if (!run.succeeded) return fail(refusedBy(run));
  }
  const written = await ask(worktree, ['write-tree'], index);
  return written.succeeded ? ok(written.stdout) : fail(refusedBy(written));
}

const LETTERS: Readonly<Record<string, CommittedFile['change']>> = {
  A: FILE_CHANGES[0],
  M: FILE_CHANGES[1],
  D: FILE_CHANGES[2],
  T: FILE_CHANGES[3],
};

/** The paths in which a tree or commit differs from HEAD as it was; every path of it where there was none. */
export async function changesSince(
  { worktree, head }: CommitGround,
  tree: string,
  ask: AskGit,
): Promise<Result<readonly CommittedFile[]>> {
  const from = head ?? (await ask(worktree, ['hash-object', '-t', 'tree', '/dev/null'])).stdout;
  const run = await ask(worktree, ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, tree]);
  return run.succeeded ? ok(readRaw(run.stdout)) : fail(refusedBy(run));
}

/** `:mode mode id id letter NUL path NUL`, over and over. */
function readRaw(listing: string): readonly CommittedFile[] {
  const fields = listing.split('\0');
  const files: CommittedFile[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', , blob = '', letter = ''] = (fields[at] ?? '').split(' ');
    const change = LETTERS[letter];
    const path = fields[at + 1];
    if (change === undefined || path === undefined) throw new SyntaxError('git diff-tree is not understood');
    const isGone = change === 'deleted';
    files.push({ path, change, blob: isGone ? null : blob, mode: isGone ? null : mode });
  }
  return files;
}

/** Whether a commit that HEAD holds touched the path after that moment; one of the same second does not count. */
export async function isCommittedSince(
  { worktree, head }: CommitGround,
  path: string,
  atMs: number,
  ask: AskGit,
): Promise<boolean> {
  if (head === null) return false;
  const since = `--since=@${Math.floor(atMs / 1000) + 1}`;
  const order = ['log', '-1', '--no-show-signature', '--format=%H', since, head, '--', path];
  const run = await ask(worktree, order, { GIT_LITERAL_PATHSPECS: '1' });
  return run.succeeded && run.stdout !== '';
}

export interface CommitRead {
  readonly parents: readonly string[];
  readonly tree: string;
}

/** The commit that HEAD is now, or null where there is none. */
export async function readHead({ worktree }: CommitGround, ask: AskGit): Promise<(CommitRead & { id: string }) | null> {
  const run = await ask(worktree, ['log', '-1', '--no-show-signature', '--format=%H%n%T%n%P', 'HEAD', '--']);
  const [id, tree, parents] = run.stdout.split('\n');
  if (!run.succeeded || id === undefined || tree === undefined) return null;
  return { id, tree, parents: parents === undefined || parents === '' ? [] : parents.split(' ') };
}
