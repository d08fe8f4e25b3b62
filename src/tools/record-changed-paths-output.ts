/** The published shape of a record_changed_paths answer: the receipt, or why there is none. */
import { z } from 'zod';
import { FAILURES, isFailureCode } from '../model/failure.ts';
import { MOST_PATHS, PATH_RULES, type BadPath } from '../model/path-rule.ts';
import { MOST_STATES_SHOWN, PATH_KINDS, type Mismatch, type PathState } from '../model/receipt.ts';
import type { Receipt, ReceiptAnswer, ReceiptRefusal } from '../model/receipt.ts';
import { freshnessFields } from './freshness-output.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const stateFields = {
  kind: z.enum(PATH_KINDS).describe('What stands there, links not followed.'),
  sha256: sha256.exactOptional().describe("Digest of the file's bytes, or of a link's text."),
} satisfies Record<keyof PathState, z.ZodType>;

const mismatch = z.strictObject({
  path: z.string().describe('Normalised path.'),
  expected: sha256.nullable().describe('The digest expected; null: nothing.'),
  found: z.strictObject(stateFields).describe('What stands there instead.'),
} satisfies Record<keyof Mismatch, z.ZodType>);

const badPath = z.strictObject({
  argument: z.string().describe('The argument with the bad entry.'),
  index: count.describe('Which entry of it, from 0.'),
  rule: z.enum(PATH_RULES).describe('The rule that the entry breaks.'),
} satisfies Record<keyof BadPath, z.ZodType>);

// A receipt says that something was touched; that it was verified only a later answer can say.
const freshness = z.strictObject({
  ...freshnessFields,
  satisfied: z.literal(false).describe('Never true in a receipt.'),
});

const fields = {
  epoch: freshnessFields.epoch.exactOptional(),
  min_revision: count.exactOptional().describe('The floor to ask for in what follows.'),
  paths: z.array(z.string()).max(MOST_PATHS).exactOptional().describe('The paths as they were understood, each once.'),
  path_states: z
    .array(z.strictObject({ path: z.string().describe('Normalised path.'), ...stateFields }))
    .max(MOST_STATES_SHOWN)
    .exactOptional()
    .describe('What stands at the first 50 paths now.'),
  path_state_count: count.exactOptional().describe('How many paths there are states of.'),
  mismatches: z.array(mismatch).exactOptional().describe('What is not as expected says; the receipt stands.'),
  freshness: freshness.exactOptional().describe('How new the results of this root are.'),
  error: z.string().exactOptional().describe('One sentence on why there is no receipt.'),
  error_code: z.enum(Object.keys(FAILURES).filter(isFailureCode)).exactOptional().describe('Stable code of the error.'),
  hint: z.string().exactOptional().describe('What to do next.'),
  bad_path: badPath.exactOptional().describe('The entry that was refused, and the rule it breaks.'),
} satisfies Record<keyof (Receipt & ReceiptRefusal), z.ZodType>;

/** Schema of the report; strict, so that nothing unpublished can leave. */
export const recordChangedPathsOutput = z.strictObject(fields) satisfies z.ZodType<ReceiptAnswer>;
