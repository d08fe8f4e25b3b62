/**
 * verify_change, saved form: floor → look → wait for a run that began at the floor → answer. Verifies what is on disk,
 * whoever wrote it; an answer is never about an older revision than the one that was asked for without saying so.
 */
import { repositoryPaths } from '../engine/repository-path.ts';
import type { CallContext } from '../model/call-context.ts';
import { type Failure } from '../model/failure.ts';
import { fail, type Result } from '../model/result.ts';
import { WAITS_MS, type SavedReport, type SavedRequest, type Wait } from '../model/saved-verification.ts';
import { chooseSuite, type WantedSuite } from './choose-suite.ts';
import { locateRoot, type Root } from './locate-target.ts';
import type { Product } from './product.ts';
import { admitFloor } from './revisions.ts';
import { savedAnswer } from './saved-answer.ts';
import { attemptSaved, declaredPaths, type SavedOrder } from './saved-attempt.ts';
import { isUnchanged } from './unchanged-since.ts';

/** Answers about what is on disk; the run that is waited for goes on without its waiters. */
export async function verifySaved(
  product: Product,
  request: SavedRequest,
  call: CallContext,
): Promise<Result<SavedReport>> {
  const { host } = product;
  const root = locateRoot(product, request.repoRoot, 'repoRoot');
  if (!root.ok) return root;
  try {
    return await verifyRoot(product, root.value, request, call);
  } catch (error) {
    return fail(host.diskFailure(error, 'to read the repository'));
  }
}

async function verifyRoot(
  product: Product,
  root: Root,
  request: SavedRequest,
  call: CallContext,
): Promise<Result<SavedReport>> {
  const { host, revisions, savedRuns } = product;
  const refused = ({ ...cause }: Failure) => {
    const saved = { freshness: revisions.freshness(root.path, request.minRevision), wait: null, retryable: false };
    return fail({ ...cause, details: { ...cause.details, saved } });
  };
  const paths = repositoryPaths('paths', request.paths ?? [], host.pathHost);
  if (!paths.ok) return refused(paths.failure);
  const admitted = admitFloor(revisions, root.path, request);
  if (!admitted.ok) return refused(admitted.failure);
  const wanted: WantedSuite = { testCommand: request.testCommand, allowedTestCommands: [] };
  const suite = chooseSuite(product, root.path, wanted);
  if (!suite.ok && suite.failure.code !== 'PROGRAM_NOT_FOUND') return refused(suite.failure);

  call.progress('looking at what is on disk');
  const started = performance.now();
  const { baseline = 'head', fresh = false } = request;
  const installed = host.dependencyPrint(root.path);
  const key = JSON.stringify([[...paths.value].sort(), baseline, wanted.testCommand ?? null, installed]);
  const last = savedRuns.latest(root.path, key)?.value ?? null;
  const known = last?.scope ?? [];
  const look = await host.captureState(root.path, declaredPaths(product, root.path, { paths: paths.value, known }));
  // What changed without anybody's word is counted before the floor is set.
  revisions.captured(root.path, look, host.now());
  const floor = request.minRevision ?? revisions.current(root.path).revision;
  const order: SavedOrder = { paths: paths.value, baseline, wanted, fresh };
  // A look takes in nothing that git ignores and nobody named, though a suite may read it.
  const isSeen = (path: string): boolean => look.entries.has(path) || look.declared.has(path);
  const isStill = last === null || isUnchanged(product, root, host.now() - last.startedMs, isSeen);
  // What no look takes in whole may have changed since any answer.
  const isFresh = fresh || !look.isComplete || !isStill;
  const byDefault = savedRuns.hasAnswered(root.path) ? WAITS_MS.known : WAITS_MS.first;
  const waitMs = Math.min(request.waitMs ?? byDefault, WAITS_MS.most);
  call.progress('waiting for the verification');
  const waited = await savedRuns.wait(root.path, { key, floor, waitMs, isFresh }, call, {
    observed: () => revisions.current(root.path).revision,
    work: (job, reached) => attemptSaved(product, root, order, { ...job, client: call.client }, reached),
  });
  const wait: Wait = {
    requested_ms: request.waitMs ?? null,
    effective_ms: waitMs,
    waited_ms: Math.round(performance.now() - started),
    timed_out: waited.kind === 'pending' && !call.signal.aborted,
  };
  return savedAnswer(product, root.path, { request, paths: paths.value, key, floor, wait, waited }, call);
}
