/**
 * Serves one client over stdio until it goes away or the process is told to stop; then aborts the calls in flight,
 * waits until they have put everything back, and reports the exit code. It never exits by itself.
 */
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer, type ServerParts } from '../server.ts';
import { openCalls } from '../tools/calls.ts';
import { StdioTransport, type StdioStreams } from './transport.ts';

/** The part of `process` that tells a server to stop. */
export interface StopEvents {
  readonly on: (event: string, listener: (detail: unknown) => void) => unknown;
  readonly off: (event: string, listener: (detail: unknown) => void) => unknown;
}

export interface ServeOptions extends Omit<ServerParts, 'calls'>, StdioStreams {
  readonly process: StopEvents;
  /** Runs once the client's opening is answered, e.g. to begin what need not delay it. */
  readonly onOpened?: () => void;
  /** Runs after the last call has ended, e.g. to release locks. */
  readonly onShutdown?: () => Promise<void>;
  /** How long calls may take to put things back once aborted, in milliseconds; 10,000 unless given. */
  readonly graceMs?: number;
}

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const BREAKDOWNS = ['uncaughtException', 'unhandledRejection'] as const;
const GRACE_MS = 10_000;
const FLUSH_MS = 200;

/**
 * Resolves with the exit code once the connection is over: 0 when everything was put back, 1 when the process broke
 * down or calls were still unsettled after the grace period (the journal then finishes them at the next start).
 */
export async function serveOverStdio(options: ServeOptions): Promise<number> {
  const { log, process: events, graceMs = GRACE_MS } = options;
  const calls = openCalls();
  let stop: (exitCode: number) => void = () => undefined;
  const stopped = new Promise<number>((resolve) => {
    stop = resolve;
  });
  const transport = new StdioTransport(options, () => {
    stop(0);
  });
  void transport.opened.then(options.onOpened);
  const onSignal = (): void => {
    stop(0);
  };
  const onBreakdown = (error: unknown): void => {
    log(`broke down: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    stop(1);
  };
  for (const signal of STOP_SIGNALS) events.on(signal, onSignal);
  for (const breakdown of BREAKDOWNS) events.on(breakdown, onBreakdown);

  const connection = serveStdio(() => createServer({ ...options, calls }), {
    transport,
    onerror: (error) => {
      log(`protocol: ${error.message}`);
    },
  });
  const exitCode = await stopped;
  // What was read before the end is still delivered, so that it gets its answer.
  await nextTurn();
  calls.abort();
  const settled = await within(graceMs, calls.settled());
  if (!settled)
    log(`calls were still running ${graceMs} ms after the stop; their journal is finished at the next start`);
  await nextTurn();
  await within(FLUSH_MS, transport.flushed());
  await connection.close();
  await options.onShutdown?.();
  for (const signal of STOP_SIGNALS) events.off(signal, onSignal);
  for (const breakdown of BREAKDOWNS) events.off(breakdown, onBreakdown);
  return settled ? exitCode : 1;
}

async function within(ms: number, ending: Promise<void>): Promise<boolean> {
  const timeout = new AbortController();
  const late = delay(ms, false, { signal: timeout.signal }).catch(() => false);
  const inTime = await Promise.race([ending.then(() => true), late]);
  timeout.abort();
  return inTime;
}
