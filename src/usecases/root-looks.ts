/**
 * The looks behind repo_overview: one at a time for each root, each about the newest revision at its start. Whoever waits
 * is served by the first look that began after the request, and may leave without stopping it.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** A look that came to its end. */
export interface Looked<Seen> {
  readonly seen: Seen;
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
}

export interface LookState<Seen> {
  readonly latest: Looked<Seen> | null;
  readonly isRunning: boolean;
  /** Why the newest attempt came to nothing. */
  readonly error: string | null;
  /** True when the latest look began after the request. */
  readonly isFresh: boolean;
}

export interface LookRequest<Seen> {
  readonly waitMs: number;
  /** False where any earlier look will do. */
  readonly isStarting: boolean;
  readonly signal: AbortSignal;
  /** Looks, and says what it saw and which revision that is of; `before` is the look before it. */
  readonly look: (before: Looked<Seen> | null) => Promise<{ readonly seen: Seen; readonly revision: number }>;
  readonly now: () => number;
}

export interface RootLooks<Seen> {
  /** Waits for a look at the root, at most as long as the request says. */
  wait(root: string, request: LookRequest<Seen>): Promise<LookState<Seen>>;
}

interface Lane<Seen> {
  begun: number;
  latest: (Looked<Seen> & { readonly number: number }) | null;
  running: Promise<void> | null;
  error: string | null;
}

/** Makes the register of one process. */
export function createRootLooks<Seen>(): RootLooks<Seen> {
  const lanes = new Map<string, Lane<Seen>>();
  return {
    wait: async (root, request) => {
      const lane = lanes.get(root) ?? { begun: 0, latest: null, running: null, error: null };
      lanes.set(root, lane);
      const asked = lane.begun;
      const isFresh = (): boolean => (lane.latest?.number ?? 0) > asked;
      if (request.isStarting || lane.latest === null) {
        const over = waitIsOver(request);
        await Promise.race([over.promise, lookUntil(lane, request, isFresh)]);
        over.cancel();
      }
      const { latest, running, error } = lane;
      return { latest, isRunning: running !== null, error, isFresh: isFresh() };
    },
  };
}

async function lookUntil<Seen>(lane: Lane<Seen>, request: LookRequest<Seen>, isFresh: () => boolean): Promise<void> {
  // What is under way may have passed by what the caller means: it is waited for, and another one follows.
  while (lane.running !== null) await lane.running;
  if (isFresh() || (!request.isStarting && lane.latest !== null)) return;
  lane.running = lookOnce(lane, request);
  await lane.running;
}

async function lookOnce<Seen>(lane: Lane<Seen>, { look, now }: LookRequest<Seen>): Promise<void> {
  lane.begun += 1;
  const number = lane.begun;
  const startedAtMs = now();
  try {
    const { seen, revision } = await look(lane.latest);
    lane.latest = { seen, revision, startedAtMs, number };
    lane.error = null;
  } catch (error) {
    lane.error = error instanceof Error ? error.message : String(error);
  } finally {
    lane.running = null;
  }
}

function waitIsOver({ waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal }) {
  const left = new AbortController();
  const promise = sleep(waitMs, undefined, { signal: AbortSignal.any([signal, left.signal]) }).catch(() => undefined);
  return {
    promise,
    cancel: (): void => {
      left.abort();
    },
  };
}
