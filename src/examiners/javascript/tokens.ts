/**
 * Cuts a text into words. A word is marked where a statement begins, because there a line end can have a meaning:
 * `return x` and `return` above `x` are the same words and not the same program. The sole owner of js-tokens.
 */
import jsTokens from 'js-tokens';
import type { Token } from '../../model/examination.ts';
import type { Places } from './places.ts';

const BLANK = ['WhiteSpace', 'LineTerminatorSequence', 'SingleLineComment', 'MultiLineComment', 'HashbangComment'];

/** Comments that tools obey, so that they are a part of the program. */
const OBEYED = /@jsx|@(?:jest|vitest)-environment|@jest-config/;

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The comments are the parser's: where the two readings of the text differ, every stretch without blanks is a word. */
export function tokensOf(
  text: string,
  comments: readonly Stretch[],
  statementStarts: ReadonlySet<number>,
  places: Places,
): readonly Token[] {
  const { words, commentStarts } = readWords(text);
  const agrees = comments.every(({ start }) => commentStarts.has(start)) && commentStarts.size === comments.length;
  const obeyed = comments.filter(({ start, end }) => OBEYED.test(text.slice(start, end)));
  const found = agrees ? words : readStretches(text, comments);
  return [...found, ...obeyed]
    .sort((left, right) => left.start - right.start)
    .map(({ start, end }) => ({
      ...places.span(start, end),
      key: `${statementStarts.has(start) ? '\n' : ''}${text.slice(start, end)}`,
    }));
}

function readWords(text: string): { words: readonly Stretch[]; commentStarts: ReadonlySet<number> } {
  const words: Stretch[] = [];
  const commentStarts = new Set<number>();
  let start = 0;
  for (const { type, value } of jsTokens(text, { jsx: true })) {
    const end = start + value.length;
    if (type === 'SingleLineComment' || type === 'MultiLineComment') commentStarts.add(start);
    else if (!BLANK.includes(type) && value !== '\uFEFF') words.push({ start, end });
    start = end;
  }
  return { words, commentStarts };
}

function readStretches(text: string, comments: readonly Stretch[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  const read = (from: number, to: number): void => {
    for (const { index, 0: word } of text.slice(from, to).matchAll(/\S+/g)) {
      stretches.push({ start: from + index, end: from + index + word.length });
    }
  };
  let at = 0;
  for (const { start, end } of comments) {
    read(at, start);
    at = end;
  }
  read(at, text.length);
  return stretches;
}
