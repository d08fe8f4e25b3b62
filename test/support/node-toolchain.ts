/** Test runners for Node, pinned by a lockfile, installed once below `node_modules/.cache/` and shared by all workers. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFolder } from '../../scripts/fixture-project.ts';

const REPOSITORY = repositoryFolder();
const MANIFESTS = join(REPOSITORY, 'fixtures/toolchains/node');
const PAUSE_MS = 250;

/** How long a hook that calls `nodeToolchain` may take. */
export const NODE_TOOLCHAIN_MS = 400_000;

/** Absolute path of a `node_modules` folder with the runners; throws with a sentence where it cannot be made. */
export function nodeToolchain(): string {
  const name = createHash('sha256')
    .update(readFileSync(join(MANIFESTS, 'package-lock.json')))
    .digest('hex')
    .slice(0, 12);
  const home = join(REPOSITORY, 'node_modules/.cache/node-toolchain');
  const folder = join(home, name);
  const ready = join(folder, 'ready');
  const turn = join(home, `${name}.lock`);
  mkdirSync(home, { recursive: true });
  const end = Date.now() + NODE_TOOLCHAIN_MS;
  while (!existsSync(ready)) {
    if (takeTurn(turn)) {
      try {
        if (!existsSync(ready)) install(folder, ready);
      } finally {
        rmSync(turn, { recursive: true, force: true });
      }
    } else if (Date.now() > end) {
      throw new Error(`Another worker has been installing the Node toolchain for too long; remove ${turn}.`);
    } else {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
  return join(folder, 'node_modules');
}

/** True for the one worker that is to install; a turn whose holder is gone is given up. */
function takeTurn(turn: string): boolean {
  try {
    mkdirSync(turn);
    writeFileSync(join(turn, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const holder = existsSync(join(turn, 'pid')) ? Number(readFileSync(join(turn, 'pid'), 'utf8')) : 0;
  if (holder > 0 && !existsSync(`/proc/${holder}`)) rmSync(turn, { recursive: true, force: true });
  return false;
}

function install(folder: string, ready: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(MANIFESTS, name), join(folder, name));
  try {
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: 'pipe',
      timeout: NODE_TOOLCHAIN_MS,
    });
  } catch (error) {
    throw new Error('The Node toolchain of the tests could not be installed; it takes npm and a registry.', {
      cause: error,
    });
  }
  writeFileSync(ready, '');
}
