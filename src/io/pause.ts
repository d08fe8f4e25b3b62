/** Waits for a time or for a signal, whichever comes first. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after `milliseconds`, and at once when the signal is aborted. Never rejects. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
