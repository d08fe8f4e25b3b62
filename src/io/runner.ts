/**
 * Runs the test command once and answers only when nothing of it is alive. Never buffers output, never falls back to weaker
 * containment in the middle of a run, and never waits on a descriptor that a descendant may hold open.
 */
import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { RunEnding, RunOutcome, RunRequest } from '../model/run.ts';
import type { Isolation } from '../model/isolation.ts';
import { decodeReport } from './decode-end.ts';
import { createOutputFile, readExcerpt } from './output-file.ts';
import { confirmEnded, RUN_ID_VARIABLE, type ProcessTree } from './process-tree.ts';
import { processStarter, type ProcessEnd, type StartProcess } from './process.ts';
import { probeContainment, type Containment } from './run-isolation.ts';
import { superviseRun, type Supervision } from './supervise-run.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_OUTPUT_LIMIT_BYTES = 8 * 1024 ** 3;
const DEFAULT_GRACE_MS = 2_000;
/** What a run may take to end when the whole server stops. */
const STOP_GRACE_MS = 250;
const CONFIRM_LIMIT_MS = 1_000;

export interface Runner {
  /** Runs the command; rejects only when the output file cannot be created or read. */
  run(request: RunRequest): Promise<RunOutcome>;
  /** Says what holds runs together on this machine; the probe runs once, at the first need. */
  isolation(): Promise<Isolation>;
  /** Ends every live run and starts no further one; each settles as cancelled. Resolves when all have settled. */
  stopAll(graceMs?: number): Promise<void>;
}

/** Makes a runner; `probe` decides about containment and is asked once. */
export function createRunner(probe: () => Promise<Containment> = probeContainment): Runner {
  const live = new Set<Supervision>();
  const pending = new Set<Promise<unknown>>();
  let probed: Promise<Containment> | undefined;
  let stopped = false;
  const containment = (): Promise<Containment> => (probed ??= probe());

  const runInto = async (
    file: FileHandle,
    request: RunRequest,
    contained: Containment,
    startProcess: StartProcess,
  ): Promise<RunOutcome> => {
    if (stopped || request.signal?.aborted === true) return report(file, request, contained, { ending: 'cancelled' });
    const runId = randomUUID();
    const started = performance.now();
    const child = startProcess({
      prefix: contained.prefix,
      command: request.command,
      cwd: request.cwd,
      env: { ...request.env, [RUN_ID_VARIABLE]: runId },
      outputFd: file.fd,
      reportsStatus: contained.kind === 'pid_namespace',
    });
    if (child.pid === undefined) {
      const { startError } = await child.ended;
      return report(file, request, contained, { ending: 'not_started', startError });
    }
    const tree: ProcessTree = { kind: contained.kind, leader: child.pid, runId, outputPath: request.outputPath };
    const supervision = superviseRun(tree, file.fd, {
      timeoutMs: request.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      outputLimitBytes: request.outputLimitBytes ?? DEFAULT_OUTPUT_LIMIT_BYTES,
      graceMs: request.graceMs ?? DEFAULT_GRACE_MS,
      signal: request.signal,
    });
    live.add(supervision);
    const end = await child.ended;
    live.delete(supervision);
    const reason = supervision.release();
    const durationMs = Math.round(performance.now() - started);
    const survivors = provesEmpty(end, contained) ? [] : await confirmEnded(tree, CONFIRM_LIMIT_MS);
    return report(file, request, contained, { ...understand(end, reason, contained), durationMs, survivors });
  };

  const run = async (request: RunRequest): Promise<RunOutcome> => {
    const [contained, startProcess] = await Promise.all([request.wrapper ?? containment(), processStarter()]);
    const file = await createOutputFile(request.outputPath);
    try {
      return await runInto(file, request, contained, startProcess);
    } finally {
      await file.close();
    }
  };

  return {
    run: (request) => {
      const outcome = run(request);
      pending.add(outcome);
      const forget = (): boolean => pending.delete(outcome);
      outcome.then(forget, forget);
      return outcome;
    },
    isolation: async () => isolationOf(await containment()),
    stopAll: async (graceMs = STOP_GRACE_MS) => {
      stopped = true;
      for (const supervision of live) supervision.end('cancelled', graceMs);
      await Promise.allSettled(pending);
    },
  };
}

/** A namespace whose wrapper ended by itself has no process left; anything else is looked into. */
function provesEmpty(end: ProcessEnd, { kind }: Containment): boolean {
  return kind === 'pid_namespace' && end.signal === null && end.status !== '';
}

function understand(end: ProcessEnd, reason: RunEnding, { kind }: Containment): Partial<RunOutcome> {
  const { exitCode, signal } = end;
  if (kind === 'process_group') return { ending: reason, exitCode, signal };
  const reported = decodeReport(end.status);
  if (reported !== null) return { ending: reason, ...reported };
  // Ended by itself without a report: a namespace or mount could not be made, although the probe could make one.
  if (reason === 'exited' && signal === null) {
    return { ending: 'not_started', startError: `what holds the run could not be set up: ${end.complaint.trim()}` };
  }
  // Whatever the wrapper says of its own end, a namespace that reports nothing was killed.
  return { ending: reason, signal: signal ?? 'SIGKILL' };
}

async function report(
  file: FileHandle,
  { outputPath }: RunRequest,
  contained: Containment,
  known: Partial<RunOutcome>,
): Promise<RunOutcome> {
  const nothing = { ending: 'exited', exitCode: null, signal: null, durationMs: 0, startError: null } as const;
  const excerpt = await readExcerpt(file);
  return { ...nothing, survivors: [], ...known, ...excerpt, outputPath, isolation: isolationOf(contained) };
}

function isolationOf({ kind, probe }: Containment): Isolation {
  return { level: 'none', processes: kind, network: 'host', probe };
}
