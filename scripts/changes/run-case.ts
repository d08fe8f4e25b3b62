/** Runs a case for real: a copy of its project as a repository of its own, and the verify_change use-case on it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { VerifyReport } from '../../src/model/verdict.ts';
import { verifyChange } from '../../src/usecases/verify-change.ts';
import { nodeToolchain } from '../../test/support/node-toolchain.ts';
import { testProduct } from '../../test/support/product.ts';
import { pythonToolchain } from '../../test/support/python-toolchain.ts';
import { copyFixture } from '../fixture-project.ts';
import type { ChangeCase } from './case.ts';

const LIMIT_MS = 60_000;

/** Verifies the change of a case; throws where the answer is a refusal and no report. */
export async function runCase(change: ChangeCase): Promise<VerifyReport> {
  const { testCmd, timeoutMs = LIMIT_MS, touched } = change.arguments;
  const isPython = change.repo.startsWith('python-');
  const path = [...(isPython ? [dirname(pythonToolchain())] : []), process.env['PATH'] ?? ''].join(delimiter);
  const ground = testProduct({
    env: { ...process.env, PATH: path },
    settings: { shadowTier: change.tier, testTimeoutMs: timeoutMs },
  });
  const end = new AbortController();
  try {
    setUp(ground.root, change);
    ground.repo.commit('start');
    const disturbed = touched === undefined ? null : disturb(join(ground.root, touched), end.signal);
    const answer = await verifyChange(
      ground.product,
      { repoRoot: ground.root, testCommand: testCmd, ...change.change },
      { signal: end.signal, progress: () => undefined },
    );
    end.abort();
    await disturbed;
    if (!answer.ok) throw new Error(`${answer.failure.code}: ${answer.failure.message}`);
    return withoutPlace(answer.value, ground.root);
  } finally {
    ground.dispose();
  }
}

/** The same report wherever the case was set up. */
function withoutPlace(report: VerifyReport, root: string): VerifyReport {
  return JSON.parse(JSON.stringify(report).replaceAll(root, '<root>')) as VerifyReport;
}

function setUp(root: string, { repo, arguments: { packages, editable } }: ChangeCase): void {
  copyFixture(repo, root);
  if (packages !== undefined) linkPackages(root, packages);
  if (editable !== undefined) installEditable(root, editable);
}

/**
 * One link a package, so that the project has no more than it names; programs are links too. What a package needs itself
 * it finds at its real place.
 */
function linkPackages(root: string, packages: readonly string[]): void {
  const from = nodeToolchain();
  const to = join(root, 'node_modules');
  mkdirSync(join(to, '.bin'), { recursive: true });
  for (const name of packages) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    symlinkSync(join(from, name), join(to, name));
    const program = join(from, '.bin', name);
    if (existsSync(program)) symlinkSync(program, join(to, '.bin', name));
  }
}

/** What `pip install -e` leaves: an environment whose path file names the sources by their absolute path. */
function installEditable(root: string, folder: string): void {
  const python = pythonToolchain();
  execFileSync(python, ['-m', 'venv', '--without-pip', join(root, '.venv')], { stdio: 'pipe' });
  const library = (home: string): string => {
    const [version = ''] = readdirSync(join(home, 'lib')).filter((name) => name.startsWith('python'));
    return join(home, 'lib', version, 'site-packages');
  };
  const paths = [join(root, folder), library(join(dirname(python), '..'))];
  writeFileSync(join(library(join(root, '.venv')), 'editable.pth'), `${paths.join('\n')}\n`);
}

/** Somebody else who goes on working in the repository. */
async function disturb(file: string, signal: AbortSignal): Promise<void> {
  for (let time = 0; !signal.aborted; time += 1) {
    writeFileSync(file, `seen ${time} times\n`);
    await delay(50);
  }
}
