/** An undo_fix report as text that stands alone: what happened, what to do, both sides of a conflict, the facts. */
import type { UndoReport } from '../model/undo-report.ts';

const DIFF_CHARACTERS = 3000;

/** Writes the text of a report. */
export function undoFixText(report: UndoReport): string {
  return [
    headline(report),
    ...(report.hint === undefined ? [] : [`Next: ${report.hint}`]),
    ...side('undo_diff, what the undo would change in the file as the write left it', report.undo_diff),
    ...side('since_diff, what changed in the file since the write', report.since_diff),
    ...(report.write_id === undefined ? [] : [`write_id of the undo: ${report.write_id}`]),
    ...(report.backup === undefined || report.backup === null ? [] : [`Bytes before the undo: ${report.backup}`]),
    ...report.notes.map((note) => `Note: ${note}`),
  ].join('\n');
}

function headline({ success, error, error_code, file_path, undoes, disk_state }: UndoReport): string {
  if (success)
    return `Undone: the write ${undoes ?? ''} is taken out of ${file_path ?? 'its file'}. No tests were run.`;
  const code = error_code === undefined ? '' : ` [${error_code}]`;
  const disk = disk_state === 'unchanged' ? ' The file is unchanged.' : ` State of the file: ${disk_state}.`;
  return `Not undone${code}: ${error ?? ''}${disk}`;
}

function side(name: string, diff: string | undefined): readonly string[] {
  if (diff === undefined) return [];
  const shown =
    diff.length > DIFF_CHARACTERS ? `${diff.slice(0, DIFF_CHARACTERS)}\n[... cut; the report has more ...]` : diff;
  return [`${name}:`, shown.trimEnd()];
}
