/** How far a history reaches, sealed beside it, so that a tail that was cut off is missed. Replaced whole, never edited. */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { textIfThere } from './kept-files.ts';
import { seal, unseal } from './seal.ts';
import { writeNewFile } from './write-file.ts';

const schema = z.strictObject({
  /** Number of records. */
  count: z.number(),
  /** Hash of the last one. */
  hash: z.string(),
  /** Length of the history up to its end. */
  bytes: z.number(),
  /** The records that were written when no head could be read: what stood before them may have been cut. */
  lostBefore: z.array(z.number()).readonly(),
});

export type HistoryHead = z.infer<typeof schema>;

/** Null where there is none, or where what is there is not, byte for byte, what Surepatch wrote. */
export function readHead(folder: string, key: Buffer): HistoryHead | null {
  const text = textIfThere(join(folder, 'history.head'));
  if (text === null) return null;
  const parsed = schema.safeParse(unseal(text, key));
  // The code of a seal is read in either letter case, and is written in one.
  return parsed.success && seal(parsed.data, key) === text ? parsed.data : null;
}

/**
 * Makes the head durable by itself; only its name may still be the older one after a power loss, and a head that
 * is behind is no harm: records prove themselves.
 */
export function writeHead(folder: string, head: HistoryHead, key: Buffer): void {
  removeUnfinishedHead(folder);
  writeNewFile(unfinished(folder), [Buffer.from(seal(head, key))], null);
  renameSync(unfinished(folder), join(folder, 'history.head'));
}

/** Removes a head that its process did not live to put in its place. */
export function removeUnfinishedHead(folder: string): void {
  rmSync(unfinished(folder), { force: true });
}

function unfinished(folder: string): string {
  return join(folder, 'history.head.tmp');
}
