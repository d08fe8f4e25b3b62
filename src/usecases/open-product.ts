/** The operator's settings → the product that every use-case works with; says what is wrong with a setting. */
import { resolve } from 'node:path';
import { compilePolicy, withOperatorPrefixes, type Policy } from '../engine/command/allow.ts';
import { refuseUnusable } from '../engine/path-rules.ts';
import { judgeRoot } from '../engine/root-policy.ts';
import type { Host } from '../io/host.ts';
import type { AllowlistFile } from '../model/allowlist.ts';
import { failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { ShadowTier } from '../model/shadow.ts';
import type { Product } from './product.ts';
import { createRevisions } from './revisions.ts';
import { createRootLooks } from './root-looks.ts';
import { createSavedRuns } from './saved-runs.ts';
import { createVerifications } from './verifications.ts';

export interface OperatorSettings {
  /** Folders given with `--root`. */
  readonly roots: readonly string[];
  /** The home folder, if the environment names one. */
  readonly home: string | null;
  /** Folder of the built-in allowlists. */
  readonly allowlistFolder: string;
  /** What messages call a root; `--root` where nothing is said. */
  readonly rootArgument?: string | undefined;
  /** Further allowlist files, outside every repository. */
  readonly allowlistFiles: readonly string[];
  /** Command prefixes added to the built-in ones. */
  readonly allowedPrefixes: readonly string[];
  readonly isAllowlistLocked: boolean;
  readonly testTimeoutMs: number;
  readonly shadowTier: ShadowTier | null;
  /** True unless said otherwise. */
  readonly takesReceipts?: boolean;
}

/** Resolves the roots, and compiles the policy where the operator has a say in it. Fails with the setting at fault. */
export function openProduct(host: Host, settings: OperatorSettings): Result<Product> {
  const { rootArgument = '--root' } = settings;
  const boundaries: string[] = [];
  for (const root of settings.roots) {
    const unusable = refuseUnusable(rootArgument, root);
    if (unusable !== null) return fail(unusable);
    const folder = host.realFolder(resolve(root));
    if (folder === null) return fail(failure('ROOT_REFUSED', `${rootArgument} ${root} is not an existing folder.`));
    const judged = judgeRoot(folder.path, { boundaries: [folder.path], home: null }, rootArgument);
    if (!judged.ok) return judged;
    boundaries.push(folder.path);
  }
  let compiled: Result<Policy> | undefined;
  const policy = (): Result<Policy> => (compiled ??= compile(host, settings));
  // The built-in lists are proven by our own tests, and a call without a test command needs none of them; what an
  // operator adds is judged before anything is served.
  if (settings.allowlistFiles.length + settings.allowedPrefixes.length > 0) {
    const judged = policy();
    if (!judged.ok) return judged;
  }
  const home = settings.home === null ? null : (host.realFolder(settings.home)?.path ?? null);
  return ok({
    host,
    policy,
    isAllowlistLocked: settings.isAllowlistLocked,
    rootPolicy: { boundaries, home },
    revisions: createRevisions(),
    takesReceipts: settings.takesReceipts ?? true,
    testTimeoutMs: settings.testTimeoutMs,
    shadowTier: settings.shadowTier,
    verifications: createVerifications(),
    savedRuns: createSavedRuns(),
    rootLooks: createRootLooks(),
  });
}

function compile(host: Host, { allowlistFolder, allowlistFiles, allowedPrefixes }: OperatorSettings): Result<Policy> {
  const files: AllowlistFile[] = [];
  for (const read of [host.readAllowlists(allowlistFolder), ...allowlistFiles.map(host.readAllowlist)]) {
    if (!read.ok) return read;
    files.push(...[read.value].flat());
  }
  const compiled = compilePolicy(files);
  return compiled.ok ? withOperatorPrefixes(compiled.value, allowedPrefixes) : compiled;
}
