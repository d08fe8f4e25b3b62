/**
 * Runs the one `git commit` of a call, as the user would run it, under a limit of time. Takes back the intent to add that
 * it needs for new files when no commit came of it.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { RunOutcome, RunRequest, RunWrapper } from '../model/run.ts';
import { refusedBy, type AskGit, type CommitGround } from './git-commit-ground.ts';

export interface CommitRun {
  readonly gitProgram: string;
  readonly env: Readonly<Record<string, string>>;
  /** Settings that lead git through our hooks. */
  readonly hookSettings: readonly string[];
  readonly messageFile: string;
  /** File with one literal pathspec for each named path, each ended by a NUL. */
  readonly pathspecFile: string;
  readonly outputPath: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Only the group is held together: in namespaces of its own a signer would not find its agent, nor a hook its rights. Not
 * tied to this process either, because a git that is killed leaves its lock behind, and one that is not ends by itself.
 */
const AS_THE_USER: RunWrapper = {
  kind: 'process_group',
  prefix: [],
  probe: 'the process group of git, and a search of /proc for what leaves it',
};

const LOCK_WAIT_MS = 2_000;
const LOCK_LOOK_MS = 50;
const GRACE_MS = 1_000;

/** Waits until git's lock on the index is gone. Refuses `INDEX_LOCKED` after two seconds; the lock is never removed. */
export async function waitForIndex({ gitFolder }: CommitGround, now: () => number): Promise<Result<null>> {
  const lock = join(gitFolder, 'index.lock');
  const until = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    const found = statSync(lock, { throwIfNoEntry: false });
    if (found === undefined) return ok(null);
    if (performance.now() >= until) {
      const seconds = Math.max(0, Math.round((now() - found.mtimeMs) / 1000));
      return fail(
        failure('INDEX_LOCKED', `${lock} has been there for ${seconds} s: another git holds the index, or died.`),
      );
    }
    await delay(LOCK_LOOK_MS);
  }
}

/** Tells the index of new files that they are to come; git commits no file that it does not know. */
export async function intendToAdd(
  { worktree }: CommitGround,
  paths: readonly string[],
  ask: AskGit,
): Promise<Result<null>> {
  if (paths.length === 0) return ok(null);
  const add = ['-c', 'core.hooksPath=/dev/null', 'add', '--intent-to-add', '--', ...paths];
  const run = await ask(worktree, add, { GIT_LITERAL_PATHSPECS: '1' });
  return run.succeeded ? ok(null) : fail(refusedBy(run));
}

/** Takes the intent back; says in a sentence what it could not take back. */
export async function takeBackIntent(
  { worktree }: CommitGround,
  paths: readonly string[],
  ask: AskGit,
): Promise<string | null> {
  if (paths.length === 0) return null;
  const run = await ask(worktree, ['-c', 'core.hooksPath=/dev/null', 'update-index', '--force-remove', '--', ...paths]);
  return run.succeeded ? null : `${paths.join(', ')} stayed in the index as intended to be added.`;
}

/** Runs git commit; what it means is judged by what HEAD is afterwards. */
export function runCommit(
  { worktree }: CommitGround,
  order: CommitRun,
  run: (request: RunRequest) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  const settings = [
    ...order.hookSettings,
    // Housekeeping is nothing that was asked for, and would outlive the call.
    'gc.auto=0',
    'maintenance.auto=false',
    'i18n.commitEncoding=UTF-8',
  ].flatMap((setting) => ['-c', setting]);
  return run({
    command: [
      order.gitProgram,
      ...settings,
      'commit',
      '--only',
      '--cleanup=whitespace',
      `--file=${order.messageFile}`,
      `--pathspec-from-file=${order.pathspecFile}`,
      '--pathspec-file-nul',
    ],
    cwd: worktree,
    env: order.env,
    outputPath: order.outputPath,
    timeoutMs: order.timeoutMs,
    graceMs: GRACE_MS,
    signal: order.signal,
    wrapper: AS_THE_USER,
  });
}
