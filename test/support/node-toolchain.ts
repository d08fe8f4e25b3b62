/** Test runners for Node, pinned by a lockfile, installed once and shared by all workers. */
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFolder } from '../../scripts/fixture-project.ts';
import { toolchainFolder } from './toolchain.ts';

const MANIFESTS = join(repositoryFolder(), 'fixtures/toolchains/node');

/** How long a hook that calls `nodeToolchain` may take. */
export const NODE_TOOLCHAIN_MS = 400_000;

/** Absolute path of a `node_modules` folder with the runners; throws with a sentence where it cannot be made. */
export function nodeToolchain(): string {
  const folder = toolchainFolder({
    name: 'node-toolchain',
    manifest: join(MANIFESTS, 'package-lock.json'),
    longestMs: NODE_TOOLCHAIN_MS,
    make: (place) => {
      for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(MANIFESTS, name), join(place, name));
      try {
        // No package may run anything when it is installed.
        const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
        execFileSync('npm', words, { cwd: place, stdio: 'pipe', timeout: NODE_TOOLCHAIN_MS });
      } catch (error) {
        const message = 'The Node toolchain of the tests could not be installed; it takes npm and a registry.';
        throw new Error(message, { cause: error });
      }
    },
  });
  return join(folder, 'node_modules');
}
