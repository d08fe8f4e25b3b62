/** surepatch commit: the git_commit use-case for a person or a script. */
import { commitReportOfFailure } from '../model/commit.ts';
import { failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { gitCommitText } from '../tools/git-commit-text.ts';
import { commitFiles } from '../usecases/commit-files.ts';
import { NO_OPTIONS, open } from './open.ts';
import { untilStopped } from './stop-signals.ts';
import type { Surroundings } from './surroundings.ts';

export interface CommitOptions {
  readonly message: string;
  readonly root?: string;
  /** `PATH=SHA256`, or `PATH=` for a file that must be gone. */
  readonly expect?: readonly string[];
  readonly allowDetached?: boolean;
  readonly allowHookChanges?: boolean;
  readonly json?: boolean;
}

/** Prints the report and resolves with 0 for a commit as asked, 2 for none, 3 for one that somebody has to look at. */
export async function commitCommand(
  surroundings: Surroundings,
  files: readonly string[],
  options: CommitOptions,
): Promise<number> {
  const opened = open(surroundings, { ...NO_OPTIONS, roots: options.root === undefined ? [] : [options.root] });
  const expected = expectations(options.expect ?? []);
  const request = {
    message: options.message,
    files: files.length === 0 ? undefined : files,
    expected: expected.ok ? expected.value : [],
    allowDetached: options.allowDetached,
    allowHookChanges: options.allowHookChanges,
  };
  const ready = expected.ok ? opened : expected;
  const answer = ready.ok
    ? await untilStopped(surroundings, (call) => commitFiles(ready.value, request, call)).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        return fail(failure('INTERNAL', `Surepatch broke down: ${why}.`));
      })
    : ready;
  const report = answer.ok ? answer.value : commitReportOfFailure(answer.failure);
  surroundings.stdout.write(`${options.json === true ? JSON.stringify(report, null, 2) : gitCommitText(report)}\n`);
  if (report.success) return 0;
  return report.commit === null && report.error_code !== 'INTERNAL' ? 2 : 3;
}

function expectation(given: string): Result<{ readonly path: string; readonly sha256: string | null }> {
  const at = given.lastIndexOf('=');
  if (at < 0) {
    const hint = 'Write --expect PATH=SHA256, or --expect PATH= for a file that must be gone.';
    return fail(failure('INPUT_INVALID', `--expect ${given} has no =.`, { hint }));
  }
  const sha256 = given.slice(at + 1);
  return ok({ path: given.slice(0, at), sha256: sha256 === '' ? null : sha256 });
}

function expectations(given: readonly string[]): Result<readonly { path: string; sha256: string | null }[]> {
  const read = [];
  for (const each of given) {
    const one = expectation(each);
    if (!one.ok) return one;
    read.push(one.value);
  }
  return ok(read);
}
