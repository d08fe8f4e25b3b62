/** write_fix: locate → authorise → take in → write → test → settle. Everything before "write" touches nothing. */
import { join } from 'node:path';
import type { Journal } from '../io/journal.ts';
import { parsePatch } from '../engine/patch/parse.ts';
import { matchTarget } from '../engine/patch/target.ts';
import type { CallContext } from '../model/call-context.ts';
import { failure } from '../model/failure.ts';
import type { Patch } from '../model/patch.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { GitState } from '../model/write-facts.ts';
import { withNotes, type WriteFixReport, type WriteFixRequest } from '../model/write-report.ts';
import { authorise, type TestCommand } from './authorise.ts';
import { takeIn, type Change } from './intake.ts';
import { locateRoot, locateTarget, type Root, type Target } from './locate-target.ts';
import type { Product } from './product.ts';
import { settle } from './settle.ts';
import { isUnsettled, pendingElsewhere, recoverOtherRoots } from './recover-roots.ts';
import { claim, giveBack, refuseStale, verifyBefore, withVerdict, type Verified } from './verified-write.ts';
import { rootKey, withLock, withRoot } from './with-root.ts';

const SPARE_BYTES = 1n << 20n;

/** What a call asks for, once every part of it is admitted. */
interface Order {
  readonly root: Root;
  readonly target: Target;
  readonly patch: Patch;
  readonly expectedSha256: string | undefined;
  readonly tests: TestCommand | null;
}

/** Applies one patch to one file, runs the tests if there are any, and keeps the file or puts it back. */
export async function writeFix(
  product: Product,
  request: WriteFixRequest,
  call: CallContext,
): Promise<Result<WriteFixReport>> {
  try {
    const order = admit(product, request);
    if (!order.ok) return order;
    if (request.dryRun === true) return await rehearse(product, order.value, call);
    const verified = await verifyBefore(product, request, order.value, call);
    if (!verified.ok) return verified;
    if (verified.value === null) return await inTurn(product, order.value, null, call);
    // The suite ran in the shadow tree, and is not run again.
    return withVerdict(await inTurn(product, { ...order.value, tests: null }, verified.value, call), verified.value);
  } catch (error) {
    // Writing and putting back answer for themselves, so what comes here was met before anything was written.
    return fail(product.host.diskFailure(error, 'to read the repository or to keep Surepatch’s own state'));
  }
}

async function inTurn(
  product: Product,
  order: Order,
  verified: Verified | null,
  call: CallContext,
): Promise<Result<WriteFixReport>> {
  const { root, target } = order;
  const file = join(root.path, target.path);
  const elsewhere = await recoverOtherRoots(product, root, file, call);
  const answer = await withRoot(product, root, call, async ({ journal, recovery }) => {
    const own = await withFileLock(product, file, call, () => {
      const pending = recovery.unresolved.find((left) => left.file === target.path);
      if (pending !== undefined) return Promise.resolve(fail(recoveryPending(target.path, pending.backup)));
      const other = pendingElsewhere(product, root, file);
      if (other !== undefined) return Promise.resolve(fail(recoveryPending(target.path, other.backup)));
      return takeIn(product, order, async (change) => {
        const stale = verified === null ? null : await refuseStale(product, root, target, verified, change);
        return stale === null ? write(product, { ...order, verified }, change, journal, call) : fail(stale);
      });
    });
    return withNotes(own, recovery.notes);
  });
  return withNotes(answer, elsewhere);
}

/** Roots may lie in one another, so the file has a lock of its own inside that of its root. */
function withFileLock<Value>(
  product: Product,
  file: string,
  call: CallContext,
  use: () => Promise<Result<Value>>,
): Promise<Result<Value>> {
  return withLock(product, `file ${file}`, call, use);
}

function recoveryPending(path: string, backup: string) {
  const message = `${path} was changed after a write that did not finish; the bytes before it are in ${backup}.`;
  return failure('RECOVERY_PENDING', message);
}

function admit(product: Product, request: WriteFixRequest): Result<Order> {
  const root = locateRoot(product, request.repoRoot, request.argumentNames?.root);
  if (!root.ok) return root;
  const target = locateTarget(product, root.value, request.filePath, request.argumentNames?.file);
  if (!target.ok) return target;
  const parsed = parsePatch(request.diff);
  if (!parsed.ok) return parsed;
  const patch = matchTarget(parsed.value, target.value.path);
  if (!patch.ok) return patch;
  const order = { root: root.value, target: target.value, patch: patch.value, expectedSha256: request.expectedSha256 };
  if (request.testCommand === undefined) return ok({ ...order, tests: null });
  const tests = authorise(product, root.value.path, request.testCommand, request.allowedTestCommands ?? []);
  return tests.ok ? ok({ ...order, tests: tests.value }) : tests;
}

async function rehearse(product: Product, order: Order, call: CallContext): Promise<Result<WriteFixReport>> {
  // Only a dry run makes a patch; the server's start does without.
  const { makePatch } = await import('../engine/patch/make.ts');
  // It waits its turn as well, because a file that is being tested may be put back a moment later.
  const { root, target } = order;
  const file = join(root.path, target.path);
  const said = ({ rewrite, preimage, sha256After }: Change): Result<WriteFixReport> =>
    ok({
      success: true,
      test_output: null,
      error: null,
      rolled_back: false,
      disk_state: 'unchanged',
      diff: makePatch(target.path, rewrite, preimage.bytes),
      sha256_before: preimage.sha256,
      sha256_after: sha256After,
      notes: [...target.notes, ...rewrite.notes, 'This was a dry run: nothing was written and no test was run.'],
    });
  return withLock(product, rootKey(root), call, () =>
    withFileLock(product, file, call, () => {
      const notes = isUnsettled(product, file)
        ? [
            `An earlier write of ${target.path} did not finish; it is settled before the next one, which may change the file.`,
          ]
        : [];
      return takeIn(product, order, async (change) => Promise.resolve(withNotes(said(change), notes)));
    }),
  );
}

async function write(
  product: Product,
  order: Order & { readonly verified: Verified | null },
  change: Change,
  journal: Journal,
  call: CallContext,
): Promise<Result<WriteFixReport>> {
  const { host } = product;
  const { root, target, tests, verified } = order;
  if (host.freeBytes(change.folder) < BigInt(change.rewrite.byteLength) + SPARE_BYTES) {
    return fail(failure('NO_SPACE', `There is no room for another copy of ${target.path} on its disk.`));
  }
  call.progress(`writing ${target.path}`);
  const git = await host.git(root.path).inspectFile({
    root: root.path,
    relativePath: target.path,
    bytes: change.preimage.bytes,
  });
  if (call.signal.aborted) return fail(failure('CANCELLED', 'The call was cancelled before anything was written.'));
  const id = host.newId();
  const keepBackup = git.state !== 'clean';
  // While tests run the old bytes stand beside the file in any case, and the suite may ask git what is new.
  const excluded = keepBackup || tests !== null ? host.excludeBackups(root.path) : { listed: false };
  const used = verified === null ? null : claim(product, root, verified);
  if (used !== null) return fail(used);
  const open = host.beginWrite(
    { ...change, id, root: root.path, pieces: change.rewrite.pieces, keepBackup, tested: tests !== null },
    journal,
  );
  if (!open.ok) {
    const { disk_state: left = 'unchanged' } = open.failure.details.report ?? {};
    if (verified !== null && left === 'unchanged') giveBack(product, root, verified);
    return open;
  }
  const facts = factsOf(change, git.state, id);
  const notes = [
    ...target.notes,
    ...change.rewrite.notes,
    ...(git.note === undefined ? [] : [git.note]),
    ...(excluded.note === undefined || !keepBackup ? [] : [excluded.note]),
    ...(tests?.notes ?? []),
    ...open.value.notes,
  ];
  return settle(product, { root: root.path, target, tests, write: open.value, id, facts, notes }, call);
}

function factsOf({ preimage, sha256After }: Change, git_state: GitState, write_id: string) {
  return { git_state, write_id, sha256_before: preimage.sha256, sha256_after: sha256After };
}
