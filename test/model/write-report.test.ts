import { expect, test } from 'vitest';
import { failure } from '../../src/model/failure.ts';
import { reportOfFailure } from '../../src/model/write-report.ts';

test('a refusal before the write leaves the file unchanged and carries what was located', () => {
  const conflict = { code: 'CONTEXT', hunk: 1, message: 'line 3 differs' } as const;
  const refused = failure('PATCH_CONFLICT', 'hunk 1 does not fit', {
    details: { conflicts: [conflict], sha256_before: 'a'.repeat(64) },
  });
  expect(reportOfFailure(refused)).toEqual({
    success: false,
    test_output: null,
    error: 'hunk 1 does not fit',
    rolled_back: false,
    disk_state: 'unchanged',
    notes: [],
    error_code: 'PATCH_CONFLICT',
    hint: 'Read the file again and make the patch from what it holds now.',
    conflicts: [conflict],
    sha256_before: 'a'.repeat(64),
  });
});

test('a failure after the write says in details.report where the file stands, and cannot claim success', () => {
  const cancelled = failure('CANCELLED', 'cancelled while the tests ran', {
    hint: 'Call again.',
    details: { report: { disk_state: 'rolled_back', rolled_back: true, test_output: 'ok 1', notes: ['note'] } },
  });
  expect(reportOfFailure(cancelled)).toEqual({
    success: false,
    test_output: 'ok 1',
    error: 'cancelled while the tests ran',
    rolled_back: true,
    disk_state: 'rolled_back',
    notes: ['note'],
    error_code: 'CANCELLED',
    hint: 'Call again.',
  });
});

test('an INTERNAL failure claims nothing about the file', () => {
  expect(reportOfFailure(failure('INTERNAL', 'broken')).disk_state).toBe('unknown');
});
