/** From the options of a command to the product behind the use-cases. */
import { join, resolve } from 'node:path';
import { createHost } from '../io/host.ts';
import type { Result } from '../model/result.ts';
import type { ShadowTier } from '../model/shadow.ts';
import { openProduct } from '../usecases/open-product.ts';
import type { Product } from '../usecases/product.ts';
import type { Surroundings } from './surroundings.ts';

/** Options that only whoever starts the process may give. */
export interface OperatorOptions {
  readonly allowTestCommand?: readonly string[];
  readonly allowlist?: readonly string[];
  readonly passEnv?: readonly string[];
  /** Seconds. */
  readonly testTimeout: number;
  /** The tier of shadow tree to use, whatever works better. */
  readonly shadow?: ShadowTier;
}

export interface Opening extends OperatorOptions {
  readonly roots: readonly string[];
  /** What messages call a root; `--root` where nothing is said. */
  readonly rootArgument?: string;
  readonly lockAllowlist: boolean;
  readonly takesReceipts?: boolean;
}

export const NO_OPTIONS: Opening = { testTimeout: 120, roots: [], lockAllowlist: false };

/** Opens the product for one process. Fails with the setting at fault. */
export function open({ env, workingFolder, packageFolder }: Surroundings, opening: Opening): Result<Product> {
  const { allowTestCommand = [], allowlist = [], passEnv = [] } = opening;
  const roots = opening.roots.map((root) => resolve(workingFolder, root));
  const host = createHost({
    env,
    workingFolder: roots[0] ?? workingFolder,
    stateHome: stateHome(env, workingFolder),
    runtimeFolder: join(packageFolder, 'runtime'),
    extraEnvironment: passEnv,
  });
  return openProduct(host, {
    roots,
    rootArgument: opening.rootArgument,
    home: homeOf(env) ?? null,
    allowlistFolder: join(packageFolder, 'allowlists'),
    allowlistFiles: allowlist.map((file) => resolve(workingFolder, file)),
    allowedPrefixes: allowTestCommand,
    isAllowlistLocked: opening.lockAllowlist,
    testTimeoutMs: opening.testTimeout * 1000,
    shadowTier: opening.shadow ?? null,
    takesReceipts: opening.takesReceipts ?? true,
  });
}

function homeOf(env: Surroundings['env']): string | undefined {
  return env['HOME'] ?? env['USERPROFILE'];
}

/** XDG base directory specification: an unset or relative value means the default. */
function stateHome(env: Surroundings['env'], workingFolder: string): string {
  const given = env['XDG_STATE_HOME'];
  if (given?.startsWith('/') === true) return given;
  if (process.platform === 'win32' && env['LOCALAPPDATA'] !== undefined) return env['LOCALAPPDATA'];
  return join(homeOf(env) ?? workingFolder, '.local', 'state');
}
