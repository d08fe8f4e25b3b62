/** Says in text where a diff does not fit, for every report that can refuse one. */
import type { HunkConflict } from '../model/hunk-conflict.ts';

/** Longest note and longest diff of a text, in characters. */
export const NOTE_CHARACTERS = 300;
export const DIFF_CHARACTERS = 2500;
const MAX_CONFLICTS = 10;

interface Misfit {
  readonly error?: string | null | undefined;
  readonly conflicts?: readonly HunkConflict[] | undefined;
  readonly suggested_diff?: string | undefined;
}

/** The conflicts in their places, then the diff that would fit; empty where there is neither. */
export function misfitTexts(report: Misfit): string[] {
  const { suggested_diff: suggested } = report;
  const offered =
    suggested === undefined ? [] : ['The patch with headers that fit:', clipped(suggested, DIFF_CHARACTERS)];
  return [...conflictTexts(report), ...offered];
}

function conflictTexts({ conflicts: all = [], error }: Misfit): string[] {
  return capped(all, MAX_CONFLICTS, (conflict: HunkConflict) => {
    const at = conflict.file_line === undefined ? '' : `, line ${conflict.file_line} of the file`;
    // The headline has said it when it is the only one.
    const message = error?.includes(conflict.message) === true ? '' : `: ${conflict.message}`;
    return [
      `Hunk ${conflict.hunk} [${conflict.code}]${at}${message}`,
      ...(conflict.expected === undefined ? [] : [`  expected: ${conflict.expected}`]),
      ...(conflict.actual === undefined ? [] : [`  found:    ${conflict.actual}`]),
      ...(conflict.suggested_header === undefined ? [] : [`  header that fits: ${conflict.suggested_header}`]),
      ...(conflict.hint === undefined ? [] : [`  ${conflict.hint}`]),
      ...(conflict.excerpt === undefined ? [] : [clipped(conflict.excerpt, 2 * NOTE_CHARACTERS)]),
    ].join('\n');
  });
}

/** The first items as text, and how many were left out. */
export function capped<Item>(items: readonly Item[], most: number, line: (item: Item) => string): string[] {
  const rest = items.length - most;
  return [...items.slice(0, most).map(line), ...(rest > 0 ? [`[${rest} of ${items.length} more left out]`] : [])];
}

/** The start of a text, and how much of it was left out. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most - 40);
  return `${kept}\n[${text.length - kept.length} characters left out]`;
}
