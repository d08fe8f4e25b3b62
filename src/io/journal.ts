/**
 * The write-ahead journal of one root: an append-only file of authenticated lines, durable before the step that it
 * announces. Empty whenever no write is under way. Only the holder of the root's lock may use it.
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { historyEventSchema } from './history-record.ts';
import { seal, unseal } from './seal.ts';
import { closeDescriptor, syncFolder, writeAll, writeNewFile } from './write-file.ts';

const APPEND = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;

const LINE_END = 0x0a;

const intentSchema = z.strictObject({
  id: z.string(),
  /** Real path of the root. */
  root: z.string(),
  /** Components from the root down to the folder of the target. */
  folder: z.array(z.string()).readonly(),
  folderInode: z.string(),
  name: z.string(),
  sha256Before: z.string(),
  sha256After: z.string(),
  /** Names beside the target, each Surepatch's own as long as this record stands. */
  backup: z.string(),
  temporary: z.string(),
  /** False when git holds the exact bytes, so that the backup goes once the write is settled. */
  keepBackup: z.boolean(),
  /** True when the write only stays if a test command passes: unsettled, it is rolled back. */
  tested: z.boolean(),
  /** What the history will hold of this write if it stays; recovery says it where the process did not live to. */
  event: historyEventSchema.optional(),
});

const entrySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('intent'), intent: intentSchema }),
  z.strictObject({ kind: z.literal('committed'), id: z.string() }),
  z.strictObject({ kind: z.literal('settled'), id: z.string() }),
]);

/** Everything that recovery needs to settle a write which its process did not live to settle. */
export type WriteIntent = z.infer<typeof intentSchema>;
type Entry = z.infer<typeof entrySchema>;

export interface PendingWrite {
  readonly intent: WriteIntent;
  readonly committed: boolean;
}

export interface Journal {
  /** Cuts off what a process was appending when it died: the step that it announces was not taken. */
  mend(): void;
  /** The writes that are not settled; null when a line is not ours (recovery then sets the file aside). */
  pending(): readonly PendingWrite[] | null;
  /** Returns once the entry is on disk; throws the system's error with the journal as it was before. */
  append(entry: Entry): void;
  /** Forgets a write that is settled; the file is empty again once no other is pending. */
  settle(id: string): void;
  /** Sets the records aside for a person to look at, starts empty, and returns the path of what was set aside. */
  quarantine(): string;
  close(): void;
}

/** Opens the journal in the state folder of a root; `key` authenticates its lines. */
export function openJournal(folder: string, key: Buffer): Journal {
  const path = join(folder, 'journal');
  const descriptor = openSync(path, APPEND, 0o600);
  try {
    if (fstatSync(descriptor).size === 0) syncFolder(folder);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  const append = (entry: Entry): void => {
    const length = fstatSync(descriptor).size;
    const line = Buffer.from(`${seal(entry, key)}\n`);
    try {
      writeAll(descriptor, line);
      fdatasyncSync(descriptor);
      if (fstatSync(descriptor).size !== length + line.byteLength) {
        throw Object.assign(new Error('the record is not what was written'), { code: 'EIO' });
      }
    } catch (error) {
      ftruncateSync(descriptor, length);
      throw error;
    }
  };
  return {
    mend: () => {
      const bytes = readWhole(descriptor);
      const length = bytes.lastIndexOf(LINE_END) + 1;
      if (length < bytes.byteLength) ftruncateSync(descriptor, length);
    },
    pending: () => readPending(readWhole(descriptor), key),
    append,
    settle: (id) => {
      const others = readPending(readWhole(descriptor), key)?.some((write) => write.intent.id !== id) ?? true;
      if (others) append({ kind: 'settled', id });
      else ftruncateSync(descriptor, 0);
    },
    quarantine: () => {
      const aside = `${path}.quarantined-${randomUUID()}`;
      writeNewFile(aside, [readWhole(descriptor)], null);
      syncFolder(folder);
      ftruncateSync(descriptor, 0);
      return aside;
    },
    close: () => {
      closeDescriptor(descriptor);
    },
  };
}

/** Reads what is pending without the root's lock and without creating anything; a line that is not ours counts for nothing. */
export function peekJournal(folder: string, key: Buffer): readonly PendingWrite[] {
  return readPending(readFileSync(join(folder, 'journal')), key) ?? [];
}

function readWhole(descriptor: number): Buffer {
  const bytes = Buffer.alloc(fstatSync(descriptor).size);
  let done = 0;
  for (let count = 1; count > 0 && done < bytes.byteLength; done += count) {
    count = readSync(descriptor, bytes, done, bytes.byteLength - done, done);
  }
  return bytes.subarray(0, done);
}

function readPending(bytes: Buffer, key: Buffer): readonly PendingWrite[] | null {
  const lines = bytes.toString('utf8').split('\n');
  // What follows the last line end is what `mend` cuts off.
  lines.pop();
  const pending = new Map<string, PendingWrite>();
  for (const line of lines) {
    const entry = entryOf(line, key);
    if (entry === null) return null;
    if (entry.kind === 'intent') {
      pending.set(entry.intent.id, { intent: entry.intent, committed: false });
      continue;
    }
    const write = pending.get(entry.id);
    if (write === undefined) return null;
    if (entry.kind === 'committed') pending.set(entry.id, { ...write, committed: true });
    else pending.delete(entry.id);
  }
  return [...pending.values()];
}

function entryOf(line: string, key: Buffer): Entry | null {
  const parsed = entrySchema.safeParse(unseal(line, key));
  return parsed.success ? parsed.data : null;
}
