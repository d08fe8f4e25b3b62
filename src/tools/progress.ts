/**
 * Progress of one call as the client sees it: a strictly increasing number of seconds with the stage in words, at most
 * two messages a second, at least one in `HEARTBEAT_MS`, none after the end. A stage may be dropped, a call never waits.
 */
import type { ServerContext } from '@modelcontextprotocol/server';

const MIN_INTERVAL_MS = 500;
const HEARTBEAT_MS = 5_000;

export interface ProgressReporter {
  readonly stage: (message: string) => void;
  readonly end: () => void;
}

type Notify = ServerContext['mcpReq']['notify'];

/** Makes the reporter of a request; without a progress token it says nothing. */
export function reportProgress(token: string | number | undefined, notify: Notify): ProgressReporter {
  if (token === undefined) return { stage: () => undefined, end: () => undefined };
  const progressToken = token;
  const started = performance.now();
  let current: string | undefined;
  let lastSent: number | undefined;
  let lastProgress = 0;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  function send(): void {
    const now = performance.now();
    const seconds = Math.round(now - started) / 1000;
    const progress = Math.max(seconds, Number((lastProgress + 0.001).toFixed(3)));
    lastProgress = progress;
    lastSent = now;
    const message = `${current ?? ''} (${progress.toFixed(1)} s)`;
    // A client that is gone is noticed by its signal, not here.
    notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => undefined);
    wait(HEARTBEAT_MS);
  }

  function wait(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(send, ms);
  }

  return {
    stage(message) {
      if (ended) return;
      current = message;
      const sinceLast = lastSent === undefined ? MIN_INTERVAL_MS : performance.now() - lastSent;
      if (sinceLast >= MIN_INTERVAL_MS) send();
      else wait(MIN_INTERVAL_MS - sinceLast);
    },
    end() {
      ended = true;
      clearTimeout(timer);
    },
  };
}
