/**
 * The tool calls in flight: what they watch to notice that the server stops, and what the server waits for before it
 * goes. A call that begins after the stop still gets its answer, with its signal already aborted.
 */

export interface Calls {
  /** Aborts when the server is told to stop. */
  readonly signal: AbortSignal;
  /** Runs a call and counts it as in flight until it settles. */
  readonly run: <Value>(call: () => Promise<Value>) => Promise<Value>;
}

export interface OpenCalls extends Calls {
  /** Aborts every call, the later ones included. */
  readonly abort: () => void;
  /** Resolves when no call is in flight. */
  readonly settled: () => Promise<void>;
}

/** Opens an empty register. */
export function openCalls(): OpenCalls {
  const stop = new AbortController();
  const inFlight = new Set<Promise<unknown>>();
  return {
    signal: stop.signal,
    run(call) {
      const running = call();
      inFlight.add(running);
      const forget = (): void => void inFlight.delete(running);
      running.then(forget, forget);
      return running;
    },
    abort: () => {
      stop.abort();
    },
    async settled() {
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
    },
  };
}
