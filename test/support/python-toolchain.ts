/** A Python with pinned pytest and coverage.py for tests, made once below `node_modules/.cache/` and shared by all workers. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFolder } from '../../scripts/fixture-project.ts';

const REPOSITORY = repositoryFolder();
const REQUIREMENTS = join(REPOSITORY, 'fixtures/toolchains/python/requirements.txt');
const LONGEST_MS = 300_000;
const PAUSE_MS = 250;

/** Absolute path of the interpreter; throws with a sentence where it cannot be made. Hooks that call it need `LONGEST_MS`. */
export function pythonToolchain(): string {
  const name = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const home = join(REPOSITORY, 'node_modules/.cache/python-toolchain');
  const folder = join(home, name);
  const ready = join(folder, 'ready');
  const turn = join(home, `${name}.lock`);
  mkdirSync(home, { recursive: true });
  const end = Date.now() + LONGEST_MS;
  while (!existsSync(ready)) {
    if (takeTurn(turn)) {
      try {
        if (!existsSync(ready)) make(folder, ready);
      } finally {
        rmSync(turn, { recursive: true, force: true });
      }
    } else if (Date.now() > end) {
      throw new Error(`Another worker has been making the Python toolchain for too long; remove ${turn}.`);
    } else {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
  return join(folder, 'bin/python');
}

/** True for the one worker that is to make it; a turn whose holder is gone is taken over. */
function takeTurn(turn: string): boolean {
  try {
    mkdirSync(turn);
    writeFileSync(join(turn, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const holder = existsSync(join(turn, 'pid')) ? Number(readFileSync(join(turn, 'pid'), 'utf8')) : null;
  if (holder !== null && holder > 0 && !isAlive(holder)) rmSync(turn, { recursive: true, force: true });
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

function make(folder: string, ready: string): void {
  rmSync(folder, { recursive: true, force: true });
  try {
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'pipe', timeout: LONGEST_MS });
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS];
    execFileSync(join(folder, 'bin/python'), install, { stdio: 'pipe', timeout: LONGEST_MS });
  } catch (error) {
    throw new Error('The Python toolchain of the tests could not be made; it takes python3 with venv, and pip.', {
      cause: error,
    });
  }
  writeFileSync(ready, '');
}
