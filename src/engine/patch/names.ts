/** File names as diff headers write them: quoted in C's way or plain, with a time stamp after a tab. */

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };
const QUOTED = /^"((?:[^"\\]|\\.)*)"/s;

/** The name in a `---` or `+++` line, given without its first four characters; undefined when there is none. */
export function headerName(text: string): string | undefined {
  const quoted = QUOTED.exec(text);
  const name = quoted === null ? (text.split('\t', 1)[0] ?? '') : unquote(quoted[1] ?? '');
  return name.trim() === '' ? undefined : name;
}

/** The names in a `diff --git` line, given without its beginning; none when it cannot be split in one way only. */
export function gitLineNames(text: string): readonly string[] {
  const first = QUOTED.exec(text);
  if (first !== null) {
    const second = headerName(text.slice(first[0].length + 1));
    return [unquote(first[1] ?? ''), ...(second === undefined ? [] : [second])];
  }
  const middle = (text.length - 1) / 2;
  const [left, right] = [text.slice(0, middle), text.slice(middle + 1)];
  const same =
    Number.isInteger(middle) && text[middle] === ' ' && left.replace(/^\w\//, '') === right.replace(/^\w\//, '');
  return same ? [left, right] : [];
}

/** Undoes C quoting; octal escapes are bytes of UTF-8. */
function unquote(text: string): string {
  const bytes = [...text.matchAll(/\\([0-3][0-7]{2})|\\(.)|([^\\]+)/gsu)].flatMap(([, octal, letter, plain]) => {
    if (octal !== undefined) return [Number.parseInt(octal, 8)];
    if (letter !== undefined) return [...(letter in ESCAPES ? [ESCAPES[letter] ?? 0] : Buffer.from(`\\${letter}`))];
    return [...Buffer.from(plain ?? '')];
  });
  return Buffer.from(bytes).toString('utf8');
}
