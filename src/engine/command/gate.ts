/**
 * The gate before the splitter: refuses every character that a shell would interpret, so that what is split is what
 * is run. Reads the text once and never changes what a word means.
 */
import { failure } from '../../model/failure.ts';
import { fail, ok, type Result } from '../../model/result.ts';

const LIMIT_BYTES = 4096;
const PLAIN_SPACE = ' ';
const QUOTE_IT = 'Put the word in single quotes if the character is meant as it is, or leave it out.';
const ONE_COMMAND = 'Send one plain command; run further commands in further calls.';
const NO_SHELL =
  'No shell runs the command, so nothing is expanded: write the value itself, or put it in single quotes.';

const SPECIAL = new Map<string, { readonly what: string; readonly hint: string }>([
  ...['|', '&', ';'].map((character) => [character, { what: 'a shell operator', hint: ONE_COMMAND }] as const),
  ...['<', '>'].map((character) => [character, { what: 'a redirection', hint: ONE_COMMAND }] as const),
  ...['(', ')'].map((character) => [character, { what: 'a shell operator', hint: QUOTE_IT }] as const),
  ...['*', '?', '['].map((character) => [character, { what: 'a glob', hint: QUOTE_IT }] as const),
  ...['{', '}'].map((character) => [character, { what: 'a brace expansion', hint: QUOTE_IT }] as const),
  ['!', { what: 'a negation or history expansion', hint: QUOTE_IT }],
  ['$', { what: 'an expansion', hint: NO_SHELL }],
  ['`', { what: 'a command substitution', hint: NO_SHELL }],
  ['~', { what: 'a home folder expansion', hint: NO_SHELL }],
  ['#', { what: 'a comment', hint: QUOTE_IT }],
]);
/** What a backslash may stand before; before a letter it is more likely a Windows path. */
const ESCAPABLE = new Set(' \'"\\|&;<>()*?[]{}$`~#!=:,@^%+');
const INVISIBLE = /^[\p{Cc}\p{Cf}\p{Cs}\p{Z}]$/u;

/**
 * Returns the text for the splitter: the same, with a `#` inside a word escaped, because only at the start of a word does
 * a shell begin a comment. Fails with `COMMAND_UNPARSABLE`, naming the character and its column (from 1).
 */
export function gate(text: string): Result<string> {
  const bytes = Buffer.byteLength(text);
  if (bytes > LIMIT_BYTES) {
    return refuse(`The command is ${bytes} bytes long; ${LIMIT_BYTES} is the limit.`, 'Name fewer tests.');
  }
  let safe = '';
  let word = '';
  let quote: { readonly mark: string; readonly column: number } | null = null;
  let escaped = false;
  let column = 0;
  for (const character of text) {
    column += 1;
    if (character !== PLAIN_SPACE && INVISIBLE.test(character)) return refuseInvisible(character, column);
    if (escaped) {
      escaped = false;
      const isLiteral = quote !== null && character !== '`';
      if (!isLiteral && (quote !== null || !ESCAPABLE.has(character))) return refuseEscape(character, column);
    } else if (quote?.mark === "'") {
      if (character === "'") quote = null;
    } else if (character === '\\') {
      escaped = true;
    } else if (quote !== null) {
      if (character === '"') quote = null;
      else if (character === '$' || character === '`') return refuseSpecial(character, column);
    } else if (character === "'" || character === '"') {
      quote = { mark: character, column };
    } else if (character === PLAIN_SPACE) {
      safe += character;
      word = '';
      continue;
    } else if (isSpecialHere(character, word)) {
      return refuseSpecial(character, column);
    } else if (character === '#') {
      safe += '\\';
    }
    safe += character;
    word += character;
  }
  if (escaped) return refuseEscape('the end', column);
  if (quote !== null) {
    return refuse(`The quote ${quote.mark} in column ${quote.column} is never closed.`, 'Close the quote.');
  }
  if (safe.trim() === '') return refuse('The command is empty.', 'Name a test command, or leave it out.');
  return ok(safe);
}

function isSpecialHere(character: string, word: string): boolean {
  if (character === '~') return word === '' || word.endsWith('=') || word.endsWith(':');
  if (character === '#') return word === '';
  // A parametrised test (`a.py::test_b[1]`) is written like this everywhere and can hardly name a file.
  if (character === '[') return !word.includes('::');
  return SPECIAL.has(character);
}

function refuseSpecial(character: string, column: number): Result<never> {
  const special = SPECIAL.get(character);
  return refuse(
    `The command has \`${character}\` in column ${column}, which a shell reads as ${special?.what ?? 'special'}.`,
    special?.hint ?? QUOTE_IT,
  );
}

function refuseInvisible(character: string, column: number): Result<never> {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const what = /\s/u.test(character) ? 'white space other than a plain space' : 'a character that cannot be seen';
  return refuse(
    `The command has U+${code} in column ${column}, ${what}.`,
    'Use plain spaces, on one line, and no control characters.',
  );
}

function refuseEscape(character: string, column: number): Result<never> {
  return refuse(
    `The command has a backslash before \`${character}\` in column ${column}, where it would disappear.`,
    'Write paths with `/`, and put a word that needs a backslash in single quotes.',
  );
}

function refuse(message: string, hint: string): Result<never> {
  return fail(failure('COMMAND_UNPARSABLE', message, { hint }));
}
