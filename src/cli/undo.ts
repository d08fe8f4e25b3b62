/** surepatch undo: the undo_fix use-case for a person or a script. */
import { reportOfUndoFailure } from '../model/undo-report.ts';
import { undoFixText } from '../tools/undo-fix-text.ts';
import { undoFix } from '../usecases/undo-fix.ts';
import { brokeDown } from './broke-down.ts';
import { NO_OPTIONS, open } from './open.ts';
import { untilStopped } from './stop-signals.ts';
import type { Surroundings } from './surroundings.ts';

export interface UndoOptions {
  readonly root?: string;
  readonly json?: boolean;
}

const UNDONE = 0;
const REFUSED = 2;
const LOOK_AT_IT = 3;

/** Prints the report and resolves with the exit code that says where the file stands. */
export async function undoCommand(surroundings: Surroundings, writeId: string, options: UndoOptions): Promise<number> {
  const roots = options.root === undefined ? [] : [options.root];
  const opened = open(surroundings, { ...NO_OPTIONS, roots });
  const answer = opened.ok
    ? await untilStopped(surroundings, (call) => undoFix(opened.value, { writeId }, call)).catch(brokeDown)
    : opened;
  const report = answer.ok ? answer.value : reportOfUndoFailure(answer.failure);
  surroundings.stdout.write(
    options.json === true ? `${JSON.stringify(report, null, 2)}\n` : `${undoFixText(report)}\n`,
  );
  if (report.success) return UNDONE;
  return report.disk_state === 'unchanged' || report.disk_state === 'rolled_back' ? REFUSED : LOOK_AT_IT;
}
