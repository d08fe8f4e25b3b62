/** What came of `git commit`, judged by what HEAD is now and never by an exit code alone → a commit, or why there is none. */
import type { CommitGround, CommitRead } from '../io/git-commit.ts';
import type { HookLog } from '../io/git-commit-hooks.ts';
import { failure, type Failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { RunOutcome } from '../model/run.ts';

export interface CommitEnd {
  readonly ground: CommitGround;
  readonly outcome: RunOutcome;
  readonly log: HookLog;
  /** HEAD after the run. */
  readonly head: (CommitRead & { readonly id: string }) | null;
  /** The tree that was to be committed. */
  readonly tree: string;
  readonly allowHookChanges: boolean;
  readonly timeoutMs: number;
}

export interface MadeCommit {
  readonly id: string;
  readonly tree: string;
  readonly notes: readonly string[];
}

/** Tells a commit of ours from one that somebody else made meanwhile, and names the cause where there is none. */
export function judgeEnd(end: CommitEnd): Result<MadeCommit> {
  const { ground, outcome, log, head, tree, allowHookChanges } = end;
  const hasParent = head !== null && head.parents.join(' ') === (ground.head ?? '');
  const isNew = head !== null && head.id !== ground.head;
  if (isNew && hasParent && log.passed && (head.tree === tree || outcome.exitCode === 0)) {
    if (head.tree !== tree && !allowHookChanges) return fail(differs(head.id, 'does not hold what was let through'));
    return ok({ id: head.id, tree: head.tree, notes: afterNotes(end) });
  }
  if (isNew && outcome.exitCode === 0) return fail(differs(head.id, 'is not the commit that git made for this call'));
  return fail(causeOf(end));
}

function differs(id: string, how: string): Failure {
  return failure('COMMIT_DIFFERS', `HEAD is now ${id}, which ${how}: a hook went on after the commit.`, {
    details: { commit: { commit: id } },
  });
}

function causeOf({ ground, outcome, log, timeoutMs }: CommitEnd): Failure {
  const running = log.ran.find(({ status }) => status === null)?.name;
  switch (outcome.ending) {
    case 'cancelled':
      return failure('CANCELLED', 'The call was cancelled before the commit was made.', {
        hint: 'Call again when ready.',
      });
    case 'timed_out':
      return running === undefined
        ? failure('COMMIT_TIMED_OUT', `git commit did not end within ${timeoutMs / 1000} s; ${stageOf(ground, log)}.`)
        : failure('HOOK_TIMED_OUT', `The ${running} hook did not end within ${timeoutMs / 1000} s.`);
    case 'output_limit':
      return failure('OUTPUT_TOO_LARGE', `git and its hooks printed ${outcome.outputBytes} bytes and were ended.`, {
        hint: 'Make the hooks print less; nothing was committed.',
      });
    case 'not_started':
      return failure('PROGRAM_NOT_FOUND', `git could not be started (${outcome.startError ?? 'no reason'}).`);
    case 'exited':
      return causeOfExit(ground, outcome, log);
  }
}

function stageOf({ signer }: CommitGround, { began, passed }: HookLog): string {
  if (passed) return signer !== null ? 'it was waiting for the signer' : 'the hooks had ended';
  return began ? 'it was between the hooks' : 'no hook had begun';
}

function causeOfExit({ signer }: CommitGround, { output, exitCode, signal }: RunOutcome, log: HookLog): Failure {
  const said = wordsOf(output);
  if (log.moved) {
    const message = 'A named file, or what git makes of it, changed while it was being committed.';
    return failure('BYTES_DIFFER', message, { hint: 'Look at the files and call again; nothing was committed.' });
  }
  if (log.rewritten.length > 0) {
    const where = log.rewritten.includes('index') ? 'what was to be committed' : 'a named file on disk';
    const by = log.ran.map(({ name }) => name).join(', ');
    return failure('HOOK_CHANGED_FILES', `A hook (${by}) changed ${where}.${said}`);
  }
  const failed = log.ran.find(({ name, status }) => status !== 0 && name !== 'post-commit');
  if (failed !== undefined) {
    const how = failed.status === null ? 'was ended' : `ended with ${failed.status}`;
    return failure('HOOK_FAILED', `The ${failed.name} hook ${how}.${said}`);
  }
  if (log.passed && signer !== null && !/cannot lock ref/u.test(output)) {
    // Lines for machines say nothing to a person.
    const own = log.signer.replaceAll(/^\[GNUPG:\].*\n?/gmu, '');
    const words = own.trim() === '' ? said : wordsOf(own);
    return failure('SIGNING_FAILED', `${signer.program} did not sign the commit.${words}`);
  }
  return failure('COMMIT_REFUSED', `git commit ended with ${exitCode ?? signal ?? 'nothing'}.${said}`);
}

/** The end of what was said: there it says why. */
function wordsOf(output: string): string {
  const trimmed = output.trim();
  if (trimmed === '') return '';
  return ` It said: ${trimmed.length > 600 ? `… ${trimmed.slice(-600)}` : trimmed}`;
}

function afterNotes({ outcome, log, timeoutMs }: CommitEnd): readonly string[] {
  const late = log.ran.find(({ name }) => name === 'post-commit');
  return [
    ...(late !== undefined && late.status !== 0
      ? [
          late.status === null
            ? `The commit stands; the post-commit hook was ended (limit ${timeoutMs / 1000} s).`
            : `The commit stands; the post-commit hook ended with ${late.status}.`,
        ]
      : []),
    ...(outcome.survivors.length === 0
      ? []
      : [`These processes of a hook could not be ended: ${outcome.survivors.join(', ')}.`]),
  ];
}
