/** Names the kinds of patch that are refused, each by the line that gives it away and with what to do instead. */
import { type Failure, failure } from '../../model/failure.ts';

interface Kind {
  readonly line: RegExp;
  readonly is: string;
  readonly instead: string;
}

const UNIFIED = 'Send a unified diff (`diff -u`, `git diff`) of one existing file.';
const ONE_FILE = 'Send one call per file, each with the part of the patch that is for it.';

/** Told by one line, wherever it stands before the first hunk. */
const ANYWHERE: readonly Kind[] = [
  {
    line: /^\*\*\* (?:Begin Patch|Update File:|Add File:|Delete File:)/,
    is: 'an apply_patch envelope',
    instead: UNIFIED,
  },
  { line: /^\*{15}/, is: 'a context diff', instead: UNIFIED },
  { line: /^<{5,9} ?SEARCH/, is: 'a SEARCH/REPLACE block', instead: UNIFIED },
  { line: /^diff --(?:cc|combined) /, is: 'a combined diff of a merge', instead: 'Diff against one parent.' },
  { line: /^@@@/, is: 'a combined diff of a merge', instead: 'Diff against one parent.' },
  { line: /^GIT binary patch/, is: 'a binary patch', instead: 'Write binary files another way.' },
  { line: /^Binary files .* differ$/, is: 'a binary patch', instead: 'Write binary files another way.' },
];

/** Told by one line between `diff --git` and the hunks. */
const GIT_HEADER: readonly Kind[] = [
  { line: /^rename (?:from|to) /, is: 'a rename', instead: 'Rename the file first, then patch it.' },
  { line: /^copy (?:from|to) /, is: 'a copy', instead: 'Copy the file first, then patch it.' },
  {
    line: /^(?:old|new) mode /,
    is: 'a change of the file mode',
    instead: 'Change the mode another way; leave these lines out.',
  },
  { line: /^deleted file mode /, is: 'a deletion', instead: 'Delete the file another way.' },
  { line: /^(?:new file mode|index .*) 120000$/, is: 'a symbolic link', instead: 'Change the link another way.' },
  { line: /^(?:new file mode|index .*) 160000$/, is: 'a submodule', instead: 'Update the submodule with git.' },
];

/** Formats without hunks of the unified kind; looked for only when no hunk was found. */
const WITHOUT_HUNKS: readonly Kind[] = [
  { line: /^\d+(?:,\d+)?[acd]\d+(?:,\d+)?$/, is: 'a normal diff', instead: UNIFIED },
  { line: /^\d+(?:,\d+)?[acd]$/, is: 'an ed script', instead: UNIFIED },
  { line: /^[ad]\d+ \d+$/, is: 'an RCS diff', instead: UNIFIED },
];

/** Lines after the last hunk that begin the section of another file. */
const NEXT_FILE = /^(?:diff |Index: |--- |=== |Only in |Binary files |Files |\*\*\* |Property changes on: )/;

/** Refuses a line before the hunks that shows an unsupported kind of patch; undefined when it shows none. */
export function refuseLine(line: string, lineNumber: number, inGitHeader: boolean): Failure | undefined {
  const kinds = inGitHeader ? [...GIT_HEADER, ...ANYWHERE] : ANYWHERE;
  return refuse(kinds, line, lineNumber);
}

/** Refuses a line of a diff format that has no unified hunks; undefined when it is none. */
export function refuseFormat(line: string, lineNumber: number): Failure | undefined {
  return refuse(WITHOUT_HUNKS, line, lineNumber);
}

/** Tells whether a line after the last hunk begins another file. */
export function startsAnotherFile(line: string): boolean {
  return NEXT_FILE.test(line);
}

/** The refusal of a patch that holds a second file, whose first line is given. */
export function severalFiles(lineNumber: number): Failure {
  const message = `The patch holds more than one file: another begins at patch line ${lineNumber}.`;
  return failure('PATCH_UNSUPPORTED', message, { hint: ONE_FILE });
}

/** The refusal of a `***` line with its `---` line. */
export function contextDiff(lineNumber: number): Failure {
  return failure(
    'PATCH_UNSUPPORTED',
    `The patch is a context diff (patch line ${lineNumber}), which is not supported.`,
    {
      hint: UNIFIED,
    },
  );
}

/** The refusal of `+++ /dev/null`. */
export function deletesFile(lineNumber: number): Failure {
  return failure('PATCH_UNSUPPORTED', `The patch is a deletion (patch line ${lineNumber}), which is not supported.`, {
    hint: 'Delete the file another way; to empty it, name it on both sides.',
  });
}

function refuse(kinds: readonly Kind[], line: string, lineNumber: number): Failure | undefined {
  const kind = kinds.find((candidate) => candidate.line.test(line));
  if (kind === undefined) return undefined;
  const message = `The patch is ${kind.is} (patch line ${lineNumber}), which is not supported.`;
  return failure('PATCH_UNSUPPORTED', message, { hint: kind.instead });
}
