/**
 * The verifications of one root that may still be written: a sealed file each in the state folder, for an hour, to be
 * taken once. Taking one is a rename, so that of two processes only one gets it.
 */
import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { VERIFICATION_LIFE_MS, type VerificationRecord } from '../model/verification.ts';
import { errnoOf } from './disk-error.ts';
import { textIfThere, thinOut } from './kept-files.ts';
import { seal, unseal } from './seal.ts';
import { syncFolder, writeNewFile } from './write-file.ts';

const ID = /^[0-9a-f]{32}$/u;
const USED = '.used';
const MOST_RECORDS = 1_000;

const schema = z.strictObject({
  id: z.string(),
  createdMs: z.number(),
  root: z.string(),
  files: z
    .array(
      z.strictObject({ path: z.string(), sha256Before: z.string().nullable(), sha256After: z.string() }).readonly(),
    )
    .readonly(),
  treeDigest: z.string(),
  head: z.string().nullable(),
  command: z.string().nullable(),
  verdict: z.enum(['SAFE', 'UNSAFE', 'UNPROVEN']),
}) satisfies z.ZodType<VerificationRecord>;

export type Found =
  { readonly state: 'ready'; readonly record: VerificationRecord } | { readonly state: 'used' | 'unknown' };

export interface VerificationStore {
  add(record: VerificationRecord): void;
  /** `unknown` covers what never was, what is too old, and what somebody else put there. */
  find(id: string, nowMs: number): Found;
  /** True for the one caller that gets it. */
  take(id: string): boolean;
  /** For a write that did not happen after all. */
  giveBack(id: string): void;
}

/** Opens (creates) the folder below the state folder of a root. */
export function openVerifications(rootFolder: string, key: Buffer): VerificationStore {
  const folder = join(rootFolder, 'verifications');
  const pathOf = (id: string): string => join(folder, id);
  return {
    add: (record) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // A used one is told from an unknown one for as long again.
      thinOut(folder, MOST_RECORDS, 2 * VERIFICATION_LIFE_MS, record.createdMs);
      writeNewFile(pathOf(record.id), [Buffer.from(seal(record, key))], null);
      syncFolder(folder);
    },
    find: (id, nowMs) => {
      if (!ID.test(id)) return { state: 'unknown' };
      if (statSync(pathOf(id) + USED, { throwIfNoEntry: false }) !== undefined) return { state: 'used' };
      const text = textIfThere(pathOf(id));
      const parsed = text === null ? null : schema.safeParse(unseal(text, key));
      if (parsed?.success !== true || parsed.data.id !== id) return { state: 'unknown' };
      const isOld = nowMs - parsed.data.createdMs > VERIFICATION_LIFE_MS || parsed.data.createdMs > nowMs;
      return isOld ? { state: 'unknown' } : { state: 'ready', record: parsed.data };
    },
    giveBack: (id) => {
      renameSync(pathOf(id) + USED, pathOf(id));
      syncFolder(folder);
    },
    take: (id) => {
      if (!ID.test(id)) return false;
      try {
        renameSync(pathOf(id), pathOf(id) + USED);
        syncFolder(folder);
        return true;
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return false;
        throw error;
      }
    },
  };
}
