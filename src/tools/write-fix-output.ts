/** The published shape of a write_fix answer: one flat object for what went well and for what did not. */
import { z } from 'zod';
import { FAILURES, isFailureCode } from '../model/failure.ts';
import { DISK_STATES, GIT_STATES, type Revision, type TestRun } from '../model/write-facts.ts';
import type { WriteFixReport } from '../model/write-report.ts';
import { isolation, misfits, verifyReport } from './verify-change-output.ts';

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const tests = z.strictObject({
  command: z.array(z.string()).describe('Program found, then arguments.'),
  exit_code: z.int().nullable().describe('null when a signal ended the run.'),
  signal: z.string().nullable().describe('Signal that ended the run, e.g. "SIGKILL".'),
  timed_out: z.boolean().describe('Whether the time limit ended the run.'),
  duration_ms: z.number().min(0).describe('Wall time in milliseconds.'),
  output_bytes: count.describe('Bytes the command printed.'),
  output_truncated: z.boolean().describe('Whether test_output leaves something out.'),
  output_uri: z.string().describe('Resource with the whole output.'),
} satisfies Record<keyof TestRun, z.ZodType>);

const revision = z.strictObject({
  epoch: z.string().describe('Identifies the server process and root.'),
  revision: count.describe('Counts the writes of that epoch.'),
} satisfies Record<keyof Revision, z.ZodType>);

/** Schema of the report; strict, so that nothing unpublished can leave. */
export const writeFixOutput = z.strictObject({
  success: z.boolean().describe('Whether it was written (and tests passed), or checked.'),
  test_output: z.string().nullable().describe('Start and end of what the tests printed; null: none ran.'),
  error: z.string().nullable().describe('One sentence on what went wrong.'),
  rolled_back: z.boolean().describe('Whether the file was written and put back.'),
  disk_state: z.enum(DISK_STATES).describe('What the file holds now; conflict: somebody else changed it.'),
  notes: z.array(z.string()).describe('What else to know, e.g. other paths the tests changed.'),
  error_code: z.enum(Object.keys(FAILURES).filter(isFailureCode)).exactOptional().describe('Stable code of the error.'),
  hint: z.string().exactOptional().describe('What to do next.'),
  git_state: z.enum(GIT_STATES).exactOptional().describe('How git saw the file before the write.'),
  backup: z.string().nullable().exactOptional().describe('Kept copy of the old bytes; null: git holds them.'),
  sha256_before: sha256.exactOptional().describe('Digest before the write.'),
  sha256_after: sha256.exactOptional().describe('Digest of the patched bytes.'),
  sha256_found: sha256.exactOptional().describe('Digest of what stands there, if it is neither.'),
  write_id: z.string().exactOptional().describe('Names this write.'),
  revision: revision.exactOptional().describe('Revision of the root after the write.'),
  tests: tests.exactOptional().describe('The test run.'),
  isolation: isolation.exactOptional().describe('How the test run was confined.'),
  ...misfits,
  diff: z.string().exactOptional().describe('The change, in a dry run.'),
  verified: z
    .strictObject({
      verification_id: z.string().describe('The verification, which is used up.'),
      verdict: z.enum(['SAFE', 'UNSAFE', 'UNPROVEN']).describe('Its verdict.'),
    })
    .exactOptional()
    .describe('Present when exactly what was verified was written; nothing was run again.'),
  verdict: verifyReport.exactOptional().describe('With verify_first: the report of the verification.'),
} satisfies Record<keyof WriteFixReport, z.ZodType>) satisfies z.ZodType<WriteFixReport>;
