/**
 * Compiles what an allowlist says of flags and operands that leave tests out. Joining what two runners say only ever
 * takes away: a flag is neutral where it is for both.
 */
import type { ScopeTable } from '../../model/allowlist.ts';
import { compileDiscovery, type Discovery } from './discovery.ts';
import { wholeMatch } from './whole-match.ts';

type Effect = 'selects' | 'stops' | 'unknown';

/** What a flag does to the suite. */
export interface FlagScope {
  /** Every test stays in when the value matches all of these; null when no value is so. */
  readonly neutral: readonly RegExp[] | null;
  readonly otherwise: Effect;
  /** Its optional value may be the next word. */
  readonly takesNext: boolean;
}

/** What the words that are no flag do to the suite. */
export interface OperandScope {
  /** Operands, joined by spaces, that mean the whole suite. */
  readonly whole: RegExp;
  /** Words of a prefix that mean less. */
  readonly parts: RegExp | null;
  readonly discovery: Discovery | null;
}

export const NO_OPERANDS: OperandScope = { whole: wholeMatch(''), parts: null, discovery: null };

/** Compiles the scope of each flag that the table names. */
export function flagScopes(table: ScopeTable): ReadonlyMap<string, FlagScope> {
  const { narrowing, stopping, neutral, takesNext = [] } = table;
  const values = new Map(
    neutral.map((entry) => (typeof entry === 'string' ? [entry, '.*'] : [entry.flag, entry.matches])),
  );
  return new Map(
    [...narrowing, ...stopping, ...values.keys(), ...takesNext].map((name) => {
      const matches = values.get(name);
      const stops: Effect = stopping.includes(name) ? 'stops' : 'unknown';
      const scope: FlagScope = {
        neutral: matches === undefined ? null : [wholeMatch(matches)],
        otherwise: narrowing.includes(name) ? 'selects' : stops,
        takesNext: takesNext.includes(name),
      };
      return [name, scope];
    }),
  );
}

/** Compiles what a table says of operands. */
export function operandScope({ operands = '', parts, discovery }: ScopeTable): OperandScope {
  return {
    whole: wholeMatch(operands),
    parts: parts === undefined ? null : wholeMatch(parts),
    discovery: discovery === undefined ? null : compileDiscovery(discovery),
  };
}

/** The scope of a flag that two runners know. */
export function joinFlagScopes(first: FlagScope | null, second: FlagScope | null): FlagScope | null {
  if (first === null && second === null) return null;
  const effects = [first?.otherwise, second?.otherwise];
  const stops = effects.includes('stops') ? 'stops' : 'unknown';
  const [one, other] = [first?.neutral ?? null, second?.neutral ?? null];
  return {
    neutral: one !== null && other !== null ? [...one, ...other] : null,
    otherwise: effects.includes('selects') ? 'selects' : stops,
    takesNext: first?.takesNext === true && second?.takesNext === true,
  };
}
