/** The published shape of a repo_overview answer: what is known of a root, or why nothing is told. */
import { z } from 'zod';
import { FAILURES, isFailureCode } from '../model/failure.ts';
import { HISTORY_KINDS } from '../model/history.ts';
import type { Isolation } from '../model/isolation.ts';
import {
  INDEX_STATES,
  MOST_CHANGED_SHOWN,
  MOST_PATHS_SHOWN,
  MOST_RECENT,
  type ChangedPath,
  type GitOverview,
  type LanguageFiles,
  type Overview,
  type OverviewAnswer,
  type OverviewIndex,
  type OverviewRefusal,
  type RecentWrite,
  type ShadowOverview,
  type SuiteOverview,
  type VerifiedOverview,
  type Wait,
} from '../model/overview.ts';
import { REASON_CODES } from '../model/verdict.ts';
import { freshnessFields } from './freshness-output.ts';

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const time = z.string().describe('When, ISO 8601.');
const paths = z.array(z.string()).max(MOST_PATHS_SHOWN).describe('Paths of it, at most 20.');

const index = z.strictObject({
  state: z.enum(INDEX_STATES).describe('ready: looked at after this call; indexing: a look is under way.'),
  revision: count.nullable().describe('What the look shown had seen; null: no look yet.'),
  satisfied: z.boolean().describe('Whether the look had seen min_revision; without one, whether it is ready.'),
  as_of: z.string().nullable().describe('When the look shown began, ISO 8601.'),
  error: z.string().nullable().describe('Why the newest look came to nothing.'),
} satisfies Record<keyof OverviewIndex, z.ZodType>);

const wait = z.strictObject({
  requested_ms: count.nullable().describe('wait_ms of this call.'),
  effective_ms: count.describe('What the call was ready to wait.'),
  waited_ms: count.describe('What it waited.'),
  timed_out: z.boolean().describe('Whether the wait ended before the look.'),
} satisfies Record<keyof Wait, z.ZodType>);

const git = z.strictObject({
  branch: z.string().nullable().describe('Current branch; null: detached HEAD.'),
  head: z.string().nullable().describe('Commit of HEAD; null: none yet.'),
  detached: z.boolean().describe('Whether HEAD is on no branch.'),
  operation: z.string().nullable().describe('A merge, rebase, cherry-pick, revert or bisect to be finished.'),
  upstream: z.string().nullable().describe('Branch that this one follows.'),
  ahead: count.nullable().describe('Commits that upstream lacks; null: not counted.'),
  behind: count.nullable().describe('Commits that only upstream has; null: not counted.'),
  staged_count: count.describe('Files that differ between HEAD and index.'),
  modified_count: count.describe('Files that differ between index and worktree.'),
  untracked_count: count.describe('Files neither tracked nor ignored.'),
  unmerged_count: count.describe('Files with an unresolved conflict.'),
  change_count: count.describe('All of these together, each path once.'),
  changes: z
    .array(
      z.strictObject({
        path: z.string().describe('Relative to root.'),
        status: z.string().describe('Two letters of git status, index and worktree; ?? untracked.'),
      } satisfies Record<keyof ChangedPath, z.ZodType>),
    )
    .max(MOST_CHANGED_SHOWN)
    .describe('At most 50 of them.'),
} satisfies Record<keyof GitOverview, z.ZodType>);

const language = z.strictObject({
  language: z.string().describe('By the name of the file.'),
  files: count.describe('How many files.'),
} satisfies Record<keyof LanguageFiles, z.ZodType>);

const suite = z.strictObject({
  language: z.string().describe('Language of the suite.'),
  command: z.string().describe('What runs it.'),
  because: z.string().describe('The file and words that say so.'),
  installed: z.boolean().describe('Whether its runner is there.'),
  allowed: z.boolean().describe('Whether the command may run.'),
  problem: z.string().nullable().describe('Why it cannot run as things are.'),
} satisfies Record<keyof SuiteOverview, z.ZodType>);

const isolation = z.strictObject({
  level: z.literal('none').describe('What keeps a test command from the rest of the machine.'),
  processes: z.enum(['pid_namespace', 'process_group']).describe('How its processes are held together.'),
  network: z.literal('host').describe('Which network it sees.'),
  probe: z.string().describe('What was found on this machine.'),
} satisfies Record<keyof Isolation, z.ZodType>);

const shadow = z.strictObject({
  tier: z.enum(['overlay', 'copy']).describe('What a change is tried out in.'),
  reason: z.string().nullable().describe('Why it is not a better one.'),
} satisfies Record<keyof ShadowOverview, z.ZodType>);

const verified = z.strictObject({
  id: z.string().describe('Its verification_id.'),
  at: time,
  verdict: z
    .enum(['SAFE', 'UNSAFE', 'UNPROVEN'])
    .nullable()
    .describe('The verdict then; says nothing of later changes.'),
  reason_code: z.enum(REASON_CODES).nullable().describe('Why it was UNPROVEN or UNSAFE.'),
  command: z.string().nullable().describe('The test command.'),
  paths,
} satisfies Record<keyof VerifiedOverview, z.ZodType>);

const recent = z.strictObject({
  id: z.string().describe('Its id; undo_fix takes that of a write.'),
  kind: z.enum(HISTORY_KINDS).describe('What it was.'),
  at: time,
  outcome: z.string().describe('How it ended.'),
  paths,
} satisfies Record<keyof RecentWrite, z.ZodType>);

const fields = {
  root: z.string().exactOptional().describe('Real path of the root.'),
  index: index.exactOptional().describe('How new the look at the files is.'),
  wait: wait.exactOptional().describe('How long the call waited for it.'),
  freshness: z.strictObject(freshnessFields).exactOptional().describe('How new the results of this root are.'),
  git: git.nullable().exactOptional().describe('What git says of the root; null: no repository, or not known yet.'),
  file_count: count.nullable().exactOptional().describe('Files that are tracked or not ignored.'),
  languages: z.array(language).nullable().exactOptional().describe('Files of each language, most first.'),
  suites: z.array(suite).nullable().exactOptional().describe('What the project’s own files name as its tests.'),
  allowed_commands: z.array(z.string()).exactOptional().describe('Prefixes that a test command may begin with.'),
  isolation: isolation.nullable().exactOptional().describe('How test commands are confined here.'),
  shadow: shadow.nullable().exactOptional().describe('Where a change is tried out before it is written.'),
  last_verified: verified.nullable().exactOptional().describe('The newest verification of the history.'),
  recent_writes: z.array(recent).max(MOST_RECENT).exactOptional().describe('Newest first, at most 10.'),
  caveats: z.array(z.string()).exactOptional().describe('What the rest does not say by itself.'),
  error: z.string().exactOptional().describe('One sentence on why nothing is told.'),
  error_code: z.enum(Object.keys(FAILURES).filter(isFailureCode)).exactOptional().describe('Stable code of the error.'),
  hint: z.string().exactOptional().describe('What to do next.'),
} satisfies Record<keyof (Overview & OverviewRefusal), z.ZodType>;

/** Schema of the report; strict, so that nothing unpublished can leave. */
export const repoOverviewOutput = z.strictObject(fields) satisfies z.ZodType<OverviewAnswer>;
