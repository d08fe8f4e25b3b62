/** write_fix: locate → authorise → take in → write → test → settle. Everything before "write" touches nothing. */
import { join } from 'node:path';
import { parsePatch } from '../engine/patch/parse.ts';
import { matchTarget } from '../engine/patch/target.ts';
import type { CallContext } from '../model/call-context.ts';
import type { Patch } from '../model/patch.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { withNotes, type WriteFixReport, type WriteFixRequest } from '../model/write-report.ts';
import { authorise, type TestCommand } from './authorise.ts';
import { inTurn, withFileLock } from './in-turn.ts';
import { takeIn, type Change } from './intake.ts';
import { land } from './land.ts';
import { locateRoot, locateTarget, type Root, type Target } from './locate-target.ts';
import type { Product } from './product.ts';
import { isUnsettled } from './recover-roots.ts';
import { refuseStale, verifyBefore, withVerdict, type Verified } from './verified-write.ts';
import { rootKey, withLock } from './with-root.ts';

/** What a call asks for, once every part of it is admitted. */
interface Order {
  readonly root: Root;
  readonly target: Target;
  readonly patch: Patch;
  readonly expectedSha256: string | undefined;
  readonly tests: TestCommand | null;
  readonly command: string | null;
  /** The patch as it was sent. */
  readonly text: Buffer;
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
    if (verified.value === null) return await write(product, order.value, null, call);
    // The suite ran in the shadow tree, and is not run again.
    return withVerdict(await write(product, { ...order.value, tests: null }, verified.value, call), verified.value);
  } catch (error) {
    // Writing and putting back answer for themselves, so what comes here was met before anything was written.
    return fail(product.host.diskFailure(error, 'to read the repository or to keep Surepatch’s own state'));
  }
}

async function write(
  product: Product,
  order: Order,
  verified: Verified | null,
  call: CallContext,
): Promise<Result<WriteFixReport>> {
  const { root, target } = order;
  return inTurn(product, order, call, (journal) =>
    takeIn(product, order, async (change) => {
      const stale = verified === null ? null : await refuseStale(product, root, target, verified, change);
      if (stale !== null) return fail(stale);
      return land(product, { ...order, verified, kind: 'write', of: null, patch: order.text }, change, journal, call);
    }),
  );
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
  const order = {
    root: root.value,
    target: target.value,
    patch: patch.value,
    expectedSha256: request.expectedSha256,
    command: request.testCommand ?? null,
    text: Buffer.from(request.diff),
  };
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
