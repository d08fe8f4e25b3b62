/** A file that is written → kept because its tests passed (or none were asked for), or put back, and what is said of it. */
import type { PutBack } from '../io/put-back.ts';
import type { OpenWrite } from '../io/write-transaction.ts';
import type { CallContext } from '../model/call-context.ts';
import { failure, type Failure } from '../model/failure.ts';
import type { HistoryEvent } from '../model/history.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { DiskState, Revision, WriteFacts } from '../model/write-facts.ts';
import { withNotes, type WriteFixReport } from '../model/write-report.ts';
import type { TestCommand } from './authorise.ts';
import type { Root, Target } from './locate-target.ts';
import type { Product } from './product.ts';
import { recordHistory, withHistoryLock } from './record-history.ts';
import { runTests, type TestResult } from './run-tests.ts';

export interface Written {
  readonly root: Root;
  readonly target: Target;
  readonly tests: TestCommand | null;
  readonly write: OpenWrite;
  readonly id: string;
  readonly facts: Pick<WriteFacts, 'git_state' | 'write_id' | 'sha256_before' | 'sha256_after'>;
  readonly notes: readonly string[];
  /** What the history will hold if the file stays, with the name of the backup. */
  readonly event: (backup: string | null) => HistoryEvent;
}

const NO_TESTS: TestResult = { refusal: null, facts: { test_output: null }, notes: [] };
const MOST_CHANGED_PATHS = 10;

/** Runs the tests, if any, and ends the open write by their outcome. */
export async function settle(product: Product, written: Written, call: CallContext): Promise<Result<WriteFixReport>> {
  if (written.tests === null) return rememberEnding(product, written, await keep(product, written, NO_TESTS));
  const result = await test(product, written, written.tests, call);
  const known = { ...written, notes: [...written.notes, ...result.notes] };
  const { refusal } = result;
  const ended = refusal === null ? await keep(product, known, result) : putBack(product, known, result, refusal);
  const answer = await rememberEnding(product, written, ended);
  // Looked for only now, because the file must not wait for a walk through the tree to be put back.
  return call.signal.aborted ? answer : withNotes(answer, [], changesElsewhere(product, written));
}

async function test(product: Product, written: Written, tests: TestCommand, call: CallContext): Promise<TestResult> {
  const state = product.host.state();
  if (!state.ok) return { ...NO_TESTS, refusal: state.failure };
  try {
    const outputPath = state.value.outputs.add(written.id);
    return await runTests(product, written.root.path, tests, { id: written.id, outputPath }, call);
  } catch (error) {
    return { ...NO_TESTS, refusal: refusalOf(product, error, 'to keep the output of the test run') };
  }
}

/** Whatever broke while the tests ran, the file is put back before anything is said. */
function refusalOf({ host }: Product, error: unknown, purpose: string): Failure {
  try {
    return host.diskFailure(error, purpose);
  } catch {
    const why = error instanceof Error ? error.message : 'no reason given';
    return failure('INTERNAL', `Surepatch broke down when it was ${purpose}: ${why}.`);
  }
}

function changesElsewhere({ host }: Product, { root, target, write }: Written): readonly string[] {
  const changed = host.changedPaths(root.path, write.publishedNs, target.path, MOST_CHANGED_PATHS);
  const notes = [];
  if (changed.total > 0) {
    const more = changed.total > changed.paths.length ? ` and ${changed.total - changed.paths.length} more` : '';
    notes.push(`Also changed while the tests ran, and left so: ${changed.paths.join(', ')}${more}.`);
  }
  if (!changed.complete) notes.push('The repository is too large to look through for other changes of the test run.');
  return notes;
}

/** Under one lock, so that what the history calls kept is what the last look found; a failure puts the file back. */
async function keep(product: Product, written: Written, result: TestResult): Promise<Result<WriteFixReport>> {
  const kept = await withHistoryLock(product, written.root, () => remember(product, written, result));
  return kept.ok ? kept.value : putBack(product, written, result, kept.failure);
}

/** Remembers the write, then makes it final. The outer result fails while the write can still be put back. */
function remember(product: Product, written: Written, result: TestResult): Result<Result<WriteFixReport>> {
  const { host } = product;
  const { write, facts, root, target, notes } = written;
  const found = write.found();
  if (!found.ok) return found;
  if (found.value !== facts.sha256_after) {
    const { backup, notes: more } = write.abandon();
    const left = { ...written, notes: [...notes, ...more] };
    return ok(fail(conflict(product, left, result, { found: found.value, kept: backup }, 'The tests passed, but')));
  }
  const secured = write.secure();
  if (!secured.ok) return secured;
  const store = host.openHistory(root);
  if (!store.ok) return store;
  const revision = product.revisions.raise(root.path, [target.path]);
  try {
    store.value.append({ ...written.event(secured.value), revision }, host.now());
    return ok(makeFinal(written, result, revision));
  } catch (error) {
    return fail(refusalOf(product, error, 'to record this write in the history'));
  }
}

/** What did not stay is remembered once it is settled; that this failed is said, and changes nothing of the answer. */
async function rememberEnding(
  product: Product,
  { event, root, target }: Written,
  answer: Result<WriteFixReport>,
): Promise<Result<WriteFixReport>> {
  const report = answer.ok ? answer.value : answer.failure.details.report;
  if (answer.ok && answer.value.success) return answer;
  const outcome = (answer.ok ? answer.value.error_code : answer.failure.code) ?? 'INTERNAL';
  const said = event(null);
  const backup = report?.backup ?? null;
  const files = said.files.map((file) => ({
    ...file,
    preimage: backup === null || file.preimage === null ? null : { ...file.preimage, backup },
  }));
  const revision = report?.revision ?? product.revisions.raise(root.path, [target.path]);
  const ending = { ...said, kind: 'rollback' as const, of: said.id, outcome, files, revision };
  const recorded = await recordHistory(product, root, ending);
  return recorded.ok ? answer : withNotes(answer, [], [`Not in the history: ${recorded.failure.message}`]);
}

function makeFinal(written: Written, result: TestResult, revision: Revision): Result<WriteFixReport> {
  const { write, target, facts, notes } = written;
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
    revision,
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
    revision: product.revisions.raise(written.root.path, [target.path]),
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
    revision: product.revisions.raise(root.path, [target.path]),
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
