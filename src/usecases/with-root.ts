/** Holds a root for one writer at a time, and settles what an earlier process left unfinished before the new write. */
import type { HistoryStore } from '../io/history-store.ts';
import type { Host } from '../io/host.ts';
import type { Journal, WriteIntent } from '../io/journal.ts';
import type { Ending, Recovery } from '../io/recover.ts';
import type { CallContext } from '../model/call-context.ts';
import { ok, type Result } from '../model/result.ts';
import type { Root } from './locate-target.ts';
import type { Product } from './product.ts';
import { withHistoryLock } from './record-history.ts';

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
      const recovery = await recoverRemembering(host, root, journal);
      if (!recovery.ok) return recovery;
      return await use({ journal, recovery: { ...recovery.value, notes: [...notes, ...recovery.value.notes] } });
    } finally {
      journal.close();
    }
  });
}

/** Nearly always nothing is pending, and then the history need not be held. */
async function recoverRemembering(host: Host, root: Root, journal: Journal): Promise<Result<Recovery>> {
  if (journal.pending()?.length === 0) return ok(host.recover(root.path, journal));
  return withHistoryLock({ host }, root, () => {
    const store = host.openHistory(root);
    if (!store.ok) return store;
    store.value.tidy();
    const tell = (intent: WriteIntent, ending: Ending): void => {
      rememberRecovered(store.value, intent, ending, host.now());
    };
    return ok(host.recover(root.path, journal, tell));
  });
}

/** Tells an ending once, however often recovery comes to it. A write of an older Surepatch says nothing of itself. */
export function rememberRecovered(store: HistoryStore, { id, event }: WriteIntent, ending: Ending, atMs: number): void {
  const last = store.read().records.findLast((record) => record.id === id);
  const isTold = ending === 'kept' ? last !== undefined : last?.kind === 'rollback';
  if (event === undefined || isTold) return;
  const outcome = ending === 'taken_back' ? 'recovered' : 'conflict';
  store.append(ending === 'kept' ? event : { ...event, kind: 'rollback', of: id, outcome }, atMs);
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
