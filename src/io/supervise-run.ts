/**
 * Watches one live run and ends it: by time, by the caller's signal, by the size of its output, or on request. The first
 * reason stands; a later one can only make the end come sooner.
 */
import { fstatSync } from 'node:fs';
import type { RunEnding } from '../model/run.ts';
import { askToEnd, killTree, type ProcessTree } from './process-tree.ts';

export interface RunLimits {
  readonly timeoutMs: number;
  readonly outputLimitBytes: number;
  readonly graceMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface Supervision {
  /** Ends the run now (0), or after it had `graceMs` to end by itself. The kill of a grace of 0 is synchronous. */
  end(reason: RunEnding, graceMs: number): void;
  /** Stops watching, once the run has ended, and says why it did. */
  release(): RunEnding;
}

const MOST_GRACE_MS = 2_000;
const SIZE_CHECK_MS = 200;
/** How often a kill is repeated on a tree that has not ended yet. */
const REPEAT_MS = 200;

/** Starts watching; `outputFd` is looked at for its size only. */
export function superviseRun(tree: ProcessTree, outputFd: number, limits: RunLimits): Supervision {
  let reason: RunEnding = 'exited';
  let killAt = Infinity;
  let killer: NodeJS.Timeout | undefined;

  const kill = (): void => {
    killTree(tree);
    killer = setTimeout(kill, REPEAT_MS);
  };
  const end = (why: RunEnding, graceMs: number): void => {
    const now = performance.now();
    if (reason === 'exited') {
      reason = why;
      if (graceMs > 0) askToEnd(tree);
    }
    if (now + graceMs >= killAt) return;
    killAt = now + graceMs;
    clearTimeout(killer);
    if (graceMs > 0) killer = setTimeout(kill, graceMs);
    else kill();
  };

  // The time allowed includes the end by force, so a run is asked to end a little before it is over.
  const grace = Math.min(MOST_GRACE_MS, limits.timeoutMs / 10);
  const timer = setTimeout(() => {
    end('timed_out', grace);
  }, limits.timeoutMs - grace);
  const sizeCheck = setInterval(() => {
    if (fstatSync(outputFd).size > limits.outputLimitBytes) end('output_limit', 0);
  }, SIZE_CHECK_MS);
  const cancel = (): void => {
    end('cancelled', limits.graceMs);
  };
  if (limits.signal?.aborted === true) cancel();
  else limits.signal?.addEventListener('abort', cancel, { once: true });

  const release = (): RunEnding => {
    clearTimeout(timer);
    clearTimeout(killer);
    clearInterval(sizeCheck);
    limits.signal?.removeEventListener('abort', cancel);
    return reason;
  };
  return { end, release };
}
