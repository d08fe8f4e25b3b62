/**
 * How callers wait for a lock: in a line inside this process, first come, first served, or for a time. Every wait ends
 * early when its signal is aborted, and none rejects.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Place {
  /** Ends when everybody who came earlier has left; absent when nobody did. */
  readonly previous: Promise<void> | undefined;
  readonly leave: () => void;
}

/** The last place of each line that is not empty. */
export type Lines = Map<string, Promise<void>>;

/** Goes to the end of the line of `key`; `leave` must be called in every case, served or not. */
export function takePlace(lastInLine: Lines, key: string): Place {
  const previous = lastInLine.get(key);
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const mine = Promise.all([previous, left]).then(() => {
    if (lastInLine.get(key) === mine) lastInLine.delete(key);
  });
  lastInLine.set(key, mine);
  return { previous, leave };
}

/** Waits for everybody before this place, or until the signal is aborted. */
export function turnComes({ previous }: Place, signal: AbortSignal): Promise<void> {
  if (previous === undefined || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
    void previous.then(end);
  });
}

/** Waits for a time, or until the signal is aborted. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
