/** Adds one record to the history of a root, under the history's own lock: whoever judges a change holds no other. */
import type { RealFolder } from '../io/worktree.ts';
import type { CallContext } from '../model/call-context.ts';
import type { HistoryEvent, HistoryRecord } from '../model/history.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { Product } from './product.ts';

/** An append takes milliseconds; whoever holds the lock longer than this is stopped, not busy. */
const LONGEST_WAIT_MS = 30_000;

/** What an event is unless it says otherwise. */
export function eventOf(
  call: Pick<CallContext, 'client'> | null,
  said: Pick<HistoryEvent, 'kind' | 'id' | 'outcome'> & Partial<HistoryEvent>,
): HistoryEvent {
  return {
    client: call?.client === undefined ? null : { name: call.client.name, version: call.client.version },
    files: [],
    command: null,
    verdict: null,
    reasonCode: null,
    of: null,
    patchSha256: null,
    outputUri: null,
    revision: null,
    ...said,
  };
}

/** Returns once the record is durable. Not to be given up half-way, so it takes no signal. */
export async function recordHistory(
  product: Pick<Product, 'host'>,
  root: RealFolder,
  event: HistoryEvent,
): Promise<Result<HistoryRecord>> {
  const { host } = product;
  return withHistoryLock(product, root, () => {
    const store = host.openHistory(root);
    if (!store.ok) return store;
    try {
      return ok(store.value.append(event, host.now()));
    } catch (error) {
      return fail(host.diskFailure(error, 'to record this in the history'));
    }
  });
}

/** Runs `use` while nobody else appends to the history of this root. */
export async function withHistoryLock<Value>(
  { host }: Pick<Product, 'host'>,
  { dev, ino }: RealFolder,
  use: () => Result<Value>,
): Promise<Result<Value>> {
  const state = host.state();
  if (!state.ok) return state;
  const lease = await state.value.locks.acquire(`history ${dev}:${ino}`, { waitMs: LONGEST_WAIT_MS });
  if (!lease.ok) return lease;
  try {
    return use();
  } finally {
    // The kernel lets go with the process at the latest; the record is durable by now.
    await lease.value.release().catch(() => undefined);
  }
}
