/** Finds the bytes that a file had before an earlier write: in the backup beside it, or in git; checked by their digest. */
import { join } from 'node:path';
import { FILE_LIMIT_BYTES } from '../engine/patch/apply.ts';
import type { HistoryFile } from '../model/history.ts';
import type { Root } from './locate-target.ts';
import type { Product } from './product.ts';

/** Null where neither holds them any more. */
export async function findPreimage({ host }: Product, root: Root, file: HistoryFile): Promise<Buffer | null> {
  const { preimage, sha256Before, path } = file;
  if (preimage === null || sha256Before === null) return null;
  const isIt = (bytes: Buffer): boolean => host.sha256([bytes]) === sha256Before;
  const backup = preimage.backup === null ? null : readBackup({ host }, root, preimage.backup);
  if (backup !== null && isIt(backup)) return backup;
  const blob = preimage.blob === null ? null : await host.git(root.path).readBlob(root.path, preimage.blob, path);
  return blob !== null && isIt(blob) ? blob : null;
}

function readBackup({ host }: Pick<Product, 'host'>, root: Root, path: string): Buffer | null {
  const components = path.split('/');
  const name = components.pop() ?? '';
  if (host.isNothingAt(join(root.path, path))) return null;
  const folder = host.openDirectory(root.path, components);
  try {
    const read = host.readTarget(folder, name, FILE_LIMIT_BYTES);
    return read.ok ? read.value.bytes : null;
  } finally {
    folder.close();
  }
}
