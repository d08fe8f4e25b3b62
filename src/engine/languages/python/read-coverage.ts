/**
 * What coverage.py saw of the changed files, from the lines that the agent of each process printed.
 *
 * It tells of lines and not of statements: of several statements that begin on one line only the first can be told, and a
 * statement without a line of its own (a constant, a `global`) not at all. A statement of a body was executed when a passing
 * test ran it; loading does not count. A line that was not seen says so only if every process that measured has reported.
 */
import type { ExaminedFile, Statement } from '../../../model/examination.ts';
import { COVERAGE_FOLDER, type CoverageGap, type CoverageReading, type CoverageWitness } from '../../../model/suite.ts';
import type { Passing } from '../../evidence/judge-parts.ts';
import type { RunFiles, RunPlaces } from '../language.ts';

/** All processes taken together. */
interface Seen {
  readonly loaded: Set<string>;
  /** Module name → files that it was loaded from instead of a changed one. */
  readonly others: Map<string, Set<string>>;
  /** File → line → whether a passing test ran it; null where one did of which that is not known. */
  readonly lines: Map<string, Map<number, boolean | null>>;
  /** File → lines that could be seen. */
  readonly possible: Map<string, Set<number>>;
  /** Why a process could not measure. */
  unavailable: string | null;
  /** False where it is merely not installed in the interpreters that loaded a changed file. */
  isInstalled: boolean;
  /** False where a process began to measure and ended without a report. */
  isComplete: boolean;
}

/** Reads the lines of the agents' files; see `runtime/python/site/`. */
export function readCoverage(
  files: RunFiles,
  examined: readonly ExaminedFile[],
  { root }: Pick<RunPlaces, 'root'>,
  isPassing: Passing,
): CoverageReading {
  const seen = readAll(files, isPassing);
  const witnesses = examined.map(({ path, after }): CoverageWitness => {
    const absolute = `${root}/${path}`;
    const lines = seen.lines.get(absolute);
    return {
      path,
      isMeasured: lines !== undefined,
      otherCopies: [...(seen.others.get(absolute) ?? [])].sort(),
      executed: executedOf(after.statements, lines, seen.possible.get(absolute), seen.isComplete),
    };
  });
  const isMeasured = witnesses.some((witness) => witness.isMeasured);
  if (isMeasured) return { tool: 'coverage.py', unavailable: null, gap: null, files: witnesses };
  const [unavailable, gap] = examined.length === 0 ? ([null, null] as const) : whyNot(seen);
  return { tool: 'none', unavailable, gap, files: witnesses };
}

function whyNot({ unavailable, isInstalled, loaded, others }: Seen): readonly [string, CoverageGap] {
  if (unavailable !== null) return [unavailable, isInstalled ? 'broken' : 'no_source'];
  if (loaded.size > 0) return ['no process that loaded a changed file has reported what it measured', 'broken'];
  if (others.size > 0) return ['other copies of the changed modules were loaded', 'broken'];
  return ['no Python process of the run has loaded a changed file', 'not_loaded'];
}

function executedOf(
  statements: readonly Statement[],
  lines: ReadonlyMap<number, boolean | null> | undefined,
  possible: ReadonlySet<number> | undefined,
  isComplete: boolean,
): readonly (boolean | null)[] {
  if (lines === undefined || possible === undefined) return statements.map(() => null);
  let taken = 0;
  return statements.map((statement, index) => {
    const nested = statements[index + 1];
    const isBefore = nested !== undefined && nested.start < statement.end;
    const last = isBefore ? Math.max(statement.line, Math.min(nested.line - 1, statement.endLine)) : statement.endLine;
    const isFirstOfLine = statement.line > taken;
    taken = Math.max(taken, last);
    if (statement.isInert || !isFirstOfLine) return null;
    const own = [];
    for (let line = statement.line; line <= last; line += 1) if (possible.has(line)) own.push(line);
    if (own.length === 0) return null;
    const isRun = own.some(
      (line) => lines.get(line) === true || (statement.timing === 'definition' && lines.has(line)),
    );
    const isOpen = !isComplete || own.some((line) => lines.get(line) === null);
    return isRun || (isOpen ? null : false);
  });
}

function readAll(files: RunFiles, isPassing: Passing): Seen {
  const seen: Seen = {
    loaded: new Set(),
    others: new Map(),
    lines: new Map(),
    possible: new Map(),
    unavailable: null,
    isInstalled: false,
    isComplete: true,
  };
  for (const [path, bytes] of files) {
    if (!path.startsWith(`${COVERAGE_FOLDER}/python-`)) continue;
    let open = 0;
    for (const line of Buffer.from(bytes).toString('utf8').split('\n')) {
      const fields = line === '' ? null : fieldsOf(line);
      if (fields !== null) open += readLine(fields, seen, isPassing);
      else if (line !== '') seen.isComplete = false;
    }
    if (open > 0) seen.isComplete = false;
  }
  return seen;
}

/** Takes one line in; returns by how much the number of measurements without a report grows. */
function readLine(fields: ReadonlyMap<string, unknown>, seen: Seen, isPassing: Passing): number {
  const [loaded, instead] = [fields.get('loaded'), fields.get('instead_of')];
  if (typeof loaded === 'string') {
    if (typeof instead === 'string') entry(seen.others, instead, () => new Set()).add(loaded);
    else seen.loaded.add(loaded);
  }
  const unavailable = fields.get('unavailable');
  if (typeof unavailable === 'string') {
    seen.unavailable = unavailable;
    if (fields.get('installed') !== false) seen.isInstalled = true;
  }
  if (fields.has('measuring')) {
    seen.isInstalled = true;
    return 1;
  }
  const measured = fieldsIn(fields.get('files'));
  if (measured === null) return 0;
  for (const [file, value] of measured) {
    const own = fieldsIn(value);
    const lines = entry(seen.lines, file, () => new Map<number, boolean | null>());
    for (const [line, contexts] of fieldsIn(own?.get('lines')) ?? []) {
      const ran = [lines.get(Number(line)), ...textsIn(contexts).map((id) => id !== '' && isPassing(id))];
      lines.set(Number(line), ran.includes(true) || (ran.includes(null) ? null : false));
    }
    const possible = own?.get('possible');
    const known = entry(seen.possible, file, () => new Set());
    for (const line of Array.isArray(possible) ? possible : []) known.add(Number(line));
  }
  return -1;
}

function entry<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

function fieldsOf(line: string): ReadonlyMap<string, unknown> | null {
  try {
    return fieldsIn(JSON.parse(line));
  } catch {
    return null;
  }
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function fieldsIn(value: unknown): ReadonlyMap<string, unknown> | null {
  return typeof value === 'object' && value !== null ? new Map<string, unknown>(Object.entries(value)) : null;
}
