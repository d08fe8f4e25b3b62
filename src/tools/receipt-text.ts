/** A receipt as text that stands alone: the floor first, then what was recorded, then what is not as it was believed. */
import type { PathState, ReceiptAnswer } from '../model/receipt.ts';

const MOST_LINES = 20;
const MOST_CHARACTERS = 200;

/** Writes the text of a receipt, or of the reason why there is none. */
export function receiptText(report: ReceiptAnswer): string {
  if (report.error !== undefined) {
    return [`Not recorded [${report.error_code ?? ''}]: ${report.error}`, `Next: ${report.hint ?? ''}`].join('\n');
  }
  const { epoch = '', min_revision: floor = 0, paths = [], mismatches = [], freshness } = report;
  const states = report.path_states ?? [];
  const shown = states.slice(0, MOST_LINES).map((state) => `  ${shownPath(state.path)}: ${wordsOf(state)}`);
  const more = paths.length > shown.length ? [`  and ${paths.length - shown.length} more`] : [];
  const differing = mismatches.slice(0, MOST_LINES).map(({ path, expected, found }) => {
    return `  ${shownPath(path)}: expected ${expected ?? 'nothing'}, found ${wordsOf(found)}`;
  });
  const note = freshness?.watcher_note ?? null;
  return [
    `Recorded as revision ${floor} of epoch ${epoch}. Nothing is verified by that.`,
    `Next: pass min_revision ${floor}, epoch and these paths to what verifies saved files.`,
    `Paths (${paths.length}):`,
    ...shown,
    ...more,
    ...(mismatches.length === 0 ? [] : [`Not as expected (${mismatches.length}), save again and record again:`]),
    ...differing,
    ...(note === null ? [] : [`Watcher: ${note}`]),
  ].join('\n');
}

function wordsOf({ kind, sha256 }: PathState): string {
  return sha256 === undefined ? kind : `${kind} ${sha256}`;
}

/** Names may hold line ends and other signs that would read as text of ours. */
function shownPath(path: string): string {
  const plain = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}"]*$/u.test(path) ? path : JSON.stringify(path);
  return plain.length > MOST_CHARACTERS ? `${plain.slice(0, MOST_CHARACTERS)}…` : plain;
}
