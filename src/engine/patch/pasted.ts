/** Recognises what was pasted into a patch from a listing or left out of it by an author in a hurry. */

const LEFT_OUT = /\b(?:existing|rest|unchanged|remaining|omitted|same|previous|other|more|code|lines?)\b/i;
const COMMENT_OPEN = /^(?:\/\/|#|--|;|%|\/\*|<!--|\{\/\*)\s*/;
const COMMENT_CLOSE = /\s*(?:\*\/\}?|-->)$/;
// `12: text`, `12| text`, `12:text`, and `cat -n` with a tab.
const LINE_NUMBER = /^\s*\d{1,9}(?:\s?[:|]\s?|\t| → ?|→)/u;
const LOOK_AT = 300;

/** Tells whether a line stands for lines left out: `...`, `... rest unchanged ...`, `// ... existing code ...`. */
export function isPlaceholder(line: string): boolean {
  return line.trim() !== '' && ellipsisText(line) !== undefined && (ellipsisText(line) === '' || saysLeftOut(line));
}

/** Tells whether a line says in words that something is left out; a bare `...` can be code. */
function saysLeftOut(line: string): boolean {
  return LEFT_OUT.test(ellipsisText(line) ?? '');
}

/** The line without the line number that a listing put before it; undefined when there is none. */
export function withoutLineNumber(line: string): string | undefined {
  const match = LINE_NUMBER.exec(line.slice(0, LOOK_AT));
  return match === null ? undefined : line.slice(match[0].length);
}

/** What stands between the dots, or after them; undefined when the line does not begin with an ellipsis. */
function ellipsisText(line: string): string | undefined {
  if (line.length > LOOK_AT) return undefined;
  const text = line.trim().replace(COMMENT_OPEN, '').replace(COMMENT_CLOSE, '');
  const match = /^[[(]?(?:\.{3}|…)(.*)$/u.exec(text);
  return match?.[1]?.replace(/(?:\.{3}|…)?[\])]?$/u, '').trim();
}
