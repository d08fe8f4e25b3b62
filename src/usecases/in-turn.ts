/** Holds a root and one file in it for a write, after everything that was left unfinished for that file is settled. */
import { join } from 'node:path';
import type { Journal } from '../io/journal.ts';
import type { CallContext } from '../model/call-context.ts';
import { failure } from '../model/failure.ts';
import { fail, type Result } from '../model/result.ts';
import { withNotes, type WriteFixReport } from '../model/write-report.ts';
import type { Root, Target } from './locate-target.ts';
import type { Product } from './product.ts';
import { pendingElsewhere, recoverOtherRoots } from './recover-roots.ts';
import { withLock, withRoot } from './with-root.ts';

/** Runs `use` in its turn; refuses RECOVERY_PENDING where a person must look at the file first. */
export async function inTurn(
  product: Product,
  { root, target }: { readonly root: Root; readonly target: Target },
  call: CallContext,
  use: (journal: Journal) => Promise<Result<WriteFixReport>>,
): Promise<Result<WriteFixReport>> {
  const file = join(root.path, target.path);
  const elsewhere = await recoverOtherRoots(product, root, file, call);
  const answer = await withRoot(product, root, call, async ({ journal, recovery }) => {
    const own = await withFileLock(product, file, call, () => {
      const pending = recovery.unresolved.find((left) => left.file === target.path);
      if (pending !== undefined) return Promise.resolve(fail(recoveryPending(target.path, pending.backup)));
      const other = pendingElsewhere(product, root, file);
      if (other !== undefined) return Promise.resolve(fail(recoveryPending(target.path, other.backup)));
      return use(journal);
    });
    return withNotes(own, recovery.notes);
  });
  return withNotes(answer, elsewhere);
}

/** Roots may lie in one another, so the file has a lock of its own inside that of its root. */
export function withFileLock<Value>(
  product: Product,
  file: string,
  call: CallContext,
  use: () => Promise<Result<Value>>,
): Promise<Result<Value>> {
  return withLock(product, `file ${file}`, call, use);
}

/** What is refused until a person has looked at the file. */
export function recoveryPending(path: string, backup: string) {
  const message = `${path} was changed after a write that did not finish; the bytes before it are in ${backup}.`;
  return failure('RECOVERY_PENDING', message);
}
