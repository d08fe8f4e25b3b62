/** Decides whether the words of a command may run. Default deny: no rule, no run. */
import { failure } from '../../model/failure.ts';
import { fail, ok, type Result } from '../../model/result.ts';
import { firstFault, type Fault } from './arguments.ts';
import { faultOfAssignment, isAssignment } from './environment.ts';
import { allowedPrefixes, closestPrefix, matchingRule } from './policy.ts';
import type { AllowedCommand, CommandContext, Policy, PolicyRule } from './policy.ts';
import { findTool } from './tool.ts';

const LISTED = 12;
const WIDEN = 'operator can allow more at start, with --allow-test-command.';

/**
 * Allows the words of a command, or fails with `COMMAND_NOT_ALLOWED`, naming the word at fault, the reason, and what may
 * be used in its place.
 */
export function decide(policy: Policy, words: readonly string[], context: CommandContext): Result<AllowedCommand> {
  const judged = judge(policy, words, context);
  return judged.ok ? ok(judged.value.command) : judged;
}

/** As `decide`, and says which rule allowed the command. */
export function judge(
  policy: Policy,
  words: readonly string[],
  context: CommandContext,
): Result<{ readonly command: AllowedCommand; readonly rule: PolicyRule }> {
  if (policy.within !== null) {
    const within = judge(policy.within, words, context);
    if (!within.ok) return within;
  }
  const environment: [string, string][] = [];
  for (const [index, word] of words.entries()) {
    if (!isAssignment(word)) break;
    const fault = faultOfAssignment(policy.environment, word, index, context.root);
    if (fault !== null) return refuse(fault, 'a command', null);
    environment.push([word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
  }
  const argv = words.slice(environment.length);
  const rule = matchingRule(policy, argv);
  const [program, ...rest] = argv;
  if (rule === null || program === undefined) return refuseUnlisted(policy, argv);
  const fault = faultUnder(policy, rule, argv, context.root);
  if (fault !== null) return refuse(fault, rule.prefix.join(' '), environment.length);
  return ok({
    command: {
      environment: Object.fromEntries(environment),
      argv: [program, ...rest],
      operatorNamed: rule.source === 'operator',
    },
    rule,
  });
}

function faultUnder(policy: Policy, rule: PolicyRule, words: readonly string[], root: string): Fault | null {
  const namedUntil = rule.prefix.length;
  if (rule.source === 'built-in') return firstFault({ table: rule.table, words, start: namedUntil, namedUntil, root });
  const tool = findTool(policy.limits, words, false);
  if (tool.kind === 'fault') {
    // What an operator names is trusted; what follows it comes from a caller and is not.
    if (rule.source === 'caller' || tool.fault.index >= namedUntil) return tool.fault;
    return firstFault({ table: null, words, start: namedUntil, namedUntil, root });
  }
  const table = policy.tools.get(tool.name) ?? null;
  const start = rule.source === 'operator' ? Math.max(namedUntil, tool.start) : tool.start;
  const arguments_ = firstFault({ table, words, start, namedUntil, root });
  if (arguments_ !== null || table !== null || tool.isScript) return arguments_;
  return inlineFault(policy, words, start);
}

function inlineFault(policy: Policy, words: readonly string[], start: number): Fault | null {
  const { inline } = policy.limits;
  const index = words.findIndex((word, at) => at >= start && inline.includes(word.split('=')[0] ?? word));
  return index < 0 ? null : { index, word: words[index] ?? '', why: 'may carry code to run' };
}

function refuse(fault: Fault, runner: string, skipped: number | null): Result<never> {
  const place = fault.index + (skipped ?? 0) + 1;
  const message = `Word ${place} of the command, \`${fault.word}\`, is refused for \`${runner}\`: it ${fault.why}.`;
  const hint = `${fault.hint ?? 'Leave it out, or replace it.'} The ${WIDEN}`;
  return fail(failure('COMMAND_NOT_ALLOWED', message, { hint }));
}

function refuseUnlisted(policy: Policy, words: readonly string[]): Result<never> {
  const program = words[0];
  const what = program === undefined ? 'names no program' : `begins with \`${program}\` and with no allowed prefix`;
  const closest = closestPrefix(policy, words);
  const prefixes = closest === null ? allowedPrefixes(policy) : [];
  const listed = prefixes
    .slice(0, LISTED)
    .map((prefix) => `\`${prefix}\``)
    .join(', ');
  const more = prefixes.length > LISTED ? ` and ${prefixes.length - LISTED} more` : '';
  const use = closest === null ? `Allowed: ${listed}${more}.` : `Closest allowed command: \`${closest}\`.`;
  const hint = `${use} Prefixes are compared by whole words; the ${WIDEN}`;
  return fail(failure('COMMAND_NOT_ALLOWED', `The command ${what}.`, { hint }));
}
