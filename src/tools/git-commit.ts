/** The git_commit tool: what it promises, takes and shows. It decides nothing; the use-case does. */
import { z } from 'zod';
import type { CallContext } from '../model/call-context.ts';
import { commitReportOfFailure, type CommitReport, type CommitRequest } from '../model/commit.ts';
import type { Result } from '../model/result.ts';
import { allowDetached, allowHookChanges, commitMessage, expectedFiles, filesToCommit } from './commit-fields.ts';
import { defineTool, type Tool } from './define-tool.ts';
import { repoRoot } from './fields.ts';
import { gitCommitOutput } from './git-commit-output.ts';
import { gitCommitText } from './git-commit-text.ts';

/** The use-case, bound to its host. */
export type GitCommit = (request: CommitRequest, context: CallContext) => Promise<Result<CommitReport>>;

const description = [
  'Commit exactly the named files as they are on disk; everything else staged, unstaged or untracked stays as it is.',
  'Use when a change is written and tested.',
  'Not for amending, merging, pushing, or a part of a file.',
  'Without files it commits what write_fix wrote in this root and nobody has committed since; a file that was changed',
  'after that write is refused, unless expected names its bytes. Hooks and signing run as in the user’s own git commit',
  'and are never skipped: one that fails, hangs for 120 s or rewrites a file leaves nothing committed, and its own',
  'words come back. A merge, rebase, cherry-pick, revert or bisect in progress, unmerged paths, ignored files and a',
  'detached branch are refused, each with its reason. File names and message are taken literally, never as patterns or',
  'options.',
].join(' ');

/** Makes the tool for a bound use-case. */
export function gitCommitTool(gitCommit: GitCommit): Tool {
  return defineTool({
    name: 'git_commit',
    title: 'Commit exactly the named files',
    description,
    input: z.strictObject({
      message: commitMessage,
      files: filesToCommit,
      repo_root: repoRoot,
      expected: expectedFiles,
      allow_detached: allowDetached,
      allow_hook_changes: allowHookChanges,
    }),
    output: gitCommitOutput,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    reportOfFailure: commitReportOfFailure,
    textOf: gitCommitText,
    linksOf: () => [],
    handle: (input, context) =>
      gitCommit(
        {
          message: input.message,
          files: input.files,
          repoRoot: input.repo_root,
          expected: input.expected?.map(({ path, sha256 }) => ({ path, sha256: sha256 ?? null })),
          allowDetached: input.allow_detached,
          allowHookChanges: input.allow_hook_changes,
        },
        context,
      ),
  });
}
