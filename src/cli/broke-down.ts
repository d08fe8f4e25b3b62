/** What nobody foresaw, said like everything else, so that every command ends with an exit code of its own. */
import { failure } from '../model/failure.ts';
import { fail, type Result } from '../model/result.ts';

/** Makes an answer of what was thrown. */
export function brokeDown(error: unknown): Result<never> {
  const why = error instanceof Error ? error.message : String(error);
  return fail(failure('INTERNAL', `Surepatch broke down: ${why}.`));
}
