/** A report of verify_change with every field that is always there, for tests of what shows or keeps it. */
import type { VerifyReport } from '../../src/model/verdict.ts';

export const SAFE_REPORT: VerifyReport = {
  verdict: 'SAFE',
  reportVersion: 1,
  gates: {
    syntax: { passed: true, durationMs: 12, status: 'passed' },
    imports: { passed: true, durationMs: 0, status: 'passed' },
    tests: { passed: true, durationMs: 900, status: 'passed' },
  },
  changedFiles: ['calc.py'],
  testFilesChanged: [],
  coverage: {
    tool: 'coverage.py',
    changedLinesCovered: true,
    uncovered: [],
    filesWithUncovered: 0,
    changedStatements: { total: 1, covered: 1 },
    inertOnlyFiles: [],
  },
  reason:
    'Tests pass, and every changed statement and branch was run by a passing test or, if it is a definition, on loading its file.',
  missingTests: [],
  reasonCode: 'verified',
  next: null,
  engineVersion: 1,
  verification_id: 'ab'.repeat(16),
  shadow: { tier: 'overlay', preparedMs: 9, why: null },
  isolation: { level: 'none', processes: 'pid_namespace', network: 'host', probe: 'it works' },
  tests: {
    command: ['/usr/bin/python3', '-m', 'pytest'],
    runner: 'pytest',
    total: 3,
    passed: 3,
    failed: 0,
    skipped: 0,
    failures: [],
    exit_code: 0,
    timed_out: false,
    output_uri: 'surepatch://output/x',
  },
  baseline: { total: 3, passed: 3, failed: 0, skipped: 0 },
  preexistingFailures: [],
  notes: [],
  durationMs: 1_500,
};
