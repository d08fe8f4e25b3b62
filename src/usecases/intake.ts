/** The patch and the file → the change as it would be written. Reads the file once; writes nothing. */
import { applyPatch, FILE_LIMIT_BYTES } from '../engine/patch/apply.ts';
import type { DirectoryHandle } from '../io/directory-handle.ts';
import type { TargetFile } from '../io/target-file.ts';
import { failure } from '../model/failure.ts';
import type { Patch, Rewrite } from '../model/patch.ts';
import { fail, type Result } from '../model/result.ts';
import type { Root, Target } from './locate-target.ts';
import type { Product } from './product.ts';

const SHA256 = /^[0-9a-f]{64}$/iu;

export interface Change {
  /** The target's folder, open; whoever takes the change in closes it. */
  readonly folder: DirectoryHandle;
  readonly folderComponents: readonly string[];
  readonly name: string;
  readonly preimage: TargetFile;
  readonly rewrite: Rewrite;
  /** Digest of the postimage. */
  readonly sha256After: string;
}

/** Reads the target and places every hunk in it; `use` gets the change while the target's folder is open. */
export async function takeIn<Value>(
  { host }: Product,
  {
    root,
    target,
    patch,
    expectedSha256,
  }: { root: Root; target: Target; patch: Patch; expectedSha256?: string | undefined },
  use: (change: Change) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const folderComponents = target.components.slice(0, -1);
  const name = target.components.at(-1) ?? '';
  const folder = host.openDirectory(root.path, folderComponents);
  try {
    const read = host.readTarget(folder, name, FILE_LIMIT_BYTES);
    if (!read.ok) return read;
    const preimage = read.value;
    if (expectedSha256 !== undefined && !SHA256.test(expectedSha256)) {
      return fail(failure('INPUT_INVALID', 'expected_sha256 is not 64 hexadecimal digits.'));
    }
    if (expectedSha256 !== undefined && expectedSha256.toLowerCase() !== preimage.sha256) {
      return fail(stale(target.path, expectedSha256, preimage.sha256));
    }
    const rewrite = applyPatch(patch, preimage.bytes);
    if (!rewrite.ok) return rewrite;
    const sha256After = host.sha256(rewrite.value.pieces);
    return await use({ folder, folderComponents, name, preimage, rewrite: rewrite.value, sha256After });
  } finally {
    folder.close();
  }
}

function stale(path: string, expected: string, found: string) {
  return failure('PREIMAGE_STALE', `${path} has the SHA-256 ${found}, not the expected ${expected}.`, {
    details: { sha256_found: found },
  });
}
