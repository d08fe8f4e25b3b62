/** JSON, of which only the syntax is judged. A file that its tools read with comments may have comments. */
import type { SourceAnalysis } from '../../model/examination.ts';
import type { Places } from './places.ts';
import { syntaxFindings } from './syntax-findings.ts';
import { parse } from './syntax-tree.ts';
import { tokensOf } from './tokens.ts';

const WITH_COMMENTS =
  /\.jsonc$|(?:^|\/)(?:[tj]sconfig[^/]*|\.[^/]*rc|api-extractor|devcontainer|settings|launch|tasks)\.json$/i;

/** The whole document is one statement that runs whenever something reads it, which no probe can see. */
export function analyseJson(path: string, text: string, places: Places): SourceAnalysis {
  const { error, comments } = WITH_COMMENTS.test(path) ? readLenient(text) : { error: strictError(text), comments: [] };
  const syntax = error === null ? [] : syntaxFindings(path, text, [error], places);
  if (error !== null) return { syntax, tokens: [], statements: [], arms: [], loadProbe: null };
  const tokens = tokensOf(text, comments, new Set(), places);
  const [first, last] = [tokens[0], tokens.at(-1)];
  const span = places.span(first?.start ?? 0, last?.end ?? 0);
  const data = { ...span, timing: 'definition', kind: 'data', headerEnd: span.end } as const;
  const statements = [{ ...data, isExcluded: false, isInert: false, probe: null }];
  return { syntax, tokens, statements: tokens.length === 0 ? [] : statements, arms: [], loadProbe: null };
}

interface Trouble {
  readonly message: string;
  readonly offset: number;
}

function strictError(text: string): Trouble | null {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ' '));
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : 'This is not JSON';
    const place = /\bposition (\d+)/.exec(message)?.[1];
    const offset = place === undefined ? text.length : Number(place);
    return { message: message.replace(/,? *(?:"[^]*" is not valid JSON|(?:in JSON )?at position.*)$/, ''), offset };
  }
}

interface Reading {
  readonly error: Trouble | null;
  readonly comments: readonly { readonly start: number; readonly end: number }[];
}

/** Read as an expression of the language, between brackets: every offset is one too far. */
function readLenient(text: string): Reading {
  if (/^[\s\uFEFF]*$/.test(text)) return { error: null, comments: [] };
  const { errors, comments } = parse('data.js', `(${text.replace(/^\uFEFF/, ' ')}\n)`);
  const [error] = errors;
  return {
    error: error === undefined ? null : { ...error, offset: Math.min(Math.max(error.offset - 1, 0), text.length) },
    comments: comments.map(({ start, end }) => ({ start: start - 1, end: end - 1 })),
  };
}
