/**
 * Analyses of a small language in which every line is a statement, blanks at its start put it inside the line above, `#`
 * begins a comment, and `if` has an arm: its body. Words are tokens; where a line begins is part of its first word.
 */
import type { Arm, SourceAnalysis, Span, Statement, Token } from '../../src/model/examination.ts';

interface Line extends Span {
  readonly depth: number;
  readonly words: readonly string[];
}

/** Analyses a text; a line that begins with `type` never runs. */
export function analysisOf(text: string): SourceAnalysis {
  const lines = linesOf(text);
  const statements = lines.map((line, at): Statement => {
    const last = lines.slice(at + 1).findIndex(({ depth }) => depth <= line.depth);
    const { end, line: endLine } = lines[last === -1 ? lines.length - 1 : at + last] ?? line;
    return {
      start: line.start,
      end,
      line: line.line,
      endLine,
      timing: line.depth === 0 ? 'definition' : 'body',
      kind: line.words[0] ?? '',
      headerEnd: line.end,
      isExcluded: false,
      isInert: line.words[0] === 'type',
      probe: [{ at: line.start, text: 'hit(%); ' }],
    };
  });
  const arms = statements.flatMap((statement, at): readonly Arm[] => {
    const [line, body] = [lines[at], lines[at + 1]];
    if (statement.kind !== 'if' || line === undefined || body === undefined) return [];
    const { end, endLine } = statement;
    const span = { start: body.start, end, line: body.line, endLine };
    const head = { start: line.start, end: line.end, line: line.line, endLine: line.endLine };
    const probe = [{ at: body.start, text: 'hit(%); ' }];
    return [{ ...span, timing: 'body', kind: 'then', statement: at, introducedBy: [head], isExcluded: false, probe }];
  });
  const [first] = lines;
  const loadProbe = first === undefined ? null : [{ at: first.start, text: 'load(%); ' }];
  return { syntax: [], tokens: lines.flatMap(tokensOf), statements, arms, loadProbe };
}

function linesOf(text: string): readonly Line[] {
  let at = 0;
  return text.split('\n').flatMap((raw, index): readonly Line[] => {
    const code = raw.replace(/#.*/u, '').trimEnd();
    const depth = code.length - code.trimStart().length;
    const [start, end, line] = [at + depth, at + code.length, index + 1];
    at += raw.length + 1;
    return code.trim() === '' ? [] : [{ depth, words: code.trim().split(/ +/u), start, end, line, endLine: line }];
  });
}

function tokensOf({ depth, words, start, line }: Line): readonly Token[] {
  let at = start;
  return words.map((word, index): Token => {
    const token = {
      key: index === 0 ? `${depth} ${word}` : word,
      start: at,
      end: at + word.length,
      line,
      endLine: line,
    };
    at = token.end + 1;
    return token;
  });
}
