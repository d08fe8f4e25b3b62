import { expect, test } from 'vitest';
import { gate } from '../../../src/engine/command/gate.ts';

test('a text without anything special passes as it is, but for a number sign inside a word', () => {
  expect(gate("mvn test -Dtest=A#b 'c # d'")).toEqual({ ok: true, value: "mvn test -Dtest=A\\#b 'c # d'" });
});

const REFUSED: readonly (readonly [string, string, string])[] = [
  ['', 'empty', 'The command is empty.'],
  ['    ', 'only spaces', 'The command is empty.'],
  ['pytest; rm -rf x', 'a semicolon', 'has `;` in column 7, which a shell reads as a shell operator'],
  ['pytest && x', 'a conjunction', 'has `&` in column 8'],
  ['pytest || x', 'a disjunction', 'has `|` in column 8'],
  ['pytest | x', 'a pipe', 'has `|` in column 8'],
  ['pytest &', 'a background job', 'has `&` in column 8'],
  ['pytest > out', 'a redirection', 'has `>` in column 8, which a shell reads as a redirection'],
  ['pytest 2>&1', 'a redirected stream', 'has `>` in column 9'],
  ['pytest < in', 'an input', 'has `<` in column 8'],
  ['(pytest)', 'a subshell', 'has `(` in column 1'],
  ['pytest $HOME', 'a variable', 'has `$` in column 8, which a shell reads as an expansion'],
  ['pytest "$HOME"', 'a variable in double quotes', 'has `$` in column 9'],
  ['pytest $(x)', 'a substitution', 'has `$` in column 8'],
  ['pytest `x`', 'backticks', 'has `\x60` in column 8, which a shell reads as a command substitution'],
  ['pytest "`x`"', 'backticks in double quotes', 'has `\x60` in column 9'],
  ['pytest "\\`x"', 'an escaped backtick in double quotes', 'a backslash before `\x60` in column 10'],
  [`pytest $'a'`, 'ANSI-C quoting', 'has `$` in column 8'],
  ['pytest *.py', 'a star', 'has `*` in column 8, which a shell reads as a glob'],
  ['pytest a?.py', 'a question mark', 'has `?` in column 9'],
  ['pytest [ab].py', 'a bracket', 'has `[` in column 8'],
  ['pytest {a,b}.py', 'braces', 'has `{` in column 8, which a shell reads as a brace expansion'],
  ['pytest ~/x', 'a home folder', 'has `~` in column 8'],
  ['pytest --rootdir=~/x', 'a home folder after =', 'has `~` in column 18'],
  ['! pytest', 'a negation', 'has `!` in column 1'],
  ['pytest # all', 'a comment', 'has `#` in column 8, which a shell reads as a comment'],
  [`pytest 'a`, 'an open single quote', "The quote ' in column 8 is never closed."],
  ['pytest "a', 'an open double quote', 'The quote " in column 8 is never closed.'],
  ['pytest a\\', 'a trailing backslash', 'a backslash before `the end` in column 9'],
  ['pytest tests\\test_a.py', 'a Windows path', 'a backslash before `t` in column 14'],
  ['pytest\nrm x', 'a newline', 'has U+000A in column 7, white space other than a plain space'],
  ['pytest\r', 'a carriage return', 'has U+000D in column 7'],
  ['pytest\t-q', 'a tab', 'has U+0009 in column 7'],
  ['pytest\u00a0-q', 'a no-break space', 'has U+00A0 in column 7'],
  ['pytest\u2028x', 'a line separator', 'has U+2028 in column 7'],
  ['pytest \u0000', 'a null character', 'has U+0000 in column 8, a character that cannot be seen'],
  ['pytest \u001b[2J', 'an escape character', 'has U+001B in column 8'],
  [`pytest 'a\nb'`, 'a newline in quotes', 'has U+000A in column 10'],
  ['pytest \u202ex', 'a direction override', 'has U+202E in column 8'],
  ['py\u200btest', 'a zero-width space', 'has U+200B in column 3'],
  ['pytest \ud800', 'a lone surrogate', 'has U+D800 in column 8'],
  [`pytest ${'x'.repeat(4090)}`, 'over 4 KiB', 'The command is 4097 bytes long; 4096 is the limit.'],
];

test.each(REFUSED)('%j is refused for %s', (text, _name, message) => {
  const refused = gate(text);
  expect(refused).toMatchObject({ ok: false, failure: { code: 'COMMAND_UNPARSABLE' } });
  expect(refused.ok ? '' : refused.failure.message).toContain(message);
  expect(refused.ok ? '' : refused.failure.hint).not.toBe('');
});
