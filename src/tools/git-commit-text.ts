/** A git_commit report as text that stands alone: many clients show the model nothing else. At most 8,000 characters. */
import type { CommitReport } from '../model/commit.ts';
import { endOfOutput } from './excerpt.ts';

const LIMIT = 8000;
const MOST_LINES = 20;
const OUTPUT_CHARACTERS = 2500;
const WORD_CHARACTERS = 300;

/** Writes the text of a report. */
export function gitCommitText(report: CommitReport): string {
  const text = [
    headline(report),
    ...(report.hint === undefined ? [] : [`Next: ${report.hint}`]),
    ...capped(report.files.map(({ change, path }) => `  ${change} ${JSON.stringify(path)}`)),
    ...capped(differences(report)),
    ...capped(report.notes.map((note) => `Note: ${note.slice(0, 2 * WORD_CHARACTERS)}`)),
    ...output(report),
  ].join('\n');
  return text.length <= LIMIT
    ? text
    : `${text.slice(0, LIMIT - 40)}\n[${text.length - LIMIT + 40} characters left out]`;
}

function headline({ success, commit, branch, files, error, error_code }: CommitReport): string {
  if (success) {
    const where = branch === null ? 'a detached HEAD' : branch;
    return `Committed ${files.length} ${files.length === 1 ? 'path' : 'paths'} on ${where}: ${commit ?? ''}`;
  }
  const made = commit === null ? 'Nothing was committed' : `Commit ${commit} is not what was asked for`;
  return `${made}${error_code === undefined ? '' : ` [${error_code}]`}: ${error ?? ''}`;
}

function differences({ differences: all = [] }: CommitReport): string[] {
  return all.map(
    ({ path, sha256_expected, sha256_found }) =>
      `  ${JSON.stringify(path)}: expected ${sha256_expected ?? 'nothing'}, found ${sha256_found ?? 'nothing'}`,
  );
}

function output({ success, output: printed, output_uri: uri }: CommitReport): string[] {
  if (success || printed === null || printed.trim() === '') return [];
  return [`Output of git${uri === undefined ? '' : ` (whole: ${uri})`}:`, endOfOutput(printed, OUTPUT_CHARACTERS)];
}

function capped(lines: readonly string[]): string[] {
  const rest = lines.length - MOST_LINES;
  return rest <= 0 ? [...lines] : [...lines.slice(0, MOST_LINES), `[${rest} of ${lines.length} more left out]`];
}
