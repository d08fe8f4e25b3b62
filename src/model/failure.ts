/**
 * The whole failure taxonomy. A code is part of the published interface: codes are added freely and renamed never.
 * `who` says who can mend it; `hint` is the default next step, replaced where the place that fails knows a better one.
 */
import type { CommitFacts } from './commit-facts.ts';
import type { HunkConflict } from './hunk-conflict.ts';
import type { BadPath } from './path-rule.ts';
import type { SavedFailure } from './saved-verification.ts';
import type { UndoFacts } from './undo-facts.ts';
import type { WriteFacts } from './write-facts.ts';

export const FAILURES = {
  INPUT_INVALID: { who: 'caller', hint: 'Correct the named argument and call again.' },
  BAD_PATH: {
    who: 'caller',
    hint: 'Correct the entry named: a path relative to the root with "/" between folders, as git status prints it.',
  },
  TOO_MANY_PATHS: { who: 'caller', hint: 'Pass at most 128 paths: the folders that hold them, or "." for everything.' },
  WRITER_UNAVAILABLE: {
    who: 'machine',
    hint: 'Use a server that is started without --one-shot; verify without a floor.',
  },
  EPOCH_MISMATCH: {
    who: 'caller',
    hint: 'Record the changed paths again with this server, and use the epoch and the floor that it gives.',
  },
  VERIFICATION_PENDING: { who: 'caller', hint: 'Ask again with a longer wait_ms; the verification goes on meanwhile.' },
  VERIFICATION_FAILED: {
    who: 'project',
    hint: 'Mend what the message names, then ask again; see freshness.last_error.',
  },
  REVISION_UNKNOWN: { who: 'caller', hint: 'Use the min_revision of a receipt of this server as it is.' },
  ROOT_REFUSED: { who: 'caller', hint: 'Name a repository folder, or allow it with --root DIR at start.' },
  PATH_OUTSIDE_REPO: { who: 'caller', hint: 'Name an existing regular file inside the root.' },
  PATH_PROTECTED: { who: 'caller', hint: 'Choose a file of the project; git and Surepatch keep this one.' },
  FILE_NOT_FOUND: { who: 'caller', hint: 'Name an existing file; files are edited, never created.' },
  NOT_A_FILE: { who: 'caller', hint: 'Name a regular file.' },
  HARD_LINKED: { who: 'caller', hint: 'Break the hard link first (copy the file and move the copy over it).' },
  FILE_READ_ONLY: { who: 'caller', hint: 'Make the file writable (chmod u+w) if it may be edited, and call again.' },
  OWNER_DIFFERS: { who: 'project', hint: 'Run as the owner of the file, or have the owner given over to you.' },
  FILE_TOO_LARGE: { who: 'caller', hint: 'Edit this file another way.' },
  PATCH_TOO_LARGE: { who: 'caller', hint: 'Split the patch.' },
  PATCH_MALFORMED: { who: 'caller', hint: 'Correct the patch as the message says and send it again.' },
  PATCH_EMPTY: { who: 'caller', hint: 'Send a patch with at least one hunk that changes a line.' },
  PATCH_UNSUPPORTED: { who: 'caller', hint: 'Send a unified diff that edits one existing file in place.' },
  PATCH_WRONG_FILE: { who: 'caller', hint: 'Let the path given and the names in the patch mean the same file.' },
  PATCH_CONFLICT: { who: 'caller', hint: 'Read the file again and make the patch from what it holds now.' },
  PATCH_AMBIGUOUS: { who: 'caller', hint: 'Add context lines or use one of the positions listed.' },
  ALREADY_APPLIED: { who: 'caller', hint: 'Nothing to do: the file already holds this change.' },
  PREIMAGE_STALE: { who: 'caller', hint: 'Read the file again, make the patch anew, and pass its new digest.' },
  NOTHING_TO_VERIFY: {
    who: 'caller',
    hint: 'Pass the change as `edits` (whole new contents) or as `unifiedDiff`; for files saved already, pass `paths`.',
  },
  AMBIGUOUS_FORM: { who: 'caller', hint: 'Pass the change in one form only.' },
  DUPLICATE_PATH: { who: 'caller', hint: 'Put everything for a file into one edit or one section.' },
  NOT_VERIFIED: { who: 'caller', hint: 'Read verdict.reason and verdict.next; nothing was written.' },
  STALE: { who: 'caller', hint: 'Verify the change again as things are now, then write.' },
  COMMAND_UNPARSABLE: { who: 'caller', hint: 'Send one plain command, without anything a shell would interpret.' },
  COMMAND_NOT_ALLOWED: { who: 'caller', hint: 'Use one of the allowed commands.' },
  ALLOWLIST_INVALID: { who: 'machine', hint: 'Correct the file as the message says and start again.' },
  PROGRAM_NOT_FOUND: { who: 'project', hint: 'Install the program, or name one that is on PATH.' },
  TESTS_FAILED: { who: 'caller', hint: 'Read the test output, mend the patch and call again; the file is as it was.' },
  TIMED_OUT: {
    who: 'caller',
    hint: 'Run a smaller part of the suite, or raise --test-timeout; the file is as it was.',
  },
  OUTPUT_TOO_LARGE: { who: 'project', hint: 'Make the suite print less; the file is as it was.' },
  CANCELLED: { who: 'caller', hint: 'Call again when ready; the file is as it was.' },
  NOT_A_REPOSITORY: { who: 'project', hint: 'Name a root inside a git repository, or commit by other means.' },
  DETACHED_HEAD: {
    who: 'caller',
    hint: 'Check out a branch, or pass allow_detached if the commit may hang on HEAD alone.',
  },
  OPERATION_IN_PROGRESS: { who: 'project', hint: 'Finish it or give it up (git status says how), then call again.' },
  UNMERGED_PATHS: { who: 'project', hint: 'Resolve the conflicts and stage them, then call again.' },
  NOTHING_TO_COMMIT: { who: 'caller', hint: 'Nothing to do: name files that differ from HEAD (git status).' },
  BYTES_DIFFER: {
    who: 'caller',
    hint: 'Look at the files; to commit them as they are, pass the digests that were found as expected.',
  },
  PATH_IGNORED: { who: 'caller', hint: 'Leave the file out; if it belongs into the repository, git add -f it first.' },
  PATH_SPARSE: { who: 'caller', hint: 'Have the path checked out (git sparse-checkout add), then call again.' },
  NESTED_REPOSITORY: { who: 'caller', hint: 'Pass that repository as repo_root.' },
  IDENTITY_MISSING: { who: 'project', hint: 'Set user.name and user.email with git config, then call again.' },
  INDEX_LOCKED: {
    who: 'project',
    hint: 'Wait for the other git; if none runs any more, remove the lock file by hand and call again.',
  },
  HOOK_FAILED: { who: 'caller', hint: 'Mend what the hook complains of and call again; nothing was committed.' },
  HOOK_CHANGED_FILES: {
    who: 'caller',
    hint: 'Look at what it made of the files, then commit that, or pass allow_hook_changes; nothing was committed.',
  },
  HOOK_TIMED_OUT: { who: 'project', hint: 'Make the hook faster; nothing was committed.' },
  SIGNING_FAILED: {
    who: 'project',
    hint: 'Make the key usable without a terminal (an unlocked agent, say); nothing was committed.',
  },
  COMMIT_TIMED_OUT: {
    who: 'project',
    hint: 'See what git or its signer waits for (a pass phrase, say); nothing was committed.',
  },
  COMMIT_REFUSED: { who: 'project', hint: 'Do what git says in its own words, then call again.' },
  COMMIT_DIFFERS: {
    who: 'project',
    hint: 'Look at the commit named (git show) before anything else; it was left alone.',
  },
  WRITE_UNKNOWN: {
    who: 'caller',
    hint: 'Pass the write_id of a kept write (surepatch history lists them) and the repo_root that it was made in.',
  },
  PREIMAGE_GONE: {
    who: 'project',
    hint: 'Restore the backup under its name if it was only moved; else write the lines of before with write_fix.',
  },
  CONFLICT: {
    who: 'caller',
    hint: 'Compare undo_diff and since_diff, make a patch of what should go back, and pass it to write_fix.',
  },
  REPOSITORY_LOCKED: { who: 'machine', hint: 'Wait for the other write to end and call again.' },
  RECOVERY_PENDING: {
    who: 'project',
    hint: 'Compare the two: move the backup over the file or delete it, then call again.',
  },
  STATE_UNAVAILABLE: {
    who: 'machine',
    hint: 'Make the state folder writable, or set XDG_STATE_HOME to a folder that is.',
  },
  SHADOW_UNAVAILABLE: {
    who: 'machine',
    hint: 'Leave out --shadow, so that the best kind of shadow tree that works here is taken; surepatch doctor names it.',
  },
  NO_SPACE: { who: 'machine', hint: 'Free some disk space and call again.' },
  DISK_FAILED: { who: 'machine', hint: 'Look at the disk and the permissions named, then call again.' },
  ROLLBACK_CONFLICT: { who: 'project', hint: 'Somebody else changed the file; compare it with the backup named.' },
  ROLLBACK_FAILED: { who: 'ours', hint: 'Restore the file from the backup named; the journal record is kept.' },
  INTERNAL: { who: 'ours', hint: 'Read the file before anything else; report this with the log on stderr.' },
} as const satisfies Readonly<Record<string, { who: 'caller' | 'project' | 'machine' | 'ours'; hint: string }>>;

export type FailureCode = keyof typeof FAILURES;

/** Tells whether a word is one of the codes. */
export function isFailureCode(word: string): word is FailureCode {
  return Object.hasOwn(FAILURES, word);
}

/** What a failure may carry beside its sentence; every field is shown to the caller as it is. */
export interface FailureDetails {
  readonly conflicts?: readonly HunkConflict[];
  readonly bad_path?: BadPath;
  readonly suggested_diff?: string;
  /** How new things are, where the saved form of verify_change has no answer. */
  readonly saved?: SavedFailure;
  /** What is known of a commit that did not come about as asked. */
  readonly commit?: Partial<CommitFacts>;
  readonly sha256_before?: string;
  readonly sha256_found?: string;
  /** What an undo that was refused is about. */
  readonly undo?: UndoFacts;
  /** What else is known when the failure came after the write: laid over the report as it is. */
  readonly report?: Partial<WriteFacts>;
}

export interface Failure {
  readonly code: FailureCode;
  /** One sentence: what was found, and where. */
  readonly message: string;
  /** What to do next. */
  readonly hint: string;
  readonly details: FailureDetails;
}

/** Makes a failure; the hint is the code's own unless a better one is given. */
export function failure(
  code: FailureCode,
  message: string,
  extra: { readonly hint?: string; readonly details?: FailureDetails } = {},
): Failure {
  return { code, message, hint: extra.hint ?? FAILURES[code].hint, details: extra.details ?? {} };
}
