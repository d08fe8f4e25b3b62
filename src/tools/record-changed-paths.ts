/** The record_changed_paths tool: what it promises, takes and shows. It decides nothing; the use-case does. */
import { z } from 'zod';
import type { CallContext } from '../model/call-context.ts';
import { MOST_PATH_BYTES, MOST_PATHS } from '../model/path-rule.ts';
import { refusalOfReceipt, type Receipt, type ReceiptAnswer, type ReceiptRequest } from '../model/receipt.ts';
import type { Result } from '../model/result.ts';
import { defineTool, type Tool } from './define-tool.ts';
import { repoRoot } from './fields.ts';
import { recordChangedPathsOutput } from './record-changed-paths-output.ts';
import { receiptText } from './receipt-text.ts';

/** The use-case, bound to its host. */
export type RecordChangedPaths = (request: ReceiptRequest, context: CallContext) => Promise<Result<Receipt>>;

const description = [
  'Record that files were saved by another tool, so that later answers cannot be about an older state of them.',
  'Use when your own editor, a formatter or a generator has written files, once, after the whole batch is saved.',
  'Not for changes made by write_fix, which counts itself, and not before saving.',
  'Pass every path that was created, edited or deleted, or its folder; "." stands for everything, also for a',
  'configuration outside the repository that matters to it. Nothing is written and nothing is run; one bad entry refuses',
  'the whole batch and notes nothing. Pass the floor that it gives to what verifies saved files; it is no proof of',
  'anything by itself and ends with this server. With expected you learn at once which file is not as you saved it.',
].join(' ');

// Limits are published here and left to the use-case, which names the entry and the rule.
const path = z.string().meta({ maxLength: MOST_PATH_BYTES });

const input = z.strictObject({
  paths: z
    .array(path.describe('Path relative to repo_root, e.g. "src/cart.py"; it need not exist.'))
    .meta({ minItems: 1, maxItems: MOST_PATHS })
    .describe(
      'The saved paths, 1 to 128, at most 4096 bytes each; "\\" counts as "/", absolute ones and ".." are refused.',
    ),
  repo_root: repoRoot,
  expected: z
    .array(
      z.strictObject({
        path: path.describe('Path relative to repo_root.'),
        sha256: z
          .string()
          .regex(/^[0-9a-fA-F]{64}$/, 'expected 64 hexadecimal digits')
          .nullable()
          .describe('SHA-256 of what you saved; null where nothing should be.'),
      }),
    )
    .max(MOST_PATHS)
    .optional()
    .describe('What you believe to have saved, at most 128; differences are reported and do not refuse the call.'),
});

/** Makes the tool for a bound use-case. */
export function recordChangedPathsTool(recordChangedPaths: RecordChangedPaths): Tool {
  return defineTool<z.infer<typeof input>, ReceiptAnswer>({
    name: 'record_changed_paths',
    title: 'Record that files were saved by another tool',
    description,
    input,
    output: recordChangedPathsOutput,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    reportOfFailure: refusalOfReceipt,
    textOf: receiptText,
    linksOf: () => [],
    handle: ({ paths, repo_root: root, expected }, context) =>
      recordChangedPaths({ paths, repoRoot: root, expected }, context),
  });
}
