/** A file that is written → kept because its tests passed (or none were asked for), or put back, and what is said of it. */
import type { PutBack } from '../io/put-back.ts';
import type { OpenWrite } from '../io/write-transaction.ts';
import type { CallContext } from '../model/call-context.ts';
import { failure, type Failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { DiskState, WriteFacts } from '../model/write-facts.ts';
import { withNotes, type WriteFixReport } from '../model/write-report.ts';
import type { TestCommand } from './authorise.ts';
import type { Target } from './locate-target.ts';
import type { Product } from './product.ts';
import { runTests, type TestResult } from './run-tests.ts';

export interface Written {
  /** Real path of the root. */
  readonly root: string;
  readonly target: Target;
  readonly tests: TestCommand | null;
  readonly write: OpenWrite;
  readonly id: string;
  readonly facts: Pick<WriteFacts, 'git_state' | 'write_id' | 'sha256_before' | 'sha256_after'>;
  readonly notes: readonly string[];
}

const NO_TESTS: TestResult = { refusal: null, facts: { test_output: null }, notes: [] };
const MOST_CHANGED_PATHS = 10;

/** Runs the tests, if any, and ends the open write by their outcome. */
export async function settle(product: Product, written: Written, call: CallContext): Promise<Result<WriteFixReport>> {
  if (written.tests === null) return keep(product, written, NO_TESTS);
  const result = await test(product, written, written.tests, call);
  const known = { ...written, notes: [...written.notes, ...result.notes] };
  const { refusal } = result;
  const answer = refusal === null ? keep(product, known, result) : putBack(product, known, result, refusal);
  // Looked for only now, because the file must not wait for a walk through the tree to be put back.
  return call.signal.aborted ? answer : withNotes(answer, [], changesElsewhere(product, written));
}

async function test(product: Product, written: Written, tests: TestCommand, call: CallContext): Promise<TestResult> {
  const state = product.host.state();
  if (!state.ok) return { ...NO_TESTS, refusal: state.failure };
  try {
    const outputPath = state.value.outputs.add(written.id);
    return await runTests(product, written.root, tests, { id: written.id, outputPath }, call);
  } catch (error) {
    return { ...NO_TESTS, refusal: refusalOf(product, error) };
  }
}

/** Whatever broke while the tests ran, the file is put back before anything is said. */
function refusalOf({ host }: Product, error: unknown): Failure {
  try {
    return host.diskFailure(error, 'to keep the output of the test run');
  } catch {
    return failure(
      'INTERNAL',
      `The test run broke down: ${error instanceof Error ? error.message : 'no reason given'}.`,
    );
  }
}

function changesElsewhere({ host }: Product, { root, target, write }: Written): readonly string[] {
  const changed = host.changedPaths(root, write.publishedNs, target.path, MOST_CHANGED_PATHS);
  const notes = [];
  if (changed.total > 0) {
    const more = changed.total > changed.paths.length ? ` and ${changed.total - changed.paths.length} more` : '';
    notes.push(`Also changed while the tests ran, and left so: ${changed.paths.join(', ')}${more}.`);
  }
  if (!changed.complete) notes.push('The repository is too large to look through for other changes of the test run.');
  return notes;
}

function keep(product: Product, written: Written, result: TestResult): Result<WriteFixReport> {
  const { write, target, facts, notes } = written;
  const found = write.found();
  if (!found.ok) return putBack(product, written, result, found.failure);
  if (found.value !== facts.sha256_after) {
    const { backup, notes: more } = write.abandon();
    const left = { ...written, notes: [...notes, ...more] };
    return fail(conflict(product, left, result, { found: found.value, kept: backup }, 'The tests passed, but'));
  }
  const committed = write.commit();
  if (!committed.ok) {
    const disk_state = stateOf(written);
    const rolled_back = disk_state === 'rolled_back';
    return fail(withReport(committed.failure, { ...facts, ...result.facts, rolled_back, disk_state, notes }));
  }
  return ok({
    success: true,
    error: null,
    ...result.facts,
    rolled_back: false,
    disk_state: 'patched',
    ...facts,
    backup: committed.value.backup === null ? null : besideTarget(target, committed.value.backup),
    revision: product.revisions.raise(written.root),
    notes: [...notes, ...committed.value.notes],
  });
}

function putBack(product: Product, written: Written, result: TestResult, why: Failure): Result<WriteFixReport> {
  const { write, target, facts, notes } = written;
  const undone = write.rollBack();
  if (!undone.ok) {
    const backup = besideTarget(target, write.backup);
    const disk_state = stateOf(written);
    return fail(withReport(undone.failure, { ...facts, ...result.facts, backup, disk_state, notes }));
  }
  if (undone.value.outcome === 'conflict') {
    const left = { ...written, notes: [...notes, ...undone.value.notes] };
    return fail(conflict(product, left, result, undone.value, `${why.message} But`));
  }
  const { kept } = undone.value;
  const report: WriteFacts = {
    ...facts,
    ...result.facts,
    test_output: result.facts.test_output,
    rolled_back: true,
    disk_state: 'rolled_back',
    revision: product.revisions.raise(written.root),
    notes:
      kept === null
        ? [...notes, ...undone.value.notes]
        : [
            ...notes,
            ...undone.value.notes,
            `${besideTarget(target, kept)} keeps bytes that were not Surepatch's; look at it.`,
          ],
  };
  const message = `${why.message} ${target.path} was put back.`;
  if (why.code === 'TESTS_FAILED' || why.code === 'TIMED_OUT') {
    return ok({ ...report, success: false, error: message, error_code: why.code, hint: why.hint });
  }
  return fail(withReport({ ...why, message }, report));
}

/** Where the file stands after putting it back was tried, by its bytes. */
function stateOf({ write, facts }: Written): DiskState {
  const found = write.found();
  if (!found.ok) return 'unknown';
  if (found.value === facts.sha256_before) return 'rolled_back';
  return found.value === facts.sha256_after ? 'patched' : 'conflict';
}

function conflict(
  product: Product,
  { target, facts, notes, root }: Written,
  result: TestResult,
  { found, kept }: Pick<PutBack, 'found' | 'kept'>,
  start: string,
): Failure {
  const backup = kept === null ? null : besideTarget(target, kept);
  const where = backup === null ? 'no backup is left' : `its bytes of before are in ${backup}`;
  const message = `${start} ${target.path} was changed meanwhile, by the tests or by somebody else; it was left alone, and ${where}.`;
  return withReport(failure('ROLLBACK_CONFLICT', message), {
    ...facts,
    ...result.facts,
    disk_state: 'conflict',
    backup,
    revision: product.revisions.raise(root),
    notes,
    ...(found === null ? {} : { sha256_found: found }),
  });
}

function withReport(why: Failure, report: Partial<WriteFacts>): Failure {
  return { ...why, details: { ...why.details, report } };
}

function besideTarget(target: Target, name: string): string {
  return [...target.components.slice(0, -1), name].join('/');
}
