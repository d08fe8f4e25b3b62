/** Splits a command into words. The only owner of shell-quote, which must never see text the gate has not passed. */
import { parse } from 'shell-quote';
import { failure } from '../../model/failure.ts';
import { fail, ok, type Result } from '../../model/result.ts';
import { gate } from './gate.ts';

/**
 * Splits one plain command into its words as a POSIX shell would. Fails with `COMMAND_UNPARSABLE` on anything that a
 * shell would interpret.
 */
export function tokenize(text: string): Result<readonly string[]> {
  const gated = gate(text);
  if (!gated.ok) return gated;
  const words: string[] = [];
  for (const entry of parse(gated.value)) {
    if (typeof entry === 'string') words.push(entry);
    // shell-quote calls an escaped star a glob too; the gate let no other one through, so it is text.
    else if ('op' in entry && entry.op === 'glob') words.push(entry.pattern);
    else return fail(failure('COMMAND_UNPARSABLE', 'The command cannot be split into words.'));
  }
  return ok(words);
}
