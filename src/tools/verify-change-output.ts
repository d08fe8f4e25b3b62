/** The published shape of a verify_change answer: the report of a verdict, or what kept one from being given. */
import { z } from 'zod';
import { FAILURES, isFailureCode } from '../model/failure.ts';
import { PATH_RULES } from '../model/path-rule.ts';
import { HUNK_CONFLICT_CODES, type HunkConflict } from '../model/hunk-conflict.ts';
import {
  GATE_STATUSES,
  REASON_CODES,
  type CoverageReport,
  type GateReport,
  type TestsReport,
  type VerifyReport,
} from '../model/verdict.ts';
import type { Isolation } from '../model/isolation.ts';
import { baselineFields, savedFields } from './verify-change-saved-output.ts';

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const line = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const milliseconds = z.number().min(0);
const truncated = z
  .strictObject({ shown: count.describe('Entries listed.'), total: count.describe('All entries.') })
  .describe('The list was cut; there is more.');

const conflict = z.strictObject({
  code: z.enum(HUNK_CONFLICT_CODES).describe('Why this hunk does not fit.'),
  hunk: line.describe('Number of the hunk, from 1.'),
  message: z.string().describe('One sentence that stands alone.'),
  patch_line: line.exactOptional().describe('Line of the diff.'),
  file_line: line.exactOptional().describe('Line of the file.'),
  column: line.exactOptional().describe('First differing character.'),
  expected: z.string().exactOptional().describe('As the patch has it.'),
  actual: z.string().exactOptional().describe('As the file has it.'),
  found_at: z.array(line).exactOptional().describe('Lines where its old lines stand.'),
  suggested_header: z.string().exactOptional().describe('Hunk header that would fit.'),
  hint: z.string().exactOptional().describe('How to mend this hunk.'),
  excerpt: z.string().exactOptional().describe('The file around it, numbered.'),
} satisfies Record<keyof HunkConflict, z.ZodType>);

/** What a diff that does not fit is answered with. */
export const misfits = {
  conflicts: z.array(conflict).exactOptional().describe('The hunks that do not fit (5 at most), each with its place.'),
  suggested_diff: z.string().exactOptional().describe('The patch with headers that fit; review before sending.'),
};

/** What confined a run. */
export const isolation = z.strictObject({
  level: z.enum(['none']).describe('none: the tests could do what the user can.'),
  processes: z.enum(['pid_namespace', 'process_group']).describe('How processes are held together.'),
  network: z.enum(['host']).describe('Which network they saw.'),
  probe: z.string().describe('What the start-up probe found.'),
} satisfies Record<keyof Isolation, z.ZodType>);

const gate = z.strictObject({
  passed: z.boolean().describe('Whether nothing wrong was introduced.'),
  durationMs: milliseconds.describe('Milliseconds.'),
  blockingReason: z.string().exactOptional().describe('Why it blocks.'),
  status: z.enum(GATE_STATUSES).describe('not_checked: no checker; skipped: an earlier gate failed.'),
  findings: z
    .array(
      z.strictObject({
        file: z.string().describe('Path in the root.'),
        line: count.describe('Line, from 1.'),
        message: z.string().describe('What is wrong.'),
      }),
    )
    .exactOptional()
    .describe('At most 50.'),
} satisfies Record<keyof GateReport, z.ZodType>);

const place = {
  file: z.string().describe('Path in the root.'),
  line: count.describe('Its first line, from 1.'),
};

const coverage = z.strictObject({
  tool: z.string().describe('What measured, e.g. coverage.py or v8; probes: only they did; none: nothing could.'),
  changedLinesCovered: z
    .union([z.boolean(), z.literal('unknown')])
    .describe('Whether passing tests ran all of it; "unknown" is not false.'),
  uncovered: z
    .array(z.strictObject(place))
    .describe('Lines of changed statements that were not exercised, at most 200.'),
  filesWithUncovered: count.describe('Files with such a statement, listed or not.'),
  changedStatements: z
    .strictObject({ total: count.describe('Changed statements.'), covered: count.describe('Those exercised.') })
    .describe('Ratio over the whole change.'),
  inertOnlyFiles: z.array(z.string()).describe('Files of which only comments or layout change.'),
  removalOnlyFiles: z.array(z.string()).exactOptional().describe('Files from which the change only removes.'),
  unknownReason: z.string().exactOptional().describe('Why coverage is unknown.'),
  probesAlone: z.array(z.string()).exactOptional().describe('Files that only probes tell of, and why.'),
  uncoveredTruncated: truncated.exactOptional(),
  notExercised: z
    .array(
      z.strictObject({
        ...place,
        what: z.string().describe('Its kind; `arm:` for a branch.'),
        text: z.string().exactOptional().describe('Start of its text.'),
        why: z.string().describe('Why it does not count.'),
      }),
    )
    .exactOptional()
    .describe('At most 50 missing statements and branches.'),
  notExercisedTruncated: truncated.exactOptional(),
  loadedOnly: z
    .array(z.strictObject(place))
    .exactOptional()
    .describe('Definitions that count by the loading of their file alone, at most 200.'),
  loadedOnlyTruncated: truncated.exactOptional(),
} satisfies Record<keyof CoverageReport, z.ZodType>);

const counts = {
  total: count.describe('All tests.'),
  passed: count.describe('Those that passed.'),
  failed: count.describe('Failed, or not loaded.'),
  skipped: count.describe('Skipped, or expected to fail.'),
};

const tests = z.strictObject({
  command: z.array(z.string()).describe('Program found, then arguments.'),
  runner: z.string().nullable().describe('The runner that reported; null: none did.'),
  ...counts,
  failures: z
    .array(
      z.strictObject({
        id: z.string().describe('Id of the test.'),
        message: z.string().describe("The runner's own words."),
      }),
    )
    .describe('Failing tests, at most 50.'),
  exit_code: z.int().nullable().describe('null when a signal ended the run.'),
  timed_out: z.boolean().describe('Whether the time limit ended the run.'),
  output_uri: z.string().describe('Resource with the whole output.'),
} satisfies Record<keyof TestsReport, z.ZodType>);

const reportFields = {
  verdict: z
    .enum(['SAFE', 'UNSAFE', 'UNPROVEN'])
    .describe('SAFE: proven by passing tests. UNSAFE: shown to break. UNPROVEN: neither; see reason and next.'),
  reportVersion: count.describe('Version of this shape.'),
  gates: z
    .strictObject({
      syntax: gate.describe('New syntax errors.'),
      imports: gate.describe('New broken imports.'),
      tests: gate.describe('The suite.'),
    })
    .describe('What was checked, cheap to dear.'),
  changedFiles: z.array(z.string()).describe('Files that the change touches.'),
  testFilesChanged: z.array(z.string()).describe('Those of them that are tests.'),
  coverage: coverage.describe('What the tests ran of the change.'),
  reason: z.string().describe('One sentence that explains the verdict.'),
  missingTests: z
    .array(z.strictObject({ file: z.string().describe('File to test.'), hint: z.string().describe('What to add.') }))
    .describe('Tests that would prove more, at most 50.'),
  missingTestsTruncated: truncated.exactOptional(),
  flakyTests: z.array(z.string()).exactOptional().describe('Failed and passed on the same tree.'),
  reasonCode: z.enum(REASON_CODES).describe('Stable code of the reason.'),
  next: z.string().nullable().describe('What would change the verdict.'),
  engineVersion: count.describe('Version of the rules behind the verdict.'),
  verification_id: z
    .string()
    .nullable()
    .describe('Pass it to write_fix within an hour to write exactly this, if it is one existing file and not UNSAFE.'),
  shadow: z
    .strictObject({
      tier: z.enum(['overlay', 'copy']).describe('How the shadow tree was made.'),
      preparedMs: milliseconds.describe('Time until it was ready.'),
      why: z.string().nullable().describe('Why no better tier ran.'),
    })
    .describe('The disposable stand-in for the repository.'),
  isolation: isolation.nullable().describe('How the test run was confined; null when none ran.'),
  tests: tests.nullable().describe('The suite with the change; null when it did not run.'),
  baseline: z.strictObject(counts).nullable().describe('The suite without the change; null when not known.'),
  preexistingFailures: z.array(z.string()).describe('Tests that fail without the change as well.'),
  notes: z.array(z.string()).describe('What else is worth knowing.'),
  durationMs: milliseconds.describe('Wall time of the whole verification.'),
  cached: z
    .strictObject({ ageMs: milliseconds.describe('Age of the answer.') })
    .exactOptional()
    .describe('Present when an earlier run answers; notes say what that leaves out.'),
} satisfies Record<keyof VerifyReport, z.ZodType>;

/** A report by itself, as write_fix carries it. */
export const verifyReport = z.strictObject(reportFields) satisfies z.ZodType<VerifyReport>;

/** One flat object for what was judged and for what could not be; strict, so that nothing unpublished can leave. */
export const verifyChangeOutput = z.strictObject({
  ...verifyReport.partial().shape,
  ...savedFields,
  baseline: z
    .strictObject({ ...z.strictObject(counts).partial().shape, ...baselineFields })
    .nullable()
    .optional()
    .describe('The suite without the change; null when not known. Saved form: what was compared with, too.'),
  error: z.string().optional().describe('One sentence on why there is no verdict.'),
  error_code: z.enum(Object.keys(FAILURES).filter(isFailureCode)).optional().describe('Stable code of the error.'),
  hint: z.string().optional().describe('What to do next.'),
  bad_path: z
    .strictObject({
      argument: z.string().describe('The argument with the bad entry.'),
      index: count.describe('Which entry of it, from 0.'),
      rule: z.enum(PATH_RULES).describe('The rule that it breaks.'),
    })
    .optional()
    .describe('The path that was refused.'),
  ...misfits,
});
