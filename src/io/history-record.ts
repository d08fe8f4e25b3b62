/**
 * A record of the history as one line: JSON with its keys in one order, the last of them a keyed hash of all before it.
 * A line counts only if it is, byte for byte, the one line that its record is written as.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { HISTORY_KINDS, type HistoryEvent, type HistoryRecord } from '../model/history.ts';
import { REASON_CODES } from '../model/verdict.ts';

const event = {
  kind: z.enum(HISTORY_KINDS),
  id: z.string(),
  client: z.strictObject({ name: z.string(), version: z.string() }).nullable(),
  files: z
    .array(
      z.strictObject({
        path: z.string(),
        sha256Before: z.string().nullable(),
        sha256After: z.string().nullable(),
        preimage: z.strictObject({ blob: z.string().nullable(), backup: z.string().nullable() }).nullable(),
      }),
    )
    .readonly(),
  command: z.string().nullable(),
  verdict: z.enum(['SAFE', 'UNSAFE', 'UNPROVEN']).nullable(),
  reasonCode: z.enum(REASON_CODES).nullable(),
  outcome: z.string(),
  of: z.string().nullable(),
  patchSha256: z.string().nullable(),
  outputUri: z.string().nullable(),
  revision: z.strictObject({ epoch: z.string(), revision: z.number() }).nullable(),
};

/** Schema of what a use-case says; its keys in the order in which they are written. */
export const historyEventSchema = z.strictObject(event) satisfies z.ZodType<HistoryEvent>;

/** Leaves out what it does not know, so that a whole record loses its hash. */
const unhashed = z.object({ sequence: z.number(), atMs: z.number(), previous: z.string(), ...event });
const recordSchema = z.strictObject({ ...unhashed.shape, hash: z.string() }) satisfies z.ZodType<HistoryRecord>;

/** Adds the keyed hash, and puts the keys in order. */
export function hashed(record: Omit<HistoryRecord, 'hash'>, key: Buffer): HistoryRecord {
  const ordered = unhashed.parse(record);
  return { ...ordered, hash: createHmac('sha256', key).update(JSON.stringify(ordered)).digest('hex') };
}

/** The line of a record, its end included. */
export function lineOf(record: HistoryRecord): Buffer {
  return Buffer.from(`${JSON.stringify(record)}\n`);
}

/** The record of a line (without its end), or null where Surepatch did not write just this line. */
export function recordOf(line: Buffer, key: Buffer): HistoryRecord | null {
  const parsed = recordSchema.safeParse(valueOf(line.toString('utf8')));
  if (!parsed.success) return null;
  const own = lineOf(hashed(parsed.data, key)).subarray(0, -1);
  return own.length === line.length && timingSafeEqual(own, line) ? parsed.data : null;
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A line that is no JSON is not ours; that is the answer.
    return undefined;
  }
}
