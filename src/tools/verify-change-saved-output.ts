/** The published shape of what the saved form of verify_change adds to a report. */
import { z } from 'zod';
import {
  BASELINE_KINDS,
  DIFFERENCE_CLASSES,
  DISAPPEARANCE_CLASSES,
  MOST_SCOPE_SHOWN,
  type BaselineIdentity,
  type Difference,
  type Disappearance,
  type LastVerified,
  type SavedFields,
  type Wait,
} from '../model/saved-verification.ts';
import type { Truncated } from '../model/verdict.ts';
import { freshnessFields } from './freshness-output.ts';

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const file = z.string().nullable().describe('File, relative to the root; null: not known.');
const inScope = z.boolean().describe('Whether the file lies in the scope.');

const wait = z.strictObject({
  requested_ms: count.nullable().describe('As it was asked for.'),
  effective_ms: count.describe('As it was granted.'),
  waited_ms: count.describe('As it was needed.'),
  timed_out: z.boolean().describe('Whether it ended without a result.'),
} satisfies Record<keyof Wait, z.ZodType>);

const difference = z.strictObject({
  kind: z.enum(['test', 'finding']).describe('A test, or something a checker found.'),
  class: z.enum(DIFFERENCE_CLASSES).describe('new_failing: a test that was not there before, and fails.'),
  id: z.string().describe('Id of the test; of a finding, the same wherever its line moves.'),
  file,
  line: count.exactOptional().describe('Line of a finding, from 1.'),
  message: z.string().exactOptional().describe('First line of what was said.'),
  in_scope: inScope,
} satisfies Record<keyof Difference, z.ZodType>);

const disappearance = z.strictObject({
  class: z.enum(DISAPPEARANCE_CLASSES).describe('lost_check: it passed, and is skipped now.'),
  id: z.string().describe('Id of the test.'),
  file,
  in_scope: inScope,
} satisfies Record<keyof Disappearance, z.ZodType>);

/** Fields of the baseline of a saved verification, laid beside the counts of its tests. */
export const baselineFields = {
  kind: z.enum(BASELINE_KINDS).exactOptional().describe('Saved form: what was compared with.'),
  id: z.string().nullable().exactOptional().describe('Id of the verification that it is.'),
  revision: count.nullable().exactOptional().describe('Revision that it is about.'),
  head: z.string().nullable().exactOptional().describe('Commit of HEAD.'),
  state_id: z.string().nullable().exactOptional().describe('Sums up its files.'),
  command: z.string().nullable().exactOptional().describe('Its test command.'),
  comparable: z.boolean().exactOptional().describe('Whether counts against it mean anything.'),
  reasons: z.array(z.string()).exactOptional().describe('Why they do not, a word or a sentence each.'),
} satisfies Record<keyof BaselineIdentity, z.ZodType>;

const lastVerified = z.strictObject({
  revision: count.describe('What it is about.'),
  verdict: z.enum(['SAFE', 'UNSAFE', 'UNPROVEN']).describe('Of that revision, and of no newer one.'),
  state_id: z.string().describe('Sums up its files.'),
} satisfies Record<keyof LastVerified, z.ZodType>);

const cut = z.strictObject({
  list: z.string().describe('Name of the list.'),
  shown: count.describe('Entries that are listed.'),
  total: count.describe('Entries that there are.'),
} satisfies Record<keyof Truncated | 'list', z.ZodType>);

/** All of them stand in every answer of the saved form, and none in one of a proposal. */
export const savedFields = {
  freshness: z
    .strictObject(freshnessFields)
    .exactOptional()
    .describe('How new this answer is; look at satisfied and is_stale before anything else.'),
  wait: wait.exactOptional().describe('The wait of this call.'),
  last_verified: lastVerified
    .nullable()
    .exactOptional()
    .describe('The newest result, where this answer is without one.'),
  state_id: z.string().nullable().exactOptional().describe('Sums up the files that were verified.'),
  regressions: z.array(difference).exactOptional().describe('What is worse than in the baseline.'),
  fixes: z.array(difference).exactOptional().describe('What is better.'),
  regression_count: count.nullable().exactOptional().describe('null: nothing comparable to count against.'),
  fix_count: count.nullable().exactOptional().describe('null: nothing comparable to count against.'),
  disappeared: z.array(disappearance).exactOptional().describe('Tests that are gone or skipped; never fixes.'),
  scope_paths: z.array(z.string()).max(MOST_SCOPE_SHOWN).exactOptional().describe('The scope, at most 50 paths.'),
  scope_path_count: count.exactOptional().describe('How many paths the scope has.'),
  truncated: z.boolean().exactOptional().describe('Whether any list was cut.'),
  capped: z.array(cut).exactOptional().describe('Which lists were cut.'),
  caveats: z.array(z.string()).exactOptional().describe('What to bear in mind about this answer.'),
  retryable: z.boolean().exactOptional().describe('Whether the same call may be answered later.'),
} satisfies Record<Exclude<keyof SavedFields, 'baseline'> | 'retryable', z.ZodType>;
