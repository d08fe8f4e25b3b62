/** Holds a root for one writer at a time, and settles what an earlier process left unfinished before the new write. */
import type { Journal } from '../io/journal.ts';
import type { Recovery } from '../io/recover.ts';
import type { CallContext } from '../model/call-context.ts';
import type { Result } from '../model/result.ts';
import type { Root } from './locate-target.ts';
import type { Product } from './product.ts';

export interface HeldRoot {
  readonly journal: Journal;
  readonly recovery: Recovery;
}

/** Waits for the root's turn, recovers it, and runs `use`; the lock is let go of in every case. */
export async function withRoot<Value>(
  { host }: Product,
  root: Root,
  call: CallContext,
  use: (held: HeldRoot) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const state = host.state();
  if (!state.ok) return state;
  const folder = host.openRootFolder(state.value.folder, root);
  if (!folder.ok) return folder;
  return withLock({ host }, rootKey(root), call, async (notes) => {
    const journal = host.openJournal(folder.value, state.value.folder.key);
    try {
      const recovery = host.recover(root.path, journal);
      return await use({ journal, recovery: { ...recovery, notes: [...notes, ...recovery.notes] } });
    } finally {
      journal.close();
    }
  });
}

/** The key under which a root is held, by what it is and not by how it is spelled. */
export function rootKey({ dev, ino }: Root): string {
  return `root ${dev}:${ino}`;
}

/** Runs `use` while nobody else on this machine holds `key`; waits its turn, and gives up when the call is cancelled. */
export async function withLock<Value>(
  { host }: Pick<Product, 'host'>,
  key: string,
  call: CallContext,
  use: (notes: readonly string[]) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const state = host.state();
  if (!state.ok) return state;
  const lease = await state.value.locks.acquire(key, {
    signal: call.signal,
    onWait: () => {
      call.progress('waiting for another write of this repository');
    },
  });
  if (!lease.ok) return lease;
  try {
    return await use(lease.value.note === undefined ? [] : [lease.value.note]);
  } finally {
    // The kernel lets go with the process at the latest; the answer is settled by now and stays what it is.
    await lease.value.release().catch(() => undefined);
  }
}
