/** Reads what the command line was given to read: a named file, or standard input. */
import { readFileSync } from 'node:fs';
import { failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { errnoOf } from './disk-error.ts';

const STANDARD_INPUT = 0;

/** Reads a whole text, from standard input for `-`. Refuses `INPUT_INVALID` what is missing or not UTF-8. */
export function readInput(path: string): Result<string> {
  try {
    const bytes = readFileSync(path === '-' ? STANDARD_INPUT : path);
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    const why = errnoOf(error) ?? (error instanceof TypeError ? 'it is not UTF-8' : null);
    if (why === null) throw error;
    return fail(failure('INPUT_INVALID', `The diff in ${path} cannot be read (${why}).`));
  }
}
