/** Compiles the flag tables of the allowlists. Joining tables only ever narrows: what one refuses, the whole refuses. */
import type { AllowlistFile, FlagTable } from '../../model/allowlist.ts';

/** What a known flag takes. */
export interface KnownFlag {
  readonly takes: 'nothing' | 'value' | 'value after =';
  readonly isPattern: boolean;
  /** The value must match every one of these. */
  readonly matches: readonly RegExp[];
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
}

/** Makes an expression that must match a whole value; throws a `SyntaxError` on a malformed one. */
export function wholeMatch(source: string): RegExp {
  return new RegExp(`^(?:${source})$`, 'u');
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
  };
  const table =
    included.length === 0
      ? own
      : { ...joinTables([own, ...included]), operands: own.operands, atWords: own.atWords, shell: own.shell };
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
  };
}

function joinFlags(first: KnownFlag, second: KnownFlag): KnownFlag {
  return {
    takes: first.takes === second.takes ? first.takes : 'value after =',
    isPattern: first.isPattern && second.isPattern,
    matches: [...first.matches, ...second.matches],
  };
}

function knownFlags(flags: FlagTable): ReadonlyMap<string, KnownFlag> {
  const known = new Map<string, KnownFlag>();
  const bare = new Set(flags.boolean);
  for (const name of bare) known.set(name, { takes: 'nothing', isPattern: false, matches: [] });
  for (const entry of [...flags.value, ...flags.pattern]) {
    const name = typeof entry === 'string' ? entry : entry.flag;
    known.set(name, {
      takes: bare.has(name) ? 'value after =' : 'value',
      isPattern: flags.pattern.includes(name),
      matches: typeof entry === 'string' ? [] : [wholeMatch(entry.matches)],
    });
  }
  return known;
}

function flagsOf(runner: string, files: readonly AllowlistFile[]): FlagTable {
  const flags = files.find((file) => file.runner === runner)?.flags;
  if (flags === undefined) throw new RangeError(`no flags are given for the runner ${runner}`);
  return flags;
}
