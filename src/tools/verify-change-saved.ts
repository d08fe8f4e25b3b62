/** The arguments of the saved form of verify_change. Limits of paths are published here and left to the use-case. */
import { z } from 'zod';
import { MOST_PATH_BYTES, MOST_PATHS } from '../model/path-rule.ts';
import { ITEMS, SAVED_BASELINES, WAITS_MS } from '../model/saved-verification.ts';

const number = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Present for a question about what is on disk; none of them together with a proposal. */
export const savedInput = {
  paths: z
    .array(z.string().meta({ maxLength: MOST_PATH_BYTES }).describe('Path relative to repoRoot, e.g. "src/cart.py".'))
    .meta({ maxItems: MOST_PATHS })
    .optional()
    .describe(
      'Verify these saved paths, at most 128; a folder stands for what differs from HEAD below it, "." for all. []: what ' +
        'was touched and is not verified yet.',
    ),
  min_revision: number.optional().describe('The floor of a receipt: no answer about anything older is a result.'),
  epoch: z.string().max(200).optional().describe('The epoch of that receipt; refused when the server was restarted.'),
  wait_ms: number
    .optional()
    .describe(
      `How long to wait for the result, at most ${WAITS_MS.most}; best 50000 and ask again. Left out: 0 once anything was ` +
        `verified, else ${WAITS_MS.first}. The verification goes on when the wait is over.`,
    ),
  baseline: z
    .enum(SAVED_BASELINES)
    .optional()
    .describe('Compare with: "head" (default), the same paths as HEAD has them; "last_verified", the newest result.'),
  max_items: z
    .int()
    .min(1)
    .max(ITEMS.most)
    .optional()
    .describe(`Most entries of each list, ${ITEMS.shown} unless given.`),
};
