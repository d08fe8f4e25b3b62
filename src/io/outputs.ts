/** The kept outputs of test runs: one file a run in the state folder, read by pages, pruned by age, number and size. */
import { closeSync, constants, fstatSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { OutputPage } from '../model/output-page.ts';
import { decodePage } from './whole-characters.ts';

const OLDEST_MS = 7 * 24 * 3600 * 1000;
const MOST_FILES = 50;
const MOST_BYTES = 8 * 1024 ** 3;
const ID = /^[0-9a-z-]{1,64}$/u;
/** A page starts at most this many bytes before a character's end, so that many more are read. */
const SLACK = 4;

export interface Outputs {
  /** Path of a new output; the run creates the file. Older outputs beyond the limits are removed. */
  add(id: string): string;
  /** One page from byte `offset` on, or null where no such output is kept. */
  readPage(id: string, offset: number, length: number): OutputPage | null;
}

/** Opens (creates) the folder of the outputs below the state folder. */
export function openOutputs(stateFolder: string): Outputs {
  const folder = join(stateFolder, 'outputs');
  const pathOf = (id: string): string => join(folder, `${id}.log`);
  return {
    add: (id) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      prune(folder);
      return pathOf(id);
    },
    readPage: (id, offset, length) => {
      if (!ID.test(id)) return null;
      const descriptor = openIfThere(pathOf(id));
      if (descriptor === null) return null;
      try {
        const totalBytes = fstatSync(descriptor).size;
        const from = Math.min(Math.max(0, offset - SLACK), totalBytes);
        const buffer = Buffer.allocUnsafe(length + 2 * SLACK);
        const count = readSync(descriptor, buffer, 0, buffer.length, from);
        return decodePage(buffer.subarray(0, count), {
          from,
          offset: Math.min(offset, totalBytes),
          length,
          totalBytes,
        });
      } finally {
        closeSync(descriptor);
      }
    },
  };
}

function prune(folder: string): void {
  const kept = readdirSync(folder)
    .map((name) => join(folder, name))
    .map((path) => ({ path, stat: statSync(path, { throwIfNoEntry: false }) }))
    .flatMap(({ path, stat }) => (stat === undefined ? [] : [{ path, size: stat.size, mtimeMs: stat.mtimeMs }]))
    .sort((one, other) => other.mtimeMs - one.mtimeMs);
  const newest = kept[0]?.mtimeMs ?? 0;
  let bytes = 0;
  for (const [index, { path, size, mtimeMs }] of kept.entries()) {
    bytes += size;
    const isWithin = index < MOST_FILES - 1 && bytes <= MOST_BYTES && newest - mtimeMs < OLDEST_MS;
    // The newest one always stays: somebody may be about to read why their tests failed.
    if (index > 0 && !isWithin) rmSync(path, { force: true });
  }
}

function openIfThere(path: string): number | null {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null;
  return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
}
