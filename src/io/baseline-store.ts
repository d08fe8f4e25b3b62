/**
 * How the suite of one root went without any change, kept for an hour by the content that it ran on. Sealed files in the
 * state folder; one that is not ours or too old counts as none.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Baseline } from '../model/suite.ts';
import { textIfThere, thinOut } from './kept-files.ts';
import { seal, unseal } from './seal.ts';
import { writeNewFile } from './write-file.ts';

const LIFE_MS = 3_600_000;
const MOST_KEPT = 20;
const KEY = /^[0-9a-f]{64}$/u;

const schema = z.strictObject({
  key: z.string(),
  createdMs: z.number(),
  ending: z.enum(['green', 'red']),
  runner: z.string().nullable(),
  deselected: z.int(),
  tests: z
    .array(
      z
        .strictObject({
          id: z.string(),
          times: z.int(),
          outcome: z.enum(['passed', 'failed', 'skipped', 'expected_failure', 'unexpected_pass']),
          message: z.string().nullable(),
          file: z.string().nullable(),
        })
        .readonly(),
    )
    .readonly(),
  errors: z.array(z.strictObject({ id: z.string(), message: z.string() }).readonly()).readonly(),
});

export interface BaselineStore {
  /** Keeps a run that ended by itself, and that began at `startedMs`. */
  keep(key: string, baseline: Baseline, startedMs: number): void;
  find(key: string, nowMs: number): (Baseline & { readonly startedMs: number }) | null;
  /** Forgets a run that can stand for no other any more. */
  forget(key: string): void;
}

/** Opens (creates) the folder below the state folder of a root. */
export function openBaselines(rootFolder: string, key: Buffer): BaselineStore {
  const folder = join(rootFolder, 'baselines');
  return {
    keep: (name, { ending, tests }, startedMs) => {
      if (!KEY.test(name)) return;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      thinOut(folder, MOST_KEPT - 1, LIFE_MS, startedMs);
      const path = join(folder, name);
      rmSync(path, { force: true });
      const { runner, deselected, errors } = tests;
      const record = { key: name, createdMs: startedMs, ending, runner, deselected, tests: tests.tests, errors };
      writeNewFile(path, [Buffer.from(seal(record, key))], null);
    },
    find: (name, nowMs) => {
      if (!KEY.test(name)) return null;
      const parsed = schema.safeParse(unseal(textIfThere(join(folder, name)) ?? '', key));
      if (!parsed.success || parsed.data.key !== name) return null;
      const { createdMs, ending, runner, deselected, tests, errors } = parsed.data;
      const isOld = nowMs - createdMs > LIFE_MS || createdMs > nowMs;
      return isOld ? null : { startedMs: createdMs, ending, tests: { runner, deselected, tests, errors } };
    },
    forget: (name) => {
      if (KEY.test(name)) rmSync(join(folder, name), { force: true });
    },
  };
}
