/**
 * What V8's counts say of statements: each start is led through probes and source map to the code that ran, and the innermost
 * counted range there decides. V8 counts neither a throw out of a call nor a generator that was never started, and knows no
 * tests: where such a thing could be, a count says nothing, and only none says that it did not run.
 */
import { GREATEST_LOWER_BOUND, TraceMap, generatedPositionFor, originalPositionFor } from '@jridgewell/trace-mapping';
import type { SourceAnalysis, Statement } from '../../../model/examination.ts';
import { field, items, number, text } from './json.ts';
import { lineStarts, placeAt } from './lines.ts';
import { readProbedText } from './probed-text.ts';

/** One script of one process and phase, as the agent wrote it. */
export interface V8Script {
  readonly path: string;
  readonly phase: 'load' | 'test';
  readonly text: string;
  readonly generated: string;
  readonly map: string | null;
  readonly functions: readonly V8Function[];
}

interface V8Function {
  readonly ranges: readonly { readonly start: number; readonly end: number; readonly count: number }[];
}

export function readV8Script(value: unknown): V8Script | null {
  const [path, source, generated] = ['path', 'text', 'generated'].map((name) => text(field(value, name)));
  if (typeof path !== 'string' || typeof source !== 'string' || typeof generated !== 'string') return null;
  const map: unknown = field(value, 'map');
  const functions = items(field(value, 'functions')).map((one) => ({
    ranges: items(field(one, 'ranges')).map((range) => ({
      start: number(field(range, 'startOffset')) ?? 0,
      end: number(field(range, 'endOffset')) ?? 0,
      count: number(field(range, 'count')) ?? 0,
    })),
  }));
  const phase = field(value, 'phase') === 'test' ? 'test' : 'load';
  return { path, phase, text: source, generated, map: map === null ? null : JSON.stringify(map), functions };
}

/** One answer for each statement: executed (in a body: while all tests that ran passed), not executed, or null. */
export function executedByV8(
  scripts: readonly V8Script[],
  analysis: SourceAnalysis,
  haveAllPassed: boolean,
): readonly (boolean | null)[] {
  const codes = [...new Set(scripts.map(({ generated }) => generated))];
  const groups = codes.map((code) => scripts.filter(({ generated }) => generated === code));
  const counts = groups.map((group) => countsOf(group, analysis));
  return analysis.statements.map((statement, index) => {
    const seen = counts.map((of) => of[index]).filter((count) => count !== undefined && count !== null);
    if (seen.length === 0 || seen.length < groups.length) return null;
    const ran = seen.some(({ load, test }) => test > 0 || load > 0);
    if (!ran) return false;
    if (statement.timing === 'definition') return isAtTop(statement, analysis) ? true : null;
    return haveAllPassed && seen.some(({ test }) => test > 0) && isCertain(statement, analysis) ? true : null;
  });
}

interface Counts {
  readonly load: number;
  readonly test: number;
}

/** The scripts of a group are the same code, counted in several processes. */
function countsOf(group: readonly V8Script[], analysis: SourceAnalysis): readonly (Counts | null)[] {
  const [first] = group;
  if (first === undefined) return [];
  const probed = readProbedText(first.text, analysis);
  const toGenerated = generatedPlaces(first);
  const spans = group.flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.slice(0, 1)));
  return analysis.statements.map((statement) => {
    if (statement.isInert) return null;
    const offset = toGenerated(probed.toProbed(statement.start));
    if (offset === null) return null;
    const around = spans.filter(({ start, end }) => start <= offset && offset < end);
    const inner = around.reduce((least, span) => (span.end - span.start < least.end - least.start ? span : least), {
      start: 0,
      end: Infinity,
    });
    const counts = { load: 0, test: 0 };
    for (const { phase, functions } of group) {
      // A function that a process did not call in a phase may be missing from its counts.
      const own = functions.find(({ ranges: [whole] }) => whole?.start === inner.start && whole.end === inner.end);
      counts[phase] += own === undefined ? 0 : countAt(own, offset);
    }
    return counts;
  });
}

/** Ranges of a function lie inside each other, the inner ones later. */
function countAt({ ranges }: V8Function, offset: number): number {
  return ranges.findLast(({ start, end }) => start <= offset && offset < end)?.count ?? 0;
}

/** From offsets of the probed text to offsets of the code; null where the map does not lead there and back. */
function generatedPlaces({ text: source, generated, map }: V8Script): (offset: number) => number | null {
  if (map === null) return generated === source ? (offset) => offset : () => null;
  const trace = new TraceMap(map);
  const [name] = trace.sources;
  const sourceLines = lineStarts(source);
  const codeLines = lineStarts(generated);
  return (offset) => {
    if (typeof name !== 'string') return null;
    const place = placeAt(sourceLines, offset);
    const found = generatedPositionFor(trace, { source: name, ...place, bias: GREATEST_LOWER_BOUND });
    if (found.line === null) return null;
    const back = originalPositionFor(trace, { line: found.line, column: found.column });
    if (back.line !== place.line || back.column !== place.column) return null;
    return (codeLines[found.line - 1] ?? 0) + found.column;
  };
}

/** Nothing before it in the same function could have thrown, and the function is no generator. */
function isCertain(statement: Statement, { statements, arms, tokens }: SourceAnalysis): boolean {
  const bodies = arms.filter(
    ({ kind, start, end }) => kind === 'function' && start < statement.start && statement.end <= end,
  );
  const body = bodies.reduce((least, arm) => (arm.end - arm.start < least.end - least.start ? arm : least), {
    start: 0,
    end: Infinity,
  });
  const before = tokens.filter(({ start, end }) => start >= body.start && end <= statement.start);
  if (before.some(({ key }) => /^\n?(?:[([.`*]|\?\.|await|throw|yield|new|import|for|while|do|try|return)/u.test(key)))
    return false;
  return (
    !tokens.some(({ start, end, key }) => start >= body.start && end <= body.end && /^\n?yield$/u.test(key)) &&
    statements.length > 0
  );
}

/** Runs whenever the file is loaded to its end: no block or function is around it. */
function isAtTop(statement: Statement, { statements }: SourceAnalysis): boolean {
  return !statements.some(({ start, end }) => start < statement.start && statement.end <= end);
}
