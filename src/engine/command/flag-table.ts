/** Compiles the flag tables of the allowlists. Joining tables only ever narrows: what one refuses, the whole refuses. */
import type { AllowlistFile, FlagTable } from '../../model/allowlist.ts';
import {
  flagScopes,
  joinFlagScopes,
  NO_OPERANDS,
  operandScope,
  type FlagScope,
  type OperandScope,
} from './scope-table.ts';
import { wholeMatch } from './whole-match.ts';

/** What a known flag takes. */
export interface KnownFlag {
  readonly takes: 'nothing' | 'value' | 'value after =';
  readonly isPattern: boolean;
  /** The value must match every one of these. */
  readonly matches: readonly RegExp[];
  /** Null when nobody said what the flag does to the suite. */
  readonly scope: FlagScope | null;
}

export interface CompiledTable {
  readonly style: 'gnu' | 'word';
  readonly known: ReadonlyMap<string, KnownFlag>;
  /** Flag to the reason for refusing it. */
  readonly refused: ReadonlyMap<string, string>;
  readonly operands: { readonly matches: RegExp; readonly why: string } | null;
  readonly afterDashes: CompiledTable | null;
  readonly nodeIds: boolean;
  readonly atWords: boolean;
  readonly shell: boolean;
  readonly scope: OperandScope;
}

/**
 * Compiles the table of one runner with those it includes, and keeps them all in `done`. Throws when a table names a
 * runner that is not there.
 */
export function compileTable(
  runner: string,
  files: readonly AllowlistFile[],
  done: Map<string, CompiledTable>,
): CompiledTable {
  const ready = done.get(runner);
  if (ready !== undefined) return ready;
  const flags = flagsOf(runner, files);
  const included = (flags.include ?? []).map((name) => compileTable(name, files, done));
  const after = flags.afterDashes?.map((name) => compileTable(name, files, done));
  const own: CompiledTable = {
    style: flags.style,
    known: knownFlags(flags),
    refused: new Map(flags.refused.flatMap(({ flags: names, why }) => names.map((name) => [name, why] as const))),
    operands: flags.operands ? { matches: wholeMatch(flags.operands.matches), why: flags.operands.why } : null,
    afterDashes: after === undefined ? null : { ...joinTables(after), shell: flags.shell ?? false },
    nodeIds: flags.nodeIds ?? false,
    atWords: flags.atWords ?? false,
    shell: flags.shell ?? false,
    scope: flags.scope === undefined ? NO_OPERANDS : operandScope(flags.scope),
  };
  const { operands, atWords, shell, scope } = own;
  const table = included.length === 0 ? own : { ...joinTables([own, ...included]), operands, atWords, shell, scope };
  done.set(runner, table);
  return table;
}

/** Joins tables into one that knows what any of them knows and refuses what any of them refuses. */
export function joinTables(tables: readonly CompiledTable[]): CompiledTable {
  const refused = new Map(tables.flatMap((table) => [...table.refused]));
  const known = new Map<string, KnownFlag>();
  for (const [name, flag] of tables.flatMap((table) => [...table.known])) {
    if (refused.has(name)) continue;
    const other = known.get(name);
    known.set(name, other === undefined ? flag : joinFlags(other, flag));
  }
  const only = tables.length === 1 ? tables[0] : undefined;
  return {
    style: tables.every((table) => table.style === 'word') ? 'word' : 'gnu',
    known,
    refused,
    operands: only?.operands ?? null,
    afterDashes: tables.find((table) => table.afterDashes !== null)?.afterDashes ?? null,
    nodeIds: tables.every((table) => table.nodeIds),
    atWords: tables.every((table) => table.atWords),
    shell: tables.some((table) => table.shell),
    scope: only?.scope ?? NO_OPERANDS,
  };
}

function joinFlags(first: KnownFlag, second: KnownFlag): KnownFlag {
  return {
    takes: first.takes === second.takes ? first.takes : 'value after =',
    isPattern: first.isPattern && second.isPattern,
    matches: [...first.matches, ...second.matches],
    scope: joinFlagScopes(first.scope, second.scope),
  };
}

function knownFlags(flags: FlagTable): ReadonlyMap<string, KnownFlag> {
  const known = new Map<string, KnownFlag>();
  const bare = new Set(flags.boolean);
  const scopes = flags.scope === undefined ? null : flagScopes(flags.scope);
  const scopeOfFlag = (name: string): FlagScope | null => scopes?.get(name) ?? null;
  for (const name of bare)
    known.set(name, { takes: 'nothing', isPattern: false, matches: [], scope: scopeOfFlag(name) });
  for (const entry of [...flags.value, ...flags.pattern]) {
    const name = typeof entry === 'string' ? entry : entry.flag;
    known.set(name, {
      takes: bare.has(name) ? 'value after =' : 'value',
      isPattern: flags.pattern.includes(name),
      matches: typeof entry === 'string' ? [] : [wholeMatch(entry.matches)],
      scope: scopeOfFlag(name),
    });
  }
  const stray = [...(scopes?.keys() ?? [])].find((name) => !known.has(name));
  if (stray !== undefined) throw new RangeError(`its scope names ${stray}, which is no flag of it`);
  return known;
}

function flagsOf(runner: string, files: readonly AllowlistFile[]): FlagTable {
  const flags = files.find((file) => file.runner === runner)?.flags;
  if (flags === undefined) throw new RangeError(`no flags are given for the runner ${runner}`);
  return flags;
}
