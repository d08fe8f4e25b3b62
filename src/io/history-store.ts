/**
 * The history of one root: an append-only file of records, each chained to the one before it by a keyed hash. Appended to
 * only by the holder of the history's lock; read by anybody. Nothing in it is ever removed or mended: what somebody did
 * to it stays visible, and new records go on from where it was.
 */
import { closeSync, constants, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { History, HistoryEvent, HistoryRecord } from '../model/history.ts';
import { readHead, removeUnfinishedHead, writeHead, type HistoryHead } from './history-head.ts';
import { hashed, lineOf } from './history-record.ts';
import { scanHistory } from './history-scan.ts';
import { bytesIfThere, textIfThere } from './kept-files.ts';
import { syncFolder, writeAll, writeNewFile } from './write-file.ts';

const APPEND = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
const LINE_END = 0x0a;
const NO_HASH = '0'.repeat(64);

export interface HistoryStore {
  /** Returns once the record is on disk; throws the system's error with the history as it was before. */
  append(event: HistoryEvent, atMs: number): HistoryRecord;
  read(): History;
  /** Removes what a process left that died while it wrote the head. */
  tidy(): void;
}

/** Opens the history in the state folder of a root; creates nothing before the first record. */
export function openHistory(folder: string, key: Buffer): HistoryStore {
  const path = join(folder, 'history.jsonl');
  // Says that there was a first record, so that a history is missed that was removed together with its head.
  const begun = join(folder, 'history.begun');
  const isMissed = (head: HistoryHead | null, bytes: number): boolean =>
    head === null && bytes === 0 && textIfThere(begun) !== null;
  return {
    append: (event, atMs) => {
      const descriptor = openSync(path, APPEND, 0o600);
      try {
        const head = readHead(folder, key);
        const end = mendEnd(descriptor, head, key);
        const isHeadLost = end.isHeadLost || isMissed(head, end.bytes);
        const record = hashed({ sequence: end.count + 1, atMs, previous: end.hash, ...event }, key);
        const line = Buffer.concat([end.needsLineEnd ? Buffer.of(LINE_END) : Buffer.alloc(0), lineOf(record)]);
        try {
          writeAll(descriptor, line);
          fdatasyncSync(descriptor);
          if (end.bytes === 0) syncFolder(folder);
          const bytes = end.bytes + line.byteLength;
          const lostBefore = isHeadLost ? [...end.lostBefore, record.sequence] : end.lostBefore;
          writeHead(folder, { count: record.sequence, hash: record.hash, bytes, lostBefore }, key);
          if (textIfThere(begun) === null) writeNewFile(begun, [], null);
        } catch (error) {
          ftruncateSync(descriptor, end.bytes);
          throw error;
        }
        return record;
      } finally {
        closeSync(descriptor);
      }
    },
    read: () => {
      // In this order: a record that is appended meanwhile is one that the head does not know yet.
      const head = readHead(folder, key);
      const bytes = bytesIfThere(path) ?? Buffer.alloc(0);
      if (isMissed(head, bytes.length)) return { records: [], problems: [{ kind: 'missing', from: 1, to: 1 }] };
      const { records, problems } = scanHistory(bytes, head, key);
      return { records, problems };
    },
    tidy: () => {
      removeUnfinishedHead(folder);
    },
  };
}

interface HistoryEnd {
  readonly count: number;
  readonly hash: string;
  readonly bytes: number;
  readonly lostBefore: readonly number[];
  readonly isHeadLost: boolean;
  /** Somebody took the end of the last line away; the next one must not be joined to it. */
  readonly needsLineEnd: boolean;
}

/** Finds where the next record goes. Cuts off only what a process was writing when it died. */
function mendEnd(descriptor: number, head: HistoryHead | null, key: Buffer): HistoryEnd {
  const { size } = fstatSync(descriptor);
  if (head !== null && head.bytes === size) {
    return { ...head, isHeadLost: false, needsLineEnd: lastByte(descriptor, size) !== LINE_END };
  }
  const content = readWhole(descriptor, size);
  const { records, tornAt } = scanHistory(content, head, key);
  if (tornAt !== null) ftruncateSync(descriptor, tornAt);
  const bytes = tornAt ?? size;
  const start = { count: 0, hash: NO_HASH };
  const last = records.reduce(
    (latest, { sequence, hash }) => (sequence > latest.count ? { count: sequence, hash } : latest),
    head ?? start,
  );
  const isHeadLost = head === null && bytes > 0;
  const needsLineEnd = bytes > 0 && content[bytes - 1] !== LINE_END;
  return { count: last.count, hash: last.hash, bytes, lostBefore: head?.lostBefore ?? [], isHeadLost, needsLineEnd };
}

function lastByte(descriptor: number, size: number): number | undefined {
  if (size === 0) return LINE_END;
  return readWhole(descriptor, 1, size - 1)[0];
}

function readWhole(descriptor: number, length: number, from = 0): Buffer {
  const bytes = Buffer.alloc(length);
  let done = 0;
  for (let count = 1; count > 0 && done < length; done += count) {
    count = readSync(descriptor, bytes, done, length - done, from + done);
  }
  return bytes.subarray(0, done);
}
