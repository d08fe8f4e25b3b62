/**
 * Runs the one `git commit` of a call, as the user would run it, under a limit of time. Takes back the intent to add that
 * it needs for new files when no commit came of it.
 */
import { rmSync, statSync } from 'node:fs';
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
  /** Whether git came as far as its hooks; before them it has done nothing. */
  readonly hasBegun: () => boolean;
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
/** A lock that comes and goes is met so often at the most; one that cannot be made at all is git's to explain. */
const MOST_ATTEMPTS = 5;

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
  ground: CommitGround,
  paths: readonly string[],
  ask: AskGit,
  now: () => number,
): Promise<Result<null>> {
  if (paths.length === 0) return ok(null);
  const add = ['-c', 'core.hooksPath=/dev/null', 'add', '--intent-to-add', '--', ...paths];
  for (let attempt = 1; ; attempt++) {
    const run = await ask(ground.worktree, add, { GIT_LITERAL_PATHSPECS: '1' });
    if (run.succeeded) return ok(null);
    if (!metLock(run.stderr) || attempt === MOST_ATTEMPTS) return fail(refusedBy(run));
    const free = await waitForIndex(ground, now);
    if (!free.ok) return free;
  }
}

/** Whether git gave up on the lock of the index, be it that another git held it; a path is in no language. */
function metLock(output: string): boolean {
  return /[/\\]index\.lock\b/u.test(output);
}

/** Takes back what is still no more than an intent; says in a sentence what it could not take back. */
export async function takeBackIntent(
  ground: CommitGround,
  paths: readonly string[],
  ask: AskGit,
  now: () => number,
): Promise<string | null> {
  if (paths.length === 0) return null;
  const { worktree } = ground;
  const stayed = `${paths.join(', ')} stayed in the index as intended to be added.`;
  const free = await waitForIndex(ground, now);
  if (!free.ok) return stayed;
  const listed = await ask(worktree, ['ls-files', '--stage', '--debug', '-z', '--', ...paths], {
    GIT_LITERAL_PATHSPECS: '1',
  });
  if (!listed.succeeded) return stayed;
  // Somebody may have staged the file meanwhile, and what is staged may be nowhere else.
  const left = intendedIn(listed.stdout, paths);
  if (left.length === 0) return null;
  const run = await ask(worktree, ['-c', 'core.hooksPath=/dev/null', 'update-index', '--force-remove', '--', ...left]);
  return run.succeeded ? null : stayed;
}

/** Bit of an index entry's flags (CE_INTENT_TO_ADD of git). */
const INTENT_TO_ADD = 0x2000_0000;

/** `mode id stage TAB path NUL`, then what is known of the file in lines, the last of them with the flags. */
function intendedIn(listing: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => {
    const at = listing.indexOf(`\t${path}\0`);
    const flags = /flags: ([0-9a-f]+)/u.exec(at < 0 ? '' : listing.slice(at + path.length + 2))?.[1];
    return flags !== undefined && Math.floor(Number.parseInt(flags, 16) / INTENT_TO_ADD) % 2 === 1;
  });
}

/** Runs git commit, again where it only met a lock on the index; what it means is judged by what HEAD is afterwards. */
export async function runCommit(
  ground: CommitGround,
  order: CommitRun,
  run: (request: RunRequest) => Promise<RunOutcome>,
  now: () => number,
): Promise<Result<RunOutcome>> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await runOnce(ground, order, run);
    const isOver = outcome.ending !== 'exited' || outcome.exitCode === 0 || order.hasBegun();
    if (isOver || !metLock(outcome.output) || attempt === MOST_ATTEMPTS) return ok(outcome);
    const free = await waitForIndex(ground, now);
    if (!free.ok) return free;
    rmSync(order.outputPath, { force: true });
  }
}

function runOnce(
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
