/**
 * The verifications of this process: an equal request joins the one under way, and is answered from what was found where
 * one has ended, if it takes that. Whoever waits may leave; the last to leave ends the run.
 */
import type { CallContext } from '../model/call-context.ts';
import { failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { ReasonCode, VerifyReport } from '../model/verdict.ts';

type Work = (call: CallContext) => Promise<Result<VerifyReport>>;

interface Job {
  readonly answer: Promise<Result<VerifyReport>>;
  readonly stop: AbortController;
  readonly listeners: Set<(message: string) => void>;
  waiting: number;
}

/** What may answer in place of a run of its own: a kept answer, any equal run under way, or only one that is fresh too. */
export type Age = 'kept' | 'running' | 'fresh';

export interface Verifications {
  /**
   * Answers from the cache if `age` lets it and `isStill` says that nothing has changed for so many milliseconds, else from
   * a job of the same key, else from `work`.
   */
  answer(
    key: string,
    age: Age,
    call: CallContext,
    { work, isStill }: { readonly work: Work; readonly isStill: (forMs: number) => boolean },
  ): Promise<Result<VerifyReport>>;
}

const MOST_KEPT = 50;
/** Less than a verification can be written, so that the id in a kept report is still of use. */
const LONGEST_KEPT_MS = 3_000_000;
/** Reasons that the same content need not give again: they lie in the machine, in time, or in what is installed. */
const TRANSIENT: readonly ReasonCode[] = [
  'tree_moved',
  'import_broken',
  'no_test_command',
  'runner_missing',
  'run_incomplete',
  'timed_out',
  'timeout_introduced',
  'tests_flaky',
  'tests_not_counted',
  'coverage_unknown',
];

/** Makes the register of one process; `now` is a monotonic clock in milliseconds. */
export function createVerifications(now: () => number = () => performance.now()): Verifications {
  const jobs = new Map<string, Job>();
  const kept = new Map<string, { readonly report: VerifyReport; readonly startedAt: number; readonly at: number }>();
  const keep = (key: string, startedAt: number, answer: Result<VerifyReport>): void => {
    if (!answer.ok || TRANSIENT.includes(answer.value.reasonCode)) return;
    kept.delete(key);
    kept.set(key, { report: answer.value, startedAt, at: now() });
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  };
  const start = (name: string, key: string, work: Work): Job => {
    const stop = new AbortController();
    const listeners = new Set<(message: string) => void>();
    const progress = (message: string): void => {
      for (const listener of listeners) listener(message);
    };
    const startedAt = now();
    const answer = work({ signal: stop.signal, progress });
    const job: Job = { answer, stop, listeners, waiting: 0 };
    jobs.set(name, job);
    const forget = (): void => {
      if (jobs.get(name) === job) jobs.delete(name);
    };
    answer.then((found) => {
      keep(key, startedAt, found);
      forget();
    }, forget);
    return job;
  };
  return {
    answer: async (key, age, call, { work, isStill }) => {
      const found = kept.get(key);
      const ageMs = found === undefined ? Infinity : now() - found.at;
      if (found !== undefined && age === 'kept' && ageMs < LONGEST_KEPT_MS && isStill(now() - found.startedAt)) {
        return ok(asKept(found.report, Math.round(ageMs)));
      }
      if (call.signal.aborted) return fail(cancelled());
      const fresh = `${key} fresh`;
      const running = [fresh, ...(age === 'fresh' ? [] : [key])]
        .map((name) => jobs.get(name))
        .find((found) => found?.stop.signal.aborted === false);
      const job = running ?? start(age === 'kept' ? key : fresh, key, work);
      job.waiting += 1;
      job.listeners.add(call.progress);
      let leave = (): void => undefined;
      const left = new Promise<Result<VerifyReport>>((resolve) => {
        leave = () => {
          job.waiting -= 1;
          // The last one waits until everything is put away; the others need not.
          if (job.waiting === 0) job.stop.abort();
          else resolve(fail(cancelled()));
        };
      });
      call.signal.addEventListener('abort', leave, { once: true });
      try {
        return await Promise.race([job.answer, left]);
      } finally {
        call.signal.removeEventListener('abort', leave);
        job.listeners.delete(call.progress);
      }
    },
  };
}

/** Nobody looks at what lies elsewhere, so the answer says that nobody did. */
function asKept(report: VerifyReport, ageMs: number): VerifyReport {
  const note =
    `This was found ${Math.round(ageMs / 1000)} s ago; nothing ran again. What lies outside the ` +
    'repository may have changed since without being seen, services too; fresh: true verifies anew.';
  return { ...report, notes: [...report.notes, note], cached: { ageMs } };
}

function cancelled() {
  return failure('CANCELLED', 'The verification was cancelled; nothing was written.');
}
