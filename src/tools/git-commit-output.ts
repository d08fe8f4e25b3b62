/** The published shape of a git_commit answer: one flat object for what went well and for what did not. */
import { z } from 'zod';
import type { CommitReport } from '../model/commit.ts';
import { FILE_CHANGES, type CommittedFile, type FileDifference } from '../model/commit-facts.ts';
import { FAILURES, isFailureCode } from '../model/failure.ts';
import type { Revision } from '../model/write-facts.ts';

const id = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const file = z.strictObject({
  path: z.string().describe('Relative to the root.'),
  change: z.enum(FILE_CHANGES).describe('Against the parent.'),
  blob: id.nullable().describe('Object that the commit holds; null for a deletion.'),
  mode: z.string().nullable().describe('As git writes it, e.g. "100644"; null for a deletion.'),
} satisfies Record<keyof CommittedFile, z.ZodType>);

const difference = z.strictObject({
  path: z.string().describe('Relative to the root.'),
  sha256_expected: sha256.nullable().describe('What it should be; null: not there.'),
  sha256_found: sha256.nullable().describe('What is on disk; null: not there.'),
  expected_by: z.enum(['caller', 'write_fix', 'first_look']).describe('Who says so.'),
} satisfies Record<keyof FileDifference, z.ZodType>);

const revision = z.strictObject({
  epoch: z.string().describe('Identifies the server process and root.'),
  revision: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('Counts the changes of that epoch.'),
} satisfies Record<keyof Revision, z.ZodType>);

/** Schema of the report; strict, so that nothing unpublished can leave. */
export const gitCommitOutput = z.strictObject({
  success: z.boolean().describe('Whether exactly what was asked for is committed.'),
  commit: id.nullable().describe('The new commit; null when none was made.'),
  parent: id.nullable().describe('HEAD before; null on a branch without a commit, or where it was not found out.'),
  branch: z.string().nullable().describe('Branch that the commit is on; null for a detached HEAD.'),
  files: z.array(file).describe('Every path in which the commit differs from its parent, read back from it.'),
  output: z
    .string()
    .nullable()
    .describe('What git, hooks and signer printed, start and end of it; null when none ran.'),
  error: z.string().nullable().describe('One sentence on what went wrong, with the words of the hook or signer.'),
  notes: z.array(z.string()).describe('What else is worth knowing.'),
  error_code: z.enum(Object.keys(FAILURES).filter(isFailureCode)).exactOptional().describe('Stable code of the error.'),
  hint: z.string().exactOptional().describe('What to do next.'),
  output_uri: z.string().exactOptional().describe('Resource with the whole output, readable in pages.'),
  differences: z.array(difference).exactOptional().describe('Files that do not hold what was expected.'),
  hook_changes: z.array(z.string()).exactOptional().describe('Paths that hooks changed in the commit.'),
  revision: revision.exactOptional().describe('Revision of the root after the commit.'),
} satisfies Record<keyof CommitReport, z.ZodType>) satisfies z.ZodType<CommitReport>;
