/** The repo_overview tool: what it promises, takes and shows. It decides nothing; the use-case does. */
import { z } from 'zod';
import type { CallContext } from '../model/call-context.ts';
import { CONSISTENCIES, MOST_WAIT_MS, refusalOfOverview } from '../model/overview.ts';
import type { Overview, OverviewAnswer, OverviewRequest } from '../model/overview.ts';
import type { Result } from '../model/result.ts';
import { defineTool, type Tool } from './define-tool.ts';
import { repoRoot } from './fields.ts';
import { repoOverviewOutput } from './repo-overview-output.ts';
import { repoOverviewText } from './repo-overview-text.ts';

/** The use-case, bound to its host. */
export type RepoOverview = (request: OverviewRequest, context: CallContext) => Promise<Result<Overview>>;

const description = [
  'Describe a repository and what may be done in it, changing nothing and running nothing that the repository names.',
  'Use when you start on a repository, or need to know where things stand before you write or commit.',
  'Not for reading files and not for proving anything: an earlier verdict says nothing of later changes.',
  'Tells the state of git, changed paths, languages, the test commands that the project names and those that are',
  'allowed, how tests are confined, what was verified last and what was written lately. The first call may come back',
  'before the files were looked at, and says so; consistency decides whether it waits. After a receipt of',
  'record_changed_paths pass its epoch and min_revision to learn whether the answer has seen it.',
].join(' ');

const input = z.strictObject({
  repo_root: repoRoot,
  consistency: z
    .enum(CONSISTENCIES)
    .optional()
    .describe(
      'latest_available (default): looks anew, waits 200 ms, then shows what there is. wait_until_indexed: waits for that ' +
        'look, 30 s unless wait_ms says otherwise. allow_stale: shows an earlier look and starts none if there is one.',
    ),
  min_revision: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Floor from a receipt or a write; the answer says whether it has seen it.'),
  epoch: z
    .string()
    .max(64)
    .optional()
    .describe('Epoch of that revision; refused when the server is another one since.'),
  wait_ms: z
    .int()
    .min(0)
    .max(MOST_WAIT_MS)
    .optional()
    .describe('Longest wait in milliseconds, at most 120000; 0 answers at once.'),
});

/** Makes the tool for a bound use-case. */
export function repoOverviewTool(repoOverview: RepoOverview): Tool {
  return defineTool<z.infer<typeof input>, OverviewAnswer>({
    name: 'repo_overview',
    title: 'Describe a repository and what may be done in it',
    description,
    input,
    output: repoOverviewOutput,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    reportOfFailure: refusalOfOverview,
    textOf: repoOverviewText,
    linksOf: () => [],
    handle: (given, context) =>
      repoOverview(
        {
          repoRoot: given.repo_root,
          consistency: given.consistency,
          minRevision: given.min_revision,
          epoch: given.epoch,
          waitMs: given.wait_ms,
        },
        context,
      ),
  });
}
