/** What the demo shows: each scene is one call, what must be true of its answer and of the disk, and what is printed. */
import assert from 'node:assert/strict';
import { LETTER } from './project.ts';
import { FORGET_THE_MARGIN, REPORT_DAMAGED_LINE, WRONG_LINE_NUMBERS } from './patches.ts';
import type { Answer } from './server.ts';

export interface Scene {
  readonly title: string;
  readonly call: Readonly<Record<string, unknown>>;
  /** Path, relative to the root, of the one file that the call may leave changed. */
  readonly changes?: string;
  /** `git status --porcelain` afterwards. */
  readonly gitStatus: readonly string[];
  /** Throws when the answer is not what the title says. */
  check(answer: Answer): void;
  /** What is printed of the answer. */
  tell(answer: Answer): readonly string[];
}

const FAILING_TEST_SAYS = '8 cm under the keel are too few for a margin of 50 cm';
const AFTER_THE_GOOD_PATCH = [' M src/parse-table.js'];

export const SCENES: readonly Scene[] = [
  {
    title: 'a good patch: kept, because the tests passed',
    call: { diff_str: REPORT_DAMAGED_LINE, file_path: 'src/parse-table.js', test_command: 'node --test' },
    changes: 'src/parse-table.js',
    gitStatus: AFTER_THE_GOOD_PATCH,
    check: ({ isError, report }) => {
      assert.deepEqual([isError, report.success, report.disk_state], [false, true, 'patched'], report.error ?? '');
      assert.deepEqual([report.tests?.exit_code, report.git_state, report.backup], [0, 'clean', null]);
      assert.match(report.test_output ?? '', /pass 8/);
    },
    tell: firstLines(1),
  },
  {
    title: 'a breaking patch: put back, because a test failed',
    call: { diff_str: FORGET_THE_MARGIN, file_path: 'src/passage.js', test_command: 'node --test' },
    gitStatus: AFTER_THE_GOOD_PATCH,
    check: ({ isError, report }) => {
      assert.deepEqual(
        [isError, report.success, report.rolled_back, report.disk_state, report.error_code],
        [false, false, true, 'rolled_back', 'TESTS_FAILED'],
      );
      assert.equal(report.tests?.exit_code, 1);
      assert.ok(report.test_output?.includes(FAILING_TEST_SAYS), 'test_output holds the message of the failing test');
    },
    tell: (answer) => [...firstLines(1)(answer), `The test says: ${lineWith(answer, FAILING_TEST_SAYS)}`],
  },
  {
    title: 'a patch with wrong line numbers: refused, and told where it fits',
    call: { diff_str: WRONG_LINE_NUMBERS, file_path: 'src/height-at.js', test_command: 'node --test' },
    gitStatus: AFTER_THE_GOOD_PATCH,
    check: ({ isError, report }) => {
      assert.deepEqual([isError, report.error_code, report.disk_state], [true, 'PATCH_CONFLICT', 'unchanged']);
      assert.equal(report.conflicts?.[0]?.suggested_header, '@@ -11,3 +11,3 @@');
      assert.ok(report.suggested_diff?.includes('@@ -11,3 +11,3 @@'), 'suggested_diff holds the header that fits');
    },
    tell: firstLines(1),
  },
  {
    title: `test_command "node --test && rm -r src": refused, because nothing runs through a shell`,
    call: {
      diff_str: FORGET_THE_MARGIN,
      file_path: 'src/passage.js',
      test_command: 'node --test && rm -r src',
    },
    gitStatus: AFTER_THE_GOOD_PATCH,
    check: ({ isError, report }) => {
      assert.deepEqual([isError, report.error_code, report.disk_state], [true, 'COMMAND_UNPARSABLE', 'unchanged']);
      assert.equal(report.tests, undefined);
    },
    tell: firstLines(1),
  },
  {
    title: 'test_command "rm -r src": refused, because it is not on the allowlist',
    call: { diff_str: FORGET_THE_MARGIN, file_path: 'src/passage.js', test_command: 'rm -r src' },
    gitStatus: AFTER_THE_GOOD_PATCH,
    check: ({ isError, report }) => {
      assert.deepEqual([isError, report.error_code, report.disk_state], [true, 'COMMAND_NOT_ALLOWED', 'unchanged']);
      assert.equal(report.tests, undefined);
    },
    tell: firstLines(1),
  },
  {
    title: 'file_path "../letter.txt": refused, because it lies outside the root',
    call: { diff_str: '@@ -1 +1 @@\n-Dear\n+Cheap\n', file_path: '../letter.txt' },
    gitStatus: AFTER_THE_GOOD_PATCH,
    check: ({ isError, report, text }) => {
      assert.deepEqual([isError, report.error_code, report.disk_state], [true, 'PATH_OUTSIDE_REPO', 'unchanged']);
      assert.ok(!`${JSON.stringify(report)}${text}`.includes(LETTER.slice(0, 4)), 'nothing of the letter is revealed');
    },
    tell: firstLines(1),
  },
];

/** The start of what a client shows its model. */
function firstLines(count: number): (answer: Answer) => readonly string[] {
  return ({ text }) => text.split('\n').slice(0, count);
}

function lineWith({ report }: Answer, words: string): string {
  const line = (report.test_output ?? '').split('\n').find((candidate) => candidate.includes(words));
  return line?.trim() ?? '';
}
