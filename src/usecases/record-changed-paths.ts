/**
 * record_changed_paths: normalise → look → raise. Takes note that paths were saved by somebody else's hand; changes no file
 * and starts nothing. The whole batch is judged before anything is noted.
 */
import { repositoryPath, repositoryPaths } from '../engine/repository-path.ts';
import { failure } from '../model/failure.ts';
import { MOST_STATES_SHOWN, type ExpectedPath, type Mismatch, type PathState } from '../model/receipt.ts';
import type { Receipt, ReceiptRequest } from '../model/receipt.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { locateRoot } from './locate-target.ts';
import type { Product } from './product.ts';

/** Gives the receipt: the revision from which on these paths have been seen as they are now, or later. */
export async function recordChangedPaths(product: Product, request: ReceiptRequest): Promise<Result<Receipt>> {
  const { host, revisions } = product;
  const refusal = whyNoWriter(product);
  if (refusal !== null) return fail(failure('WRITER_UNAVAILABLE', refusal));
  const root = locateRoot(product, request.repoRoot);
  if (!root.ok) return root;
  if (request.paths.length === 0) {
    const hint = 'Name the files that were saved, or pass ["."] for the whole repository.';
    return fail(failure('INPUT_INVALID', 'paths is empty.', { hint }));
  }
  const paths = repositoryPaths('paths', request.paths, host.pathHost);
  if (!paths.ok) return paths;
  const expected = takeExpected(product, request.expected ?? []);
  if (!expected.ok) return expected;
  const states = new Map<string, PathState>();
  for (const path of new Set([...paths.value, ...expected.value.map((entry) => entry.path)])) {
    states.set(path, await host.pathState(root.value.path, path));
  }
  const stateOf = (path: string): PathState => states.get(path) ?? { kind: 'unreadable' };
  const { epoch, revision } = revisions.raise(root.value.path, paths.value);
  return ok({
    epoch,
    min_revision: revision,
    paths: paths.value,
    path_states: paths.value.slice(0, MOST_STATES_SHOWN).map((path) => ({ path, ...stateOf(path) })),
    path_state_count: paths.value.length,
    mismatches: expected.value.flatMap((entry) => mismatchOf(entry, stateOf(entry.path))),
    freshness: revisions.freshness(root.value.path, revision),
  });
}

/** Why nobody would ever verify what is recorded here; null where somebody can. */
function whyNoWriter({ takesReceipts, host }: Product): string | null {
  if (!takesReceipts) return 'This server was started with --one-shot and keeps no revisions.';
  const state = host.state();
  return state.ok ? null : `Nothing can be verified by this server: ${state.failure.message}`;
}

function takeExpected({ host }: Product, given: readonly ExpectedPath[]): Result<readonly ExpectedPath[]> {
  const entries: ExpectedPath[] = [];
  for (const [index, { path, sha256 }] of given.entries()) {
    const normalized = repositoryPath('expected', path, index, host.pathHost);
    if (!normalized.ok) return normalized;
    entries.push({ path: normalized.value, sha256: sha256?.toLowerCase() ?? null });
  }
  return ok(entries);
}

function mismatchOf({ path, sha256 }: ExpectedPath, found: PathState): readonly Mismatch[] {
  const isAsExpected = sha256 === null ? found.kind === 'absent' : found.sha256 === sha256;
  return isAsExpected ? [] : [{ path, expected: sha256, found }];
}
