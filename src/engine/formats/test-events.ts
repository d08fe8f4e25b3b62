/**
 * Reads the test events that our runtime agents wrote, from however many processes. A line that is cut off or is none of
 * ours is counted, not skipped in silence: evidence that cannot be read must not pass for none.
 */
import type { TestCase, TestEvent, TestOutcome, TestReport } from '../../model/suite.ts';

const OUTCOMES: readonly TestOutcome[] = ['passed', 'skipped', 'expected_failure', 'unexpected_pass', 'failed'];

export interface TestReading extends TestReport {
  /** Lines that are no event. */
  readonly unreadable: number;
}

/** Merges the event files of one run; of a test that was reported twice the worse outcome counts. */
export function readTestEvents(files: Iterable<Uint8Array>): TestReading {
  const tests = new Map<string, TestCase>();
  const errors: { readonly id: string; readonly message: string }[] = [];
  const runners: string[] = [];
  let [deselected, unreadable] = [0, 0];
  for (const line of linesOf(files)) {
    const event = readEvent(line);
    if (event === null) unreadable += 1;
    else if (event.event === 'error') errors.push({ id: event.id, message: event.message });
    else if (event.event === 'session') {
      if (!runners.includes(event.runner)) runners.push(event.runner);
      deselected += event.deselected ?? 0;
    } else {
      const earlier = tests.get(event.id);
      const isWorse = earlier === undefined || OUTCOMES.indexOf(event.outcome) > OUTCOMES.indexOf(earlier.outcome);
      const { id, outcome, message, file } = isWorse ? event : earlier;
      tests.set(id, { id, times: (earlier?.times ?? 0) + 1, outcome, message, file });
    }
  }
  const runner = runners.length === 0 ? null : runners.join(', ');
  return { runner, tests: [...tests.values()], errors, deselected, unreadable };
}

function* linesOf(files: Iterable<Uint8Array>): Iterable<string> {
  for (const bytes of files) {
    for (const line of Buffer.from(bytes).toString('utf8').split('\n')) if (line !== '') yield line;
  }
}

function readEvent(line: string): TestEvent | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  const text = (name: string): string | null => textOf(fields.get(name));
  const number = (name: string): number | null => numberOf(fields.get(name));
  const id = text('id');
  switch (fields.get('event')) {
    case 'session': {
      const runner = text('runner');
      if (runner === null) return null;
      return { event: 'session', runner, collected: number('collected'), deselected: number('deselected') };
    }
    case 'error':
      return id === null ? null : { event: 'error', id, message: text('message') ?? '' };
    case 'test': {
      const outcome = OUTCOMES.find((known) => known === fields.get('outcome'));
      if (id === null || outcome === undefined) return null;
      const [message, file, durationMs] = [text('message'), text('file'), number('durationMs')];
      return { event: 'test', id, outcome, message, file, durationMs };
    }
    default:
      return null;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
