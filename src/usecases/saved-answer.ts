/** What was waited for → the answer. Fields of success are filled only from a result at the floor or above. */
import type { CallContext } from '../model/call-context.ts';
import { failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { Freshness } from '../model/revision.ts';
import type { SavedResult } from '../model/saved-result.ts';
import {
  ITEMS,
  MOST_SCOPE_SHOWN,
  type LastVerified,
  type SavedFields,
  type SavedReport,
  type SavedRequest,
  type Wait,
} from '../model/saved-verification.ts';
import type { Product } from './product.ts';
import { capLists } from './saved-lists.ts';
import type { Published, Waited } from './saved-runs.ts';

export interface SavedQuestion {
  readonly request: SavedRequest;
  /** Normalised. */
  readonly paths: readonly string[];
  readonly key: string;
  readonly floor: number;
  readonly wait: Wait;
  readonly waited: Waited<SavedResult>;
}

/** Composes the answer, or the error where nothing was ever verified. */
export function savedAnswer(
  product: Product,
  root: string,
  question: SavedQuestion,
  { signal }: Pick<CallContext, 'signal'>,
): Result<SavedReport> {
  const { waited, request, floor, wait } = question;
  const { revisions, savedRuns } = product;
  const most = request.maxItems ?? ITEMS.shown;
  const last = savedRuns.latest(root, question.key) ?? savedRuns.newest(root);
  const freshness = freshnessOf(
    revisions.freshness(root, request.minRevision ?? null),
    waited.kind === 'published' ? waited.revision : (last?.revision ?? null),
    waited.kind === 'published' ? floor : null,
  );
  if (waited.kind === 'published') return ok(capLists(verifiedAnswer(waited, question, freshness), most));
  if (waited.kind === 'torn') {
    const reason = `What is on disk changed each time while it was measured (${some(waited.paths)}), so nothing is known of it.`;
    const next = 'Let nothing write to the repository meanwhile, and ask again.';
    const said = { reasonCode: 'tree_moved' as const, reason, next };
    const torn = waited.paths.length > 0 ? [`Moved while it was measured: ${waited.paths.join(', ')}.`] : [];
    return ok(capLists(openAnswer(question, freshness, last, { ...said, caveats: torn }), most));
  }
  const why = waited.kind === 'failed' ? waited.failed : null;
  if (last === null) {
    const saved = { freshness, wait, retryable: why === null };
    if (why !== null) {
      const message = `The verification failed at revision ${why.revision} (${why.code}): ${why.message}`;
      return fail(failure('VERIFICATION_FAILED', message, { details: { saved } }));
    }
    if (signal.aborted) return fail(failure('CANCELLED', 'The wait was cancelled; the verification goes on.'));
    const message = `Revision ${floor} is not verified yet; ${wait.effective_ms} ms were waited.`;
    return fail(failure('VERIFICATION_PENDING', message, { details: { saved } }));
  }
  const reason =
    why === null
      ? `Revision ${floor} is not verified yet; the newest result is about revision ${last.revision}.`
      : `The verification of revision ${why.revision} failed (${why.code}): ${why.message}`;
  const next =
    why === null
      ? 'Ask again with a longer wait_ms; the verification goes on meanwhile.'
      : 'Mend that, then ask again.';
  const caveats = ['Verification after the newest edits is incomplete: nothing here is about them.'];
  return ok(
    capLists(
      openAnswer(question, freshness, last, { reasonCode: 'revision_not_verified', reason, next, caveats }),
      most,
    ),
  );
}

/** Freshness of this answer: of the result that it is about, whatever other questions were answered. */
function freshnessOf(whole: Freshness, verified: number | null, floor: number | null): Freshness {
  return {
    ...whole,
    verified_revision: verified,
    satisfied: floor !== null && verified !== null && verified >= floor,
    is_stale: verified === null || verified < whole.observed_revision,
  };
}

function verifiedAnswer(
  { value, revision }: Published<SavedResult>,
  { wait }: SavedQuestion,
  freshness: Freshness,
): SavedReport {
  const { report, baseline, regressions, fixes, disappeared, scope, caveats } = value;
  const { baseline: counts, ...rest } = report;
  const count = (list: readonly unknown[]): number | null => (baseline.comparable ? list.length : null);
  const isOld = freshness.is_stale && report.verdict === 'SAFE';
  const degraded = {
    verdict: 'UNPROVEN' as const,
    reasonCode: 'newer_edits_pending' as const,
    reason: `Revision ${revision} was verified as safe, but something was edited since (now revision ${freshness.observed_revision}).`,
    next: `Verify again with min_revision ${freshness.observed_revision}.`,
  };
  return {
    ...rest,
    ...(isOld ? degraded : {}),
    freshness,
    wait,
    last_verified: null,
    baseline: { ...baseline, ...(counts ?? {}) },
    state_id: value.stateId,
    regressions,
    fixes,
    regression_count: count(regressions),
    fix_count: count(fixes),
    disappeared,
    ...scopeOf(scope),
    truncated: false,
    capped: [],
    caveats: [
      ...caveats,
      ...(freshness.is_stale ? [`Edits after revision ${revision} are not part of this result.`] : []),
      ...(freshness.watcher_note === null ? [] : [freshness.watcher_note]),
    ],
  };
}

/** An answer without a result: nothing of an older one but what names it. */
function openAnswer(
  { paths, wait }: SavedQuestion,
  freshness: Freshness,
  last: Published<SavedResult> | null,
  said: Pick<SavedReport, 'reason' | 'reasonCode' | 'next' | 'caveats'>,
): SavedReport {
  return {
    verdict: 'UNPROVEN',
    ...said,
    freshness,
    wait,
    last_verified: last === null ? null : lastOf(last),
    baseline: null,
    state_id: null,
    regressions: [],
    fixes: [],
    regression_count: null,
    fix_count: null,
    disappeared: [],
    ...scopeOf(paths.length > 0 ? paths : freshness.dirty_paths),
    truncated: false,
    capped: [],
  };
}

function lastOf({ revision, value }: Published<SavedResult>): LastVerified {
  return { revision, verdict: value.report.verdict, state_id: value.stateId };
}

function scopeOf(scope: readonly string[]): Pick<SavedFields, 'scope_paths' | 'scope_path_count'> {
  return { scope_paths: scope.slice(0, MOST_SCOPE_SHOWN), scope_path_count: scope.length };
}

function some(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).join(', ');
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown;
}
