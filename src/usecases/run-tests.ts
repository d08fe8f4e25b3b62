/** Runs an authorised test command and reads off whether it passed; the file it judges is already written. */
import type { CallContext } from '../model/call-context.ts';
import { failure, type Failure } from '../model/failure.ts';
import type { RunOutcome } from '../model/run.ts';
import type { WriteFacts } from '../model/write-facts.ts';
import type { TestCommand } from './authorise.ts';
import type { Product } from './product.ts';

export interface TestResult {
  /** Null when the tests passed; else the sentence and code that say how they did not. */
  readonly refusal: Failure | null;
  readonly facts: Pick<WriteFacts, 'test_output' | 'tests' | 'isolation'>;
  readonly notes: readonly string[];
}

/** A server must be gone within a second of being told to stop, and the file put back before that. */
const CANCEL_GRACE_MS = 250;

/** Runs the command from the root; settles once every process of it is gone. */
export async function runTests(
  { host, testTimeoutMs }: Product,
  root: string,
  { command, env }: TestCommand,
  { id, outputPath }: { readonly id: string; readonly outputPath: string },
  call: CallContext,
): Promise<TestResult> {
  call.progress(`running ${command.join(' ')}`);
  const outcome = await host.runner.run({
    command,
    cwd: root,
    env,
    outputPath,
    timeoutMs: testTimeoutMs,
    graceMs: CANCEL_GRACE_MS,
    signal: call.signal,
  });
  return {
    refusal: refusalOf(outcome, testTimeoutMs),
    facts: {
      test_output: outcome.output,
      isolation: outcome.isolation,
      tests: {
        command,
        exit_code: outcome.exitCode,
        signal: outcome.signal,
        timed_out: outcome.ending === 'timed_out',
        duration_ms: Math.round(outcome.durationMs),
        output_bytes: outcome.outputBytes,
        output_truncated: outcome.outputTruncated,
        output_uri: `surepatch://output/${id}`,
      },
    },
    notes:
      outcome.survivors.length === 0
        ? []
        : [`These processes of the test command could not be ended: ${outcome.survivors.join(', ')}.`],
  };
}

function refusalOf(outcome: RunOutcome, timeoutMs: number): Failure | null {
  switch (outcome.ending) {
    case 'exited':
      if (outcome.exitCode === 0) return null;
      return outcome.signal === null
        ? failure('TESTS_FAILED', `The tests failed with exit code ${outcome.exitCode ?? 'unknown'}.`)
        : failure('TESTS_FAILED', `The test command was ended by ${outcome.signal}.`);
    case 'timed_out':
      return failure('TIMED_OUT', `The test command did not end within ${timeoutMs / 1000} s.`);
    case 'cancelled':
      return failure('CANCELLED', 'The call was cancelled while the tests ran.');
    case 'output_limit':
      return failure('OUTPUT_TOO_LARGE', `The test command printed ${outcome.outputBytes} bytes and was ended.`);
    case 'not_started':
      return failure(
        'PROGRAM_NOT_FOUND',
        `The test command could not be started (${outcome.startError ?? 'no reason'}).`,
      );
  }
}
