/** Prefixes that a call or the launch arguments bring: an operator's widen the policy, a caller's replace or narrow it. */
import { failure, type FailureCode } from '../../model/failure.ts';
import { fail, ok, type Result } from '../../model/result.ts';
import type { Fault } from './arguments.ts';
import { judge } from './decide.ts';
import { isAssignment } from './environment.ts';
import { climbs } from './paths.ts';
import { allowedPrefixes, type Policy, type PolicyRule } from './policy.ts';
import { findTool } from './tool.ts';
import { tokenize } from './tokenize.ts';

/** Stands for the root where only the words of a prefix are judged; nothing can be inside it by accident. */
const NO_ROOT = { root: '/\u0000' };

/**
 * Replaces the policy's rules by a caller's prefixes for one call; an empty list changes nothing. Shells, wrappers, code
 * on the command line and programs named by path are never admitted. With `locked`, each prefix must already be allowed
 * and each command must be allowed by the policy as it was. Fails with the code of the prefix at fault.
 */
export function withCallerPrefixes(
  policy: Policy,
  prefixes: readonly string[],
  options: { readonly locked: boolean },
): Result<Policy> {
  if (prefixes.length === 0) return ok(policy);
  const rules: PolicyRule[] = [];
  for (const [index, text] of prefixes.entries()) {
    const name = `allowed_test_commands[${index}]`;
    const words = readPrefix(text, name);
    if (!words.ok) return words;
    const allowed = judge(policy, words.value, NO_ROOT);
    if (!allowed.ok && options.locked) {
      const hint = `The list is locked, so a call can only narrow it. Allowed: ${allowedPrefixes(policy).join(', ')}.`;
      return refuse(
        'COMMAND_NOT_ALLOWED',
        `${name} is not part of the allowed commands. ${allowed.failure.message}`,
        hint,
      );
    }
    const fault = allowed.ok ? null : faultOfCallerPrefix(policy, words.value);
    if (fault !== null) {
      return refuse(
        'COMMAND_NOT_ALLOWED',
        `${name} cannot be admitted: \`${fault.word}\` ${fault.why}.`,
        fault.hint ?? 'Name the test runner itself; the operator can allow more at start, with --allow-test-command.',
      );
    }
    // A prefix within an operator's keeps the operator's trust: only so can a call narrow to `./gradlew test`.
    const source = allowed.ok && allowed.value.rule.source === 'operator' ? 'operator' : 'caller';
    rules.push({ source, prefix: words.value, table: null });
  }
  return ok({ ...policy, rules, within: options.locked ? policy : null });
}

/**
 * Adds an operator's prefixes to the policy. A program may be named by a path, which is looked up from the root; a shell
 * or a wrapper needs at least a script or a program after it. Fails with the code of the prefix at fault.
 */
export function withOperatorPrefixes(policy: Policy, prefixes: readonly string[]): Result<Policy> {
  const rules: PolicyRule[] = [];
  for (const text of prefixes) {
    const name = `The allowed prefix ${JSON.stringify(text)}`;
    const words = readPrefix(text, name);
    if (!words.ok) return words;
    const [program = ''] = words.value;
    if (climbs(program)) return refuse('INPUT_INVALID', `${name} names a program outside the root.`);
    const tool = findTool(policy.limits, words.value, true);
    if (tool.kind === 'fault' && tool.fault.index === words.value.length - 1) {
      return refuse('INPUT_INVALID', `${name} would allow anything: \`${tool.fault.word}\` ${tool.fault.why}.`);
    }
    rules.push({ source: 'operator', prefix: words.value, table: null });
  }
  return ok({ ...policy, rules: [...rules, ...policy.rules] });
}

function readPrefix(text: string, name: string): Result<readonly string[]> {
  const words = tokenize(text);
  if (!words.ok) return refuse(words.failure.code, `${name}: ${words.failure.message}`, words.failure.hint);
  const [program = ''] = words.value;
  if (program !== '' && !isAssignment(program) && !program.startsWith('-')) return words;
  return refuse('COMMAND_NOT_ALLOWED', `${name} must begin with a program.`, 'Begin with the name of a test runner.');
}

function faultOfCallerPrefix(policy: Policy, words: readonly string[]): Fault | null {
  const [program = ''] = words;
  if (/[\\/]/u.test(program)) {
    const why = 'names a program by its path';
    return { index: 0, word: program, why, hint: 'Name the program alone; the operator can allow paths at start.' };
  }
  const tool = findTool(policy.limits, words, true);
  return tool.kind === 'fault' ? tool.fault : null;
}

function refuse(code: FailureCode, message: string, hint?: string): Result<never> {
  return fail(failure(code, message, hint === undefined ? {} : { hint }));
}
