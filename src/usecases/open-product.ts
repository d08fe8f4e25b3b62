/** The operator's settings → the product that every use-case works with; says what is wrong with a setting. */
import { resolve } from 'node:path';
import { compilePolicy, withOperatorPrefixes } from '../engine/command/allow.ts';
import type { Host } from '../io/host.ts';
import type { AllowlistFile } from '../model/allowlist.ts';
import { failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { Product } from './product.ts';
import { createRevisions } from './revisions.ts';

export interface OperatorSettings {
  /** Folders given with `--root`. */
  readonly roots: readonly string[];
  /** The home folder, if the environment names one. */
  readonly home: string | null;
  /** Folder of the built-in allowlists. */
  readonly allowlistFolder: string;
  /** Further allowlist files, outside every repository. */
  readonly allowlistFiles: readonly string[];
  /** Command prefixes added to the built-in ones. */
  readonly allowedPrefixes: readonly string[];
  readonly isAllowlistLocked: boolean;
  readonly testTimeoutMs: number;
}

/** Resolves the roots and compiles the policy. Fails with the setting at fault. */
export function openProduct(host: Host, settings: OperatorSettings): Result<Product> {
  const boundaries: string[] = [];
  for (const root of settings.roots) {
    const folder = host.realFolder(resolve(root));
    if (folder === null) return fail(failure('ROOT_REFUSED', `--root ${root} is not an existing folder.`));
    boundaries.push(folder.path);
  }
  const files: AllowlistFile[] = [];
  for (const read of [
    host.readAllowlists(settings.allowlistFolder),
    ...settings.allowlistFiles.map(host.readAllowlist),
  ]) {
    if (!read.ok) return read;
    files.push(...[read.value].flat());
  }
  const compiled = compilePolicy(files);
  if (!compiled.ok) return compiled;
  const policy = withOperatorPrefixes(compiled.value, settings.allowedPrefixes);
  if (!policy.ok) return policy;
  const home = settings.home === null ? null : (host.realFolder(settings.home)?.path ?? null);
  return ok({
    host,
    policy: policy.value,
    isAllowlistLocked: settings.isAllowlistLocked,
    rootPolicy: { boundaries, home },
    revisions: createRevisions(),
    testTimeoutMs: settings.testTimeoutMs,
  });
}
