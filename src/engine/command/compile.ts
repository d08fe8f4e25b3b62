/** Compiles allowlist files into a policy. A rule whose own examples disagree with it stops the start. */
import type { AllowlistFile, AllowlistRule, CallerLimits } from '../../model/allowlist.ts';
import { failure } from '../../model/failure.ts';
import { fail, ok, type Result } from '../../model/result.ts';
import { judge } from './decide.ts';
import { compileTable, joinTables, type CompiledTable } from './flag-table.ts';
import type { Policy, PolicyRule } from './policy.ts';
import { findTool } from './tool.ts';
import { tokenize } from './tokenize.ts';
import { wholeMatch } from './whole-match.ts';

const EXAMPLE = { root: '/example/root' };
const NO_LIMITS: CallerLimits = { never: [], launchers: [], interpreters: [], inline: [] };

/**
 * Compiles the files into one policy. Fails with `ALLOWLIST_INVALID`, naming file, rule and example, when a table or an
 * expression cannot be compiled or an example is not decided as its rule says.
 */
export function compilePolicy(files: readonly AllowlistFile[]): Result<Policy> {
  const tables = new Map<string, CompiledTable>();
  for (const file of files) {
    const fault = faultOfFile(file, files, tables);
    if (fault !== null) return invalid(`${file.runner}: ${fault}`);
  }
  const limits = joinLimits(files);
  const rules = files.flatMap((file) => file.rules.flatMap((rule) => expand(rule, tables.get(file.runner) ?? null)));
  const environment = new Map(
    files
      .flatMap((file) => file.environment ?? [])
      .map(({ name, value }) => {
        return [name, value === 'paths' ? null : wholeMatch(value.matches)] as const;
      }),
  );
  const tools = toolTables(files, tables, limits);
  const policy: Policy = { rules, builtIn: rules, limits, tools, environment, within: null };
  for (const file of files) {
    for (const rule of file.rules) {
      const fault = disagreement(policy, rule);
      if (fault !== null) return invalid(`${file.runner}: the rule ${JSON.stringify(rule.prefix)} ${fault}`);
    }
  }
  return ok(policy);
}

function disagreement(policy: Policy, rule: AllowlistRule): string | null {
  const prefixes = new Set(alternatives(rule).map((prefix) => prefix.join(' ')));
  for (const command of rule.allows) {
    const words = tokenize(command);
    const judged = words.ok ? judge(policy, words.value, EXAMPLE) : words;
    if (!judged.ok) return `should allow \`${command}\`: ${judged.failure.message}`;
    if (!prefixes.has(judged.value.rule.prefix.join(' '))) return `should allow \`${command}\`, and another rule does`;
  }
  for (const { command, why } of rule.refuses) {
    const words = tokenize(command);
    const judged = words.ok ? judge(policy, words.value, EXAMPLE) : words;
    if (judged.ok) return `should refuse \`${command}\`, and it is allowed`;
    if (!judged.failure.message.includes(why)) {
      return `should refuse \`${command}\` because it "${why}", and the reason given is: ${judged.failure.message}`;
    }
  }
  return null;
}

function expand(rule: AllowlistRule, table: CompiledTable | null): PolicyRule[] {
  return alternatives(rule).map((prefix) => ({ source: 'built-in', prefix, table }));
}

function alternatives(rule: AllowlistRule): readonly (readonly string[])[] {
  return rule.prefix.reduce<readonly (readonly string[])[]>(
    (prefixes, token) => prefixes.flatMap((prefix) => [token].flat().map((word) => [...prefix, word])),
    [[]],
  );
}

function faultOfFile(
  file: AllowlistFile,
  files: readonly AllowlistFile[],
  done: Map<string, CompiledTable>,
): string | null {
  if (files.filter((other) => other.runner === file.runner).length > 1) return 'there is another file for this runner';
  if (file.rules.length > 0 && file.flags === undefined) return 'it has rules and no flags';
  try {
    if (file.flags !== undefined) compileTable(file.runner, files, done);
    for (const { value } of file.environment ?? []) if (value !== 'paths') wholeMatch(value.matches);
    for (const { options } of [...(file.limits?.launchers ?? []), ...(file.limits?.interpreters ?? [])]) {
      wholeMatch(options ?? '');
    }
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be compiled';
  }
}

/** Tables by tool, so that a caller's or an operator's prefix for the same tool meets the same refusals. */
function toolTables(
  files: readonly AllowlistFile[],
  compiled: ReadonlyMap<string, CompiledTable>,
  limits: CallerLimits,
): ReadonlyMap<string, CompiledTable> {
  const tables = new Map<string, Map<string, CompiledTable>>();
  for (const file of files) {
    const table = compiled.get(file.runner);
    if (table === undefined) continue;
    const tools = file.rules.flatMap(alternatives).map((prefix) => findTool(limits, prefix, true));
    const names = tools.flatMap((tool) => (tool.kind === 'tool' ? [tool.name] : []));
    for (const name of [...names, ...(file.aliases ?? [])]) {
      tables.set(name, (tables.get(name) ?? new Map<string, CompiledTable>()).set(file.runner, table));
    }
  }
  return new Map([...tables].map(([name, ofRunners]) => [name, joinTables([...ofRunners.values()])]));
}

function joinLimits(files: readonly AllowlistFile[]): CallerLimits {
  const all = files.map((file) => file.limits ?? NO_LIMITS);
  return {
    never: all.flatMap((limits) => limits.never),
    launchers: all.flatMap((limits) => limits.launchers),
    interpreters: all.flatMap((limits) => limits.interpreters),
    inline: all.flatMap((limits) => limits.inline),
  };
}

function invalid(message: string): Result<never> {
  return fail(failure('ALLOWLIST_INVALID', `An allowlist cannot be used: ${message}.`));
}
