/** A Python with pinned pytest and coverage.py for tests, made once and shared by all workers. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { repositoryFolder } from '../../scripts/fixture-project.ts';
import { toolchainFolder } from './toolchain.ts';

const REQUIREMENTS = join(repositoryFolder(), 'fixtures/toolchains/python/requirements.txt');
const LONGEST_MS = 300_000;

/** Absolute path of the interpreter; throws with a sentence where it cannot be made. A hook that calls it takes minutes. */
export function pythonToolchain(): string {
  const folder = toolchainFolder({
    name: 'python-toolchain',
    manifest: REQUIREMENTS,
    longestMs: LONGEST_MS,
    make: (place) => {
      try {
        execFileSync('python3', ['-m', 'venv', place], { stdio: 'pipe', timeout: LONGEST_MS });
        const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS];
        execFileSync(join(place, 'bin/python'), install, { stdio: 'pipe', timeout: LONGEST_MS });
      } catch (error) {
        const message = 'The Python toolchain of the tests could not be made; it takes python3 with venv, and pip.';
        throw new Error(message, { cause: error });
      }
    },
  });
  return join(folder, 'bin/python');
}
