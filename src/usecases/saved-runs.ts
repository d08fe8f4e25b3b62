/**
 * The runs behind the saved form of verify_change: one at a time for each root, each about the newest revision at its
 * start. Whoever waits is served by the first run that began at its floor or above, and may leave without stopping it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext } from '../model/call-context.ts';
import type { FailedAttempt } from '../model/revision.ts';

/** How one run ended: with a result, with a tree that moved under it, or with nothing that can be judged. */
export type Attempt<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'torn'; readonly paths: readonly string[] }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

export interface Published<Value> {
  /** The revision that the result is about. */
  readonly revision: number;
  readonly value: Value;
}

export type Waited<Value> =
  | ({ readonly kind: 'published' } & Published<Value>)
  | { readonly kind: 'torn'; readonly paths: readonly string[] }
  | { readonly kind: 'failed'; readonly failed: FailedAttempt }
  /** The wait is over, or the caller went away; the run goes on. */
  | { readonly kind: 'pending' };

/** One run. `reached` says that what is about to be measured is of a newer revision than the one at the start. */
export type SavedWork<Value> = (call: CallContext, reached: (revision: number) => void) => Promise<Attempt<Value>>;

export interface SavedRequest {
  /** Names the question: equal keys may share an answer. */
  readonly key: string;
  /** The revision that an answer has to be about, at least. */
  readonly floor: number;
  readonly waitMs: number;
  /** Asks again although an equal question was answered, or could not be, at this very revision. */
  readonly isFresh: boolean;
}

export interface SavedRuns<Value> {
  /** Waits for an answer to the request; `observed` tells the root's newest revision whenever it is called. */
  wait(
    root: string,
    request: SavedRequest,
    call: CallContext,
    { observed, work }: { readonly observed: () => number; readonly work: SavedWork<Value> },
  ): Promise<Waited<Value>>;
  /** The newest result to an equal question, of whatever revision. */
  latest(root: string, key: string): Published<Value> | null;
  /** The newest result to any question about the root. */
  newest(root: string): Published<Value> | null;
  /** True when some question about the root was ever answered. */
  hasAnswered(root: string): boolean;
  /** Ends every run and resolves when all have put away what they made. */
  stop(): Promise<void>;
}

interface Job<Value> {
  readonly key: string;
  /** A question that wants nothing taken over is not answered by a run that takes over. */
  readonly isFresh: boolean;
  readonly observed: () => number;
  readonly work: SavedWork<Value>;
  readonly listeners: Set<(message: string) => void>;
  readonly ended: Promise<Waited<Value>>;
  readonly end: (how: Waited<Value>) => void;
  /** Undefined until it starts. */
  target: number | undefined;
}

interface Lane<Value> {
  running: Job<Value> | null;
  readonly queue: Job<Value>[];
  readonly published: Map<string, Published<Value>>;
  readonly failed: Map<string, FailedAttempt>;
}

/** A tree that moved under this many runs in a row is not going to hold still. */
const MOST_ATTEMPTS = 3;
const MOST_KEPT = 20;
const MOST_QUEUED = 50;

/** Makes the register of one process. */
export function createSavedRuns<Value>(): SavedRuns<Value> {
  const lanes = new Map<string, Lane<Value>>();
  const stopped = new AbortController();
  const laneOf = (root: string): Lane<Value> => {
    const lane = lanes.get(root) ?? { running: null, queue: [], published: new Map(), failed: new Map() };
    lanes.set(root, lane);
    return lane;
  };
  const startNext = (lane: Lane<Value>): void => {
    const job = lane.queue.shift();
    if (job === undefined) return;
    lane.running = job;
    void run(job, lane, stopped.signal).then((how) => {
      lane.running = null;
      job.end(how);
      startNext(lane);
    });
  };
  return {
    wait: async (root, request, call, { observed, work }) => {
      const lane = laneOf(root);
      const known = request.isFresh ? null : answerOf(lane, request, observed());
      if (known !== null) return known;
      const joined = joinable(lane, request);
      if (joined === undefined && lane.queue.length >= MOST_QUEUED)
        return { kind: 'failed', failed: tooMany(observed()) };
      const job = joined ?? newJob(request, observed, work);
      if (job.target === undefined && !lane.queue.includes(job)) lane.queue.push(job);
      if (lane.running === null) startNext(lane);
      return waitFor(job, request.waitMs, call);
    },
    latest: (root, key) => lanes.get(root)?.published.get(key) ?? null,
    newest: (root) => {
      const all = [...(lanes.get(root)?.published.values() ?? [])];
      return all.reduce<Published<Value> | null>(
        (best, one) => (one.revision >= (best?.revision ?? 0) ? one : best),
        null,
      );
    },
    hasAnswered: (root) => (lanes.get(root)?.published.size ?? 0) > 0,
    stop: async () => {
      stopped.abort();
      const jobs = [...lanes.values()].flatMap(({ running, queue }) =>
        running === null ? queue : [running, ...queue],
      );
      await Promise.all(jobs.map(({ ended }) => ended));
    },
  };
}

/** What is known already: a result at the floor or above, or a failure since which nothing has been seen to change. */
function answerOf<Value>(lane: Lane<Value>, { key, floor }: SavedRequest, observed: number): Waited<Value> | null {
  const published = lane.published.get(key);
  if (published !== undefined && published.revision >= floor) return { kind: 'published', ...published };
  const failed = lane.failed.get(key);
  const isIdle = lane.running === null && lane.queue.length === 0;
  return failed !== undefined && isIdle && failed.revision >= observed ? { kind: 'failed', failed } : null;
}

function tooMany(revision: number): FailedAttempt {
  const message = `${MOST_QUEUED} other questions about this root wait for their turn; ask again when they are answered.`;
  return { revision, code: 'TOO_MANY_WAIT', message };
}

/** The run that will answer an equal question: it waits its turn, or began at the floor or above. */
function joinable<Value>(
  { running, queue }: Lane<Value>,
  { key, floor, isFresh }: SavedRequest,
): Job<Value> | undefined {
  const isEnough = running?.key === key && (running.target ?? 0) >= floor && (running.isFresh || !isFresh);
  return isEnough ? running : queue.find((job) => job.key === key && (job.isFresh || !isFresh));
}

function newJob<Value>({ key, isFresh }: SavedRequest, observed: () => number, work: SavedWork<Value>): Job<Value> {
  let end: Job<Value>['end'] = () => undefined;
  const ended = new Promise<Waited<Value>>((resolve) => {
    end = resolve;
  });
  return { key, isFresh, observed, work, listeners: new Set(), ended, end, target: undefined };
}

async function run<Value>(job: Job<Value>, lane: Lane<Value>, signal: AbortSignal): Promise<Waited<Value>> {
  const progress = (message: string): void => {
    for (const listener of job.listeners) listener(message);
  };
  let torn: readonly string[] = [];
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    let target = job.observed();
    job.target = target;
    const reached = (revision: number): void => {
      target = Math.max(target, revision);
      job.target = target;
    };
    const how = await attemptOf(job, { signal, progress }, reached);
    if (how.kind === 'done') {
      const published = { revision: target, value: how.value };
      keep(lane, job.key, published);
      return { kind: 'published', ...published };
    }
    if (how.kind === 'failed') {
      const failed = { revision: target, code: how.code, message: how.message };
      lane.failed.set(job.key, failed);
      bound(lane.failed);
      return { kind: 'failed', failed };
    }
    torn = how.paths;
  }
  return { kind: 'torn', paths: torn };
}

/** A breakdown of ours ends a run as any other failure does: others wait in the same lane. */
async function attemptOf<Value>(
  { work }: Job<Value>,
  call: CallContext,
  reached: (revision: number) => void,
): Promise<Attempt<Value>> {
  if (call.signal.aborted) return { kind: 'failed', code: 'CANCELLED', message: 'The server was told to stop.' };
  try {
    return await work(call, reached);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', code: 'INTERNAL', message: `The verification broke down: ${why}.` };
  }
}

function keep<Value>({ published, failed }: Lane<Value>, key: string, result: Published<Value>): void {
  failed.delete(key);
  published.delete(key);
  published.set(key, result);
  bound(published);
}

function bound(kept: Map<string, unknown>): void {
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
}

async function waitFor<Value>(job: Job<Value>, waitMs: number, call: CallContext): Promise<Waited<Value>> {
  const leave = new AbortController();
  const signal = AbortSignal.any([call.signal, leave.signal]);
  job.listeners.add(call.progress);
  try {
    // A wait that is cut off by the caller's end is over as well.
    const over = sleep(waitMs, undefined, { signal }).catch(() => undefined);
    return await Promise.race([job.ended, over.then((): Waited<Value> => ({ kind: 'pending' }))]);
  } finally {
    leave.abort();
    job.listeners.delete(call.progress);
  }
}
