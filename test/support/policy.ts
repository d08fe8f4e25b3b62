/** The built-in policy, compiled from the allowlists as they are shipped. */
import { fileURLToPath } from 'node:url';
import { compilePolicy, decide, type AllowedCommand, type Policy } from '../../src/engine/command/allow.ts';
import { tokenize } from '../../src/engine/command/tokenize.ts';
import { readAllowlists } from '../../src/io/allowlists.ts';
import type { Result } from '../../src/model/result.ts';

export const ALLOWLISTS = fileURLToPath(new URL('../../allowlists/', import.meta.url));
export const ROOT = '/work/app';

export function builtInPolicy(): Policy {
  return valueOf(compilePolicy(valueOf(readAllowlists(ALLOWLISTS))));
}

/** Splits and decides one command, as a use-case does. */
export function decideText(policy: Policy, command: string): Result<AllowedCommand> {
  const words = tokenize(command);
  return words.ok ? decide(policy, words.value, { root: ROOT }) : words;
}

export function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}

/** The code of a refusal, or the words that would run. */
export function outcome(result: Result<AllowedCommand>): string {
  return result.ok ? `allowed: ${result.value.argv.join(' ')}` : result.failure.code;
}
