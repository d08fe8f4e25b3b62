import { expect, test } from 'vitest';
import { FAILURES } from '../../src/model/failure.ts';
import { HUNK_CONFLICT_CODES } from '../../src/model/hunk-conflict.ts';
import type { WriteFixReport } from '../../src/model/write-report.ts';
import { writeFixOutput } from '../../src/tools/write-fix-output.ts';
import { SAFE_REPORT } from '../support/verify-report.ts';

const DIGEST = 'a'.repeat(64);

const FULL: Required<WriteFixReport> = {
  success: false,
  test_output: 'text',
  error: 'text',
  rolled_back: true,
  disk_state: 'rolled_back',
  notes: ['text'],
  error_code: 'TIMED_OUT',
  hint: 'text',
  git_state: 'no_repo',
  backup: null,
  sha256_before: DIGEST,
  sha256_after: DIGEST,
  sha256_found: DIGEST,
  write_id: 'w',
  revision: { epoch: 'e', revision: 1 },
  tests: {
    command: ['/usr/bin/pytest', '-q'],
    exit_code: null,
    signal: 'SIGKILL',
    timed_out: true,
    duration_ms: 120_000.5,
    output_bytes: 0,
    output_truncated: false,
    output_uri: 'surepatch://output/x',
  },
  isolation: { level: 'none', processes: 'pid_namespace', network: 'host', probe: 'text' },
  conflicts: [
    {
      code: 'OFFSET',
      hunk: 1,
      message: 'text',
      patch_line: 1,
      file_line: 1,
      column: 1,
      expected: '',
      actual: '',
      found_at: [1],
      suggested_header: '@@',
      hint: 'text',
      excerpt: 'text',
    },
  ],
  suggested_diff: 'text',
  diff: 'text',
  verified: { verification_id: 'v', verdict: 'SAFE' },
  verdict: SAFE_REPORT,
};

test('a report with every field is published as it is', () => {
  expect(writeFixOutput.parse(FULL)).toEqual(FULL);
});

test('every failure code and every conflict code can be published', () => {
  const reports = Object.keys(FAILURES).flatMap((error_code) =>
    HUNK_CONFLICT_CODES.map((code) => ({ ...FULL, error_code, conflicts: [{ code, hunk: 1, message: 'm' }] })),
  );
  expect(reports.filter((report) => !writeFixOutput.safeParse(report).success)).toEqual([]);
});

test.each([
  ['a surplus field', { ...FULL, surplus: 1 }],
  ['a surplus field deep inside', { ...FULL, revision: { epoch: 'e', revision: 1, surplus: 1 } }],
  ['an unknown code', { ...FULL, error_code: 'OTHER' }],
  ['an absent required field', { ...FULL, test_output: undefined }],
  ['a digest in capitals', { ...FULL, sha256_after: 'A'.repeat(64) }],
])('%s is not published', (_what, report) => {
  expect(writeFixOutput.safeParse(report).success).toBe(false);
});
