/** The undo_fix tool: what it promises, takes and shows. It decides nothing; the use-case does. */
import { z } from 'zod';
import type { CallContext } from '../model/call-context.ts';
import { FAILURES, isFailureCode } from '../model/failure.ts';
import type { Result } from '../model/result.ts';
import { reportOfUndoFailure, type UndoReport, type UndoRequest } from '../model/undo-report.ts';
import { DISK_STATES, GIT_STATES, type Revision } from '../model/write-facts.ts';
import { defineTool, type Tool } from './define-tool.ts';
import { repoRoot } from './fields.ts';
import { undoFixText } from './undo-fix-text.ts';

/** The use-case, bound to its host. */
export type UndoFix = (request: UndoRequest, context: CallContext) => Promise<Result<UndoReport>>;

const description = [
  'Undo one earlier write_fix (or undo_fix) in its file, and keep everything else that the file holds now.',
  'Use when a write that was kept turns out to be wrong, also after a restart, later writes or edits, and without git.',
  'Not for a write that was put back by itself, nor to discard edits of others.',
  'The file gets its exact bytes of before back if nothing changed since; else the lines of the write go where they',
  'stand whole with three lines around them; where they do not, both sides are shown and nothing is written.',
  'No test is run. The undo has a write_id of its own and can be undone.',
].join(' ');

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const output = z.strictObject({
  success: z.boolean().describe('Whether the write was taken out of the file.'),
  error: z.string().nullable().describe('One sentence on what went wrong.'),
  error_code: z.enum(Object.keys(FAILURES).filter(isFailureCode)).exactOptional().describe('Stable code of the error.'),
  hint: z.string().exactOptional().describe('What to do next.'),
  disk_state: z.enum(DISK_STATES).describe('What the file holds now; patched: the undone bytes.'),
  notes: z.array(z.string()).describe('What else is worth knowing.'),
  undoes: z.string().nullable().describe('The write that was to be undone; null where none was found.'),
  file_path: z.string().exactOptional().describe('Its file, relative to the root.'),
  write_id: z.string().exactOptional().describe('Names this undo, which can be undone in turn.'),
  git_state: z.enum(GIT_STATES).exactOptional().describe('How git saw the file before the undo.'),
  backup: z
    .string()
    .nullable()
    .exactOptional()
    .describe('Kept copy of the bytes before the undo; null: git holds them.'),
  sha256_before: sha256.exactOptional().describe('Digest before the undo.'),
  sha256_after: sha256.exactOptional().describe('Digest of the undone bytes.'),
  sha256_found: sha256.exactOptional().describe('Digest of what stands there, if it is neither.'),
  revision: z
    .strictObject({
      epoch: z.string().describe('Identifies the server process and root.'),
      revision: z.int().min(0).describe('Counts the changes of that epoch.'),
    } satisfies Record<keyof Revision, z.ZodType>)
    .exactOptional()
    .describe('Revision of the root after the undo.'),
  undo_diff: z
    .string()
    .exactOptional()
    .describe('In a conflict: what the undo would have changed in the written file.'),
  since_diff: z.string().exactOptional().describe('In a conflict: what changed in the file since the write.'),
} satisfies Record<keyof UndoReport, z.ZodType>) satisfies z.ZodType<UndoReport>;

const input = z.strictObject({
  write_id: z.string().min(1).max(64).describe('The write_id that write_fix or undo_fix answered with.'),
  repo_root: repoRoot,
});

/** Makes the tool for a bound use-case. */
export function undoFixTool(undoFix: UndoFix): Tool {
  return defineTool<z.infer<typeof input>, UndoReport>({
    name: 'undo_fix',
    title: 'Undo an earlier write',
    description,
    input,
    output,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    reportOfFailure: reportOfUndoFailure,
    textOf: undoFixText,
    linksOf: () => [],
    handle: ({ write_id: writeId, repo_root }, context) => undoFix({ writeId, repoRoot: repo_root }, context),
  });
}
