/** Makes a toolchain for tests once, below `node_modules/.cache/`, for all workers: the first makes it, the others wait. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFolder } from '../../scripts/fixture-project.ts';

const PAUSE_MS = 250;

export interface Toolchain {
  readonly name: string;
  /** Names all that is in it; another content is another toolchain. */
  readonly manifest: string;
  readonly longestMs: number;
  /** Fills an empty folder; throws with a sentence where it cannot. */
  readonly make: (folder: string) => void;
}

/** Absolute path of the folder of the ready toolchain. */
export function toolchainFolder({ name, manifest, longestMs, make }: Toolchain): string {
  const content = createHash('sha256').update(readFileSync(manifest)).digest('hex').slice(0, 12);
  const home = join(repositoryFolder(), 'node_modules/.cache', name);
  const folder = join(home, content);
  const ready = join(folder, 'ready');
  const turn = join(home, `${content}.lock`);
  mkdirSync(home, { recursive: true });
  const end = Date.now() + longestMs;
  while (!existsSync(ready)) {
    if (takeTurn(turn)) {
      try {
        if (existsSync(ready)) continue;
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder);
        make(folder);
        writeFileSync(ready, '');
      } finally {
        rmSync(turn, { recursive: true, force: true });
      }
    } else if (Date.now() > end) {
      throw new Error(`Another worker has been making the ${name} for too long; remove ${turn}.`);
    } else {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
  return folder;
}

/** True for the one worker that is to make it; a turn whose holder is gone is given up. */
function takeTurn(turn: string): boolean {
  try {
    mkdirSync(turn);
    writeFileSync(join(turn, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const holder = existsSync(join(turn, 'pid')) ? Number(readFileSync(join(turn, 'pid'), 'utf8')) : 0;
  if (holder > 0 && !isAlive(holder)) rmSync(turn, { recursive: true, force: true });
  return false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
