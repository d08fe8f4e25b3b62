/** A signal to the process cancels what a command is doing, so that it ends and undoes instead of dying on the spot. */
import type { CallContext } from '../model/call-context.ts';
import type { Surroundings } from './surroundings.ts';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs `work` with a context that ends when the process is told to stop, and that says on stderr where it stands. */
export async function untilStopped<Value>(
  { process: events, stderr }: Surroundings,
  work: (call: CallContext) => Promise<Value>,
): Promise<Value> {
  const stop = new AbortController();
  const onSignal = (): void => {
    stop.abort();
  };
  for (const signal of STOP_SIGNALS) events.on(signal, onSignal);
  try {
    return await work({ signal: stop.signal, progress: (message) => void stderr.write(`surepatch: ${message}\n`) });
  } finally {
    for (const signal of STOP_SIGNALS) events.off(signal, onSignal);
  }
}
