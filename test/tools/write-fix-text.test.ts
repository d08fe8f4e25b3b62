import { expect, test } from 'vitest';
import type { TestRun } from '../../src/model/write-facts.ts';
import type { WriteFixReport } from '../../src/model/write-report.ts';
import { writeFixText } from '../../src/tools/write-fix-text.ts';

const KEPT: WriteFixReport = {
  success: true,
  test_output: null,
  error: null,
  rolled_back: false,
  disk_state: 'patched',
  notes: [],
};

const RUN: TestRun = {
  command: ['/usr/bin/pytest', '-q'],
  exit_code: 0,
  signal: null,
  timed_out: false,
  duration_ms: 1234,
  output_bytes: 20,
  output_truncated: false,
  output_uri: 'surepatch://output/run-1',
};

test('a write with passing tests says so, with the end of their output', () => {
  const report: WriteFixReport = {
    ...KEPT,
    tests: RUN,
    test_output: '..\n2 passed in 0.1s\n',
    git_state: 'modified',
    backup: 'src/a.py.reforge-bak',
    sha256_before: 'b',
    sha256_after: 'a',
    write_id: 'w-1',
    notes: ['The tests changed cache/x.'],
  };
  expect(writeFixText(report)).toBe(
    [
      'Written. The tests passed (pytest -q: exit code 0 after 1.2 s).',
      'The file holds the patch.',
      'Git before the write: modified.',
      'The old bytes are kept in src/a.py.reforge-bak.',
      'SHA-256: before b, after a',
      'write_id: w-1',
      'Note: The tests changed cache/x.',
      'Test output:',
      '..',
      '2 passed in 0.1s',
    ].join('\n'),
  );
});

test('a write without tests does not sound tested', () => {
  expect(writeFixText(KEPT)).toBe(
    'Written. No tests were run: nothing is known about the effect.\nThe file holds the patch.',
  );
});

test('a dry run shows the change and says that nothing was written', () => {
  expect(writeFixText({ ...KEPT, disk_state: 'unchanged', diff: '@@ -1 +1 @@\n-a\n+b' })).toBe(
    'Dry run: the patch fits. Nothing was written.\nThe file is unchanged.\nThe change:\n@@ -1 +1 @@\n-a\n+b',
  );
});

test('failing tests come with their code, the next step, and the failures before the rest of the output', () => {
  const text = writeFixText({
    ...KEPT,
    success: false,
    rolled_back: true,
    disk_state: 'rolled_back',
    error: 'The tests failed.',
    error_code: 'TESTS_FAILED',
    hint: 'Mend the patch.',
    tests: { ...RUN, exit_code: 1 },
    test_output: `${'passed\n'.repeat(3000)}FAILED test_total\n${'passed\n'.repeat(3000)}1 failed\n`,
  });
  expect(text.split('\n').slice(0, 6)).toEqual([
    'Not done [TESTS_FAILED]: The tests failed.',
    'Next: Mend the patch.',
    'The file was put back byte for byte.',
    'Tests: pytest -q: exit code 1 after 1.2 s.',
    'Test output (whole output: surepatch://output/run-1):',
    'FAILED test_total',
  ]);
  expect(text.endsWith('1 failed')).toBe(true);
  expect(text).toMatch(/\[\d+ of 6002 lines left out\]/);
  expect(text.length).toBeLessThanOrEqual(8000);
});

test('a refused patch shows every place: line, expected, found and the header that fits', () => {
  const text = writeFixText({
    ...KEPT,
    success: false,
    disk_state: 'unchanged',
    error: 'Hunk 1 does not fit.',
    error_code: 'PATCH_CONFLICT',
    conflicts: [
      {
        code: 'OFFSET',
        hunk: 1,
        message: 'The lines stand at 14.',
        file_line: 10,
        expected: 'total = 0',
        actual: 'import os',
        suggested_header: '@@ -14,3 +14,4 @@',
        hint: 'Send it with this header.',
        excerpt: '   9 | x\n  10 | import os',
      },
    ],
  });
  expect(text).toBe(
    [
      'Not done [PATCH_CONFLICT]: Hunk 1 does not fit.',
      'The file is unchanged.',
      'Hunk 1 [OFFSET], line 10 of the file: The lines stand at 14.',
      '  expected: total = 0',
      '  found:    import os',
      '  header that fits: @@ -14,3 +14,4 @@',
      '  Send it with this header.',
      '   9 | x',
      '  10 | import os',
    ].join('\n'),
  );
});

test('a report with everything too long stays within 8,000 characters, says what it left out, and keeps the failures', () => {
  const long = 'y'.repeat(20_000);
  const conflict = { code: 'CONTEXT', hunk: 1, message: long, excerpt: long } as const;
  const text = writeFixText({
    ...KEPT,
    success: false,
    error: long,
    error_code: 'TESTS_FAILED',
    notes: Array.from({ length: 50 }, () => long),
    conflicts: Array.from({ length: 50 }, () => conflict),
    suggested_diff: long,
    diff: long,
    tests: { ...RUN, command: [long, long], exit_code: 1 },
    test_output: `${long}\nFAILED test_total\n${long}`,
  });
  expect(text.length).toBeLessThanOrEqual(8000);
  expect(text).toMatch(/\[\d+ characters left out\]/);
  expect(text).toContain('FAILED test_total');
});

test('long lists of notes and conflicts are capped with a count', () => {
  const conflicts = Array.from(
    { length: 12 },
    (_, index) => ({ code: 'CONTEXT', hunk: index + 1, message: 'm' }) as const,
  );
  const notes = Array.from({ length: 11 }, (_, index) => `n${index}`);
  const text = writeFixText({ ...KEPT, success: false, error: 'e', notes, conflicts });
  expect(text).toContain('[1 of 11 more left out]');
  expect(text).toContain('[2 of 12 more left out]');
});
