/** surepatch history: what is remembered of the changes in a root, and whether somebody changed that. */
import type { History, HistoryProblem, HistoryRecord } from '../model/history.ts';
import type { Result } from '../model/result.ts';
import { readHistory } from '../usecases/history.ts';
import { NO_OPTIONS, open } from './open.ts';
import type { Surroundings } from './surroundings.ts';

export interface HistoryOptions {
  readonly root?: string;
  readonly file?: string;
  readonly json?: boolean;
}

const WHOLE = 0;
const TAMPERED = 1;
const REFUSED = 2;

/** Prints the records, oldest first; `isVerifying` prints only what is wrong with them and exits with 1 if anything is. */
export function historyCommand(surroundings: Surroundings, options: HistoryOptions, isVerifying: boolean): number {
  const roots = options.root === undefined ? [] : [options.root];
  const opened = open(surroundings, { ...NO_OPTIONS, roots });
  const read: Result<History> = opened.ok ? readHistory(opened.value, { filePath: options.file }) : opened;
  if (!read.ok) {
    surroundings.stderr.write(`${read.failure.message} ${read.failure.hint}\n`);
    return REFUSED;
  }
  const { records, problems } = read.value;
  if (options.json === true) {
    const shown = isVerifying ? { whole: problems.length === 0, record_count: records.length, problems } : read.value;
    surroundings.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
  } else {
    const lines = isVerifying ? [] : records.map(lineOf);
    const verdict = `The history is whole: ${records.length} ${records.length === 1 ? 'record' : 'records'}.`;
    if (problems.length === 0 && isVerifying) lines.push(verdict);
    surroundings.stdout.write([...lines, ...problems.map(sentenceOf)].map((line) => `${line}\n`).join(''));
  }
  return isVerifying && problems.length > 0 ? TAMPERED : WHOLE;
}

function lineOf({ sequence, atMs, kind, id, outcome, of, files, client }: HistoryRecord): string {
  const what = of === null || of === id ? kind : `${kind} of ${of}`;
  const who = client === null ? '' : ` by ${client.name} ${client.version}`;
  const paths = files.map(({ path }) => JSON.stringify(path).slice(1, -1)).join(', ');
  return `${sequence} ${new Date(atMs).toISOString()} ${what} ${id} ${outcome}: ${paths}${printable(who)}`;
}

/** A client names itself, and a terminal obeys what it prints. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?');
}

function sentenceOf({ kind, from, to }: HistoryProblem): string {
  const which = from === to ? `Record ${from}` : `Records ${from} to ${to}`;
  switch (kind) {
    case 'altered':
      return `${which}: altered since Surepatch wrote ${from === to ? 'it' : 'them'}.`;
    case 'missing':
      return `${which}: removed or cut off.`;
    case 'misplaced':
      return `${which}: not where Surepatch wrote ${from === to ? 'it' : 'them'}.`;
    case 'inserted':
      return `Before record ${from}: something that Surepatch did not write.`;
    case 'unsealed':
      return `${which}: what says how far they reach was altered or removed, so records after them may have been cut off.`;
  }
}
