/** What the allowlists come to once compiled: the value every decision is made from. */
import type { CallerLimits } from '../../model/allowlist.ts';
import type { CompiledTable } from './flag-table.ts';

export interface PolicyRule {
  /** Where the rule comes from; an operator's own words are trusted, a caller's are limited. */
  readonly source: 'built-in' | 'operator' | 'caller';
  readonly prefix: readonly string[];
  /** The table of a built-in rule; other rules find theirs by the tool they start. */
  readonly table: CompiledTable | null;
}

/** An allowlist, compiled. Made by `compilePolicy` and narrowed or widened by the prefixes of callers and operators. */
export interface Policy {
  readonly rules: readonly PolicyRule[];
  /** The rules of the allowlists, which say what a command means also where a caller's took their place. */
  readonly builtIn: readonly PolicyRule[];
  readonly limits: CallerLimits;
  /** Tables by the name of the tool they are for. */
  readonly tools: ReadonlyMap<string, CompiledTable>;
  /** What may be assigned before a program; null stands for a list of paths inside the root. */
  readonly environment: ReadonlyMap<string, RegExp | null>;
  /** A policy that must allow the command as well. */
  readonly within: Policy | null;
}

/** A command that may run: words for the program, and variables to add to its environment. */
export interface AllowedCommand {
  readonly environment: Readonly<Record<string, string>>;
  readonly argv: readonly [string, ...string[]];
  /** The operator allowed this prefix, so its program may be named by a path inside the root. */
  readonly operatorNamed: boolean;
}

export interface CommandContext {
  /** Absolute path of the root, as the caller spells it. */
  readonly root: string;
}

/** Lists the allowed prefixes as commands, in the order of the allowlists. */
export function allowedPrefixes(policy: Policy): readonly string[] {
  return [...new Set(policy.rules.map((rule) => rule.prefix.join(' ')))];
}

/** Returns the longest rule that the words begin with, compared by whole tokens. */
export function matchingRule({ rules }: Pick<Policy, 'rules'>, words: readonly string[]): PolicyRule | null {
  let longest: PolicyRule | null = null;
  for (const rule of rules) {
    if (rule.prefix[0] !== words[0] || rule.prefix.length <= (longest?.prefix.length ?? 0)) continue;
    if (rule.prefix.every((token, index) => token === words[index])) longest = rule;
  }
  return longest;
}

/** Returns the allowed prefix that has most in common with the words, or null when none has anything. */
export function closestPrefix(policy: Policy, words: readonly string[]): string | null {
  const named = new Set(words.flatMap((word) => [word, word.slice(word.lastIndexOf('/') + 1)]));
  let best: readonly string[] | null = null;
  let closest = 0;
  for (const { prefix } of policy.rules) {
    let shared = 0;
    // A flag says nothing of what is meant: half of all commands take -q.
    for (const token of prefix) if (!token.startsWith('-') && named.has(token)) shared += 1;
    const likeness = shared === 0 ? 0 : shared / (prefix.length + 1) + (prefix[0] === words[0] ? 1 : 0);
    if (likeness > closest) {
      best = prefix;
      closest = likeness;
    }
  }
  return best?.join(' ') ?? null;
}
