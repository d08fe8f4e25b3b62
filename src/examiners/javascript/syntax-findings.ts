/** Makes findings of what a parser says. The key leaves out the place, so that an old error that moved is still the old one. */
import type { Finding } from '../../model/examination.ts';
import type { Places } from './places.ts';

export function syntaxFindings(
  path: string,
  text: string,
  errors: readonly { readonly message: string; readonly offset: number }[],
  places: Places,
): readonly Finding[] {
  const seen = new Map<string, number>();
  return errors.map(({ message, offset }) => {
    const line = places.lineAt(offset);
    const words = lineOf(text, offset).trim().replace(/\s+/g, ' ');
    const base = `syntax ${path}: ${message} in ${words}`;
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    return { file: path, line, message: sentence(message), key: count === 1 ? base : `${base} (${count})` };
  });
}

function sentence(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

function lineOf(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  return text.slice(start, end === -1 ? text.length : end);
}
