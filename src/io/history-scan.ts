/**
 * Reads a history line by line and says what is wrong with it. Each record proves itself and names its number and the
 * one before it, so the records that are as they were written can be used whatever happened to the others.
 */
import type { HistoryProblem, HistoryRecord } from '../model/history.ts';
import type { HistoryHead } from './history-head.ts';
import { recordOf } from './history-record.ts';

const LINE_END = 0x0a;

export interface HistoryScan {
  readonly records: readonly HistoryRecord[];
  readonly problems: readonly HistoryProblem[];
  /** Where a line begins that a process was writing when it died; null where there is none. */
  readonly tornAt: number | null;
}

/** Holds the bytes of a history against its head; a head of null is one that is missing or not ours. */
export function scanHistory(bytes: Buffer, head: HistoryHead | null, key: Buffer): HistoryScan {
  const records: HistoryRecord[] = [];
  const problems: HistoryProblem[] = [];
  let highest: HistoryRecord | null = null;
  let strange = 0;
  let at = 0;
  for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, at)) {
    const record = recordOf(bytes.subarray(at, end), key);
    at = end + 1;
    if (record === null) {
      strange += 1;
      continue;
    }
    records.push(record);
    const problem = problemBefore(record, highest, strange);
    if (problem !== null) problems.push(problem);
    strange = 0;
    if (record.sequence > (highest?.sequence ?? 0)) highest = record;
  }
  // What follows the last line end is torn only where the head does not reach: the head is written after the line.
  const isTorn = at < bytes.length && (head?.bytes ?? 0) <= at;
  if (at < bytes.length && !isTorn) strange += 1;
  problems.push(...problemsAtEnd(records, head, highest?.sequence ?? 0, strange, bytes.length));
  return { records, problems, tornAt: isTorn ? at : null };
}

function problemBefore(record: HistoryRecord, highest: HistoryRecord | null, strange: number): HistoryProblem | null {
  const { sequence, previous } = record;
  const reached = highest?.sequence ?? 0;
  if (sequence <= reached) return { kind: 'misplaced', from: sequence, to: sequence };
  if (sequence > reached + 1) {
    return { kind: strange > 0 ? 'altered' : 'missing', from: reached + 1, to: sequence - 1 };
  }
  if (strange > 0) return { kind: 'inserted', from: sequence, to: sequence };
  // Both are ours, but not of one history: somebody put an older one back and it went on from there.
  const isNext = highest === null || highest.hash === previous;
  return isNext ? null : { kind: 'misplaced', from: sequence, to: sequence };
}

function problemsAtEnd(
  records: readonly HistoryRecord[],
  head: HistoryHead | null,
  reached: number,
  strange: number,
  length: number,
): readonly HistoryProblem[] {
  const problems: HistoryProblem[] = [];
  const last = Math.max(head?.count ?? 0, reached);
  if (last > reached) problems.push({ kind: strange > 0 ? 'altered' : 'missing', from: reached + 1, to: last });
  else if (strange > 0) problems.push({ kind: 'inserted', from: reached + 1, to: reached + 1 });
  if (head === null)
    return length === 0 ? problems : [...problems, { kind: 'unsealed', from: 1, to: Math.max(1, reached) }];
  const sealed = records.find(({ sequence }) => sequence === head.count);
  if (sealed !== undefined && sealed.hash !== head.hash) {
    problems.push({ kind: 'misplaced', from: head.count, to: head.count });
  }
  return [
    ...problems,
    ...head.lostBefore.map((sequence) => ({ kind: 'unsealed' as const, from: 1, to: Math.max(1, sequence - 1) })),
  ];
}
