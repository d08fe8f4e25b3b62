/** The published shape of freshness, which stands in every answer about what is on disk. */
import { z } from 'zod';
import {
  MOST_DIRTY_SHOWN,
  VERIFICATION_STATES,
  WATCHER_STATES,
  type FailedAttempt,
  type Freshness,
} from '../model/revision.ts';

const revision = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const failedAttempt = z.strictObject({
  revision: revision.describe('What the attempt was about.'),
  code: z.string().describe('Stable code of the failure.'),
  message: z.string().describe('What went wrong, in one sentence.'),
} satisfies Record<keyof FailedAttempt, z.ZodType>);

/** Fields of freshness; a receipt narrows one of them. */
export const freshnessFields = {
  epoch: z.string().describe('Identifies the server process and root; revisions of another epoch mean nothing here.'),
  requested_revision: revision.nullable().describe('The floor of this call; null where it named none.'),
  observed_revision: revision.describe('Newest revision of the root: raised by every change that is known of.'),
  verified_revision: revision.nullable().describe('Newest revision that a result is about; null: none yet.'),
  satisfied: z.boolean().describe('Whether a result is about the floor or something newer.'),
  is_stale: z.boolean().describe('Whether anything was touched since the newest result.'),
  state: z.enum(VERIFICATION_STATES).describe('What the verification of the saved files is doing.'),
  dirty_path_count: revision.describe('Paths touched and in no result yet.'),
  dirty_paths: z.array(z.string()).max(MOST_DIRTY_SHOWN).describe('At most 50 of them; "." is everything.'),
  last_error: failedAttempt.nullable().describe('Last attempt without a result, kept until one has a result.'),
  watcher: z.enum(WATCHER_STATES).describe('Whether changes by other programs are noticed by themselves.'),
  watcher_note: z.string().nullable().describe('What to do about a watcher that is not watching.'),
  captured_at: z.string().nullable().describe('When the whole tree was last looked at, ISO 8601.'),
} satisfies Record<keyof Freshness, z.ZodType>;
