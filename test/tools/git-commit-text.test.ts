import { expect, test } from 'vitest';
import type { CommitReport } from '../../src/model/commit.ts';
import { gitCommitText } from '../../src/tools/git-commit-text.ts';

const REFUSED: CommitReport = {
  success: false,
  commit: null,
  parent: null,
  branch: 'main',
  files: [],
  output: 'checking\nthe harbour is closed\n',
  output_uri: 'surepatch://output/1',
  error: 'The pre-commit hook ended with 3.',
  error_code: 'HOOK_FAILED',
  hint: 'Mend it.',
  notes: ['Something else.'],
};

test('a refusal says first that nothing was committed, then what to do, and ends with what was printed', () => {
  expect(gitCommitText(REFUSED)).toBe(
    'Nothing was committed [HOOK_FAILED]: The pre-commit hook ended with 3.\nNext: Mend it.\nNote: Something else.\n' +
      'Output of git (whole: surepatch://output/1):\nchecking\nthe harbour is closed',
  );
});

test('a commit that is not as asked for is named first', () => {
  expect(gitCommitText({ ...REFUSED, commit: 'c0ffee', error_code: 'COMMIT_DIFFERS', output: null })).toMatch(
    /^Commit c0ffee is not what was asked for \[COMMIT_DIFFERS\]/u,
  );
});

test('of many files the first twenty are shown, in names that cannot break a line', () => {
  const files = Array.from({ length: 30 }, (_, index) => ({
    path: `two\nlines ${index}`,
    change: 'added' as const,
    blob: null,
    mode: null,
  }));
  const lines = gitCommitText({ ...REFUSED, success: true, commit: 'c0ffee', error: null, files }).split('\n');
  expect([lines[0], lines.filter((line) => line.startsWith('  added "two')).length]).toEqual([
    'Committed 30 paths on main: c0ffee',
    20,
  ]);
  expect(lines).toContain('[10 of 30 more left out]');
});

test('the text has at most 8,000 characters', () => {
  const notes = Array.from({ length: 40 }, () => 'n'.repeat(900));
  expect(gitCommitText({ ...REFUSED, notes }).length).toBeLessThanOrEqual(8000);
});
