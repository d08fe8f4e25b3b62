/** repo_overview: locate → floor → look → what is known of the root and what may be done there. Changes and runs nothing. */
import { allowedPrefixes } from '../engine/command/allow.ts';
import type { CallContext } from '../model/call-context.ts';
import { failure } from '../model/failure.ts';
import type { HistoryRecord } from '../model/history.ts';
import {
  DEFAULT_WAITS_MS,
  MOST_PATHS_SHOWN,
  MOST_RECENT,
  MOST_WAIT_MS,
  type Consistency,
  type Overview,
  type OverviewIndex,
  type OverviewRequest,
  type RecentWrite,
  type RootSight,
  type VerifiedOverview,
} from '../model/overview.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { readHistory } from './history.ts';
import { locateRoot } from './locate-target.ts';
import { lookAtRoot } from './look-at-root.ts';
import type { Product } from './product.ts';
import { admitFloor } from './revisions.ts';
import type { LookState } from './root-looks.ts';

/** Tells what state a root is in. Fails `ROOT_REFUSED`, `EPOCH_MISMATCH`, `REVISION_UNKNOWN`. */
export async function repoOverview(
  product: Product,
  request: OverviewRequest,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<Result<Overview>> {
  const { host, revisions } = product;
  const consistency = request.consistency ?? 'latest_available';
  const root = locateRoot(product, request.repoRoot);
  if (!root.ok) return root;
  const { path } = root.value;
  const floor = admitFloor(revisions, path, request);
  if (!floor.ok) return floor;
  const policy = product.policy();
  if (!policy.ok) return policy;
  const history = readHistory(product, { repoRoot: path });
  const waitMs = Math.min(request.waitMs ?? DEFAULT_WAITS_MS[consistency], MOST_WAIT_MS);
  const beganAtMs = host.now();
  const looked = await product.rootLooks.wait(path, {
    waitMs,
    isStarting: consistency !== 'allow_stale',
    signal,
    look: (before) => lookAtRoot(product, path, before),
    now: host.now,
  });
  if (signal.aborted) return fail(failure('CANCELLED', 'Cancelled before there was an answer; nothing was changed.'));
  const index = indexOf(looked, request.minRevision);
  const seen = looked.latest?.seen ?? null;
  const records = history.ok ? history.value.records : [];
  return ok({
    root: path,
    index,
    wait: {
      requested_ms: request.waitMs ?? null,
      effective_ms: waitMs,
      waited_ms: host.now() - beganAtMs,
      timed_out: !looked.isFresh && looked.isRunning,
    },
    freshness: revisions.freshness(path, request.minRevision ?? null),
    git: seen?.git ?? null,
    file_count: seen?.fileCount ?? null,
    languages: seen?.languages ?? null,
    suites: seen?.suites ?? null,
    allowed_commands: allowedPrefixes(policy.value),
    isolation: seen?.isolation ?? null,
    shadow: seen?.shadow ?? null,
    last_verified: lastVerified(records),
    recent_writes: records
      .filter(({ kind }) => kind !== 'verification')
      .slice(-MOST_RECENT)
      .reverse()
      .map(recentWrite),
    caveats: [
      ...caveatsOf(looked, index, consistency),
      ...(seen?.notes ?? []),
      ...(history.ok ? [] : [`The history could not be read: ${history.failure.message}`]),
      ...(history.ok && history.value.problems.length > 0
        ? ['The history is not as Surepatch wrote it; surepatch history verify says where.']
        : []),
    ],
  });
}

function indexOf(
  { latest, isRunning, error, isFresh }: LookState<RootSight>,
  floor: number | undefined,
): OverviewIndex {
  return {
    state: isFresh ? 'ready' : isRunning ? 'indexing' : error === null ? 'stale' : 'failed',
    revision: latest?.revision ?? null,
    satisfied: floor === undefined ? isFresh : latest !== null && latest.revision >= floor,
    as_of: latest === null ? null : new Date(latest.startedAtMs).toISOString(),
    error,
  };
}

function caveatsOf(
  { latest }: LookState<RootSight>,
  index: OverviewIndex,
  consistency: Consistency,
): readonly string[] {
  if (index.state === 'ready') return [];
  const what = latest === null ? 'The first look at the files is not complete' : 'What is shown is of an earlier look';
  if (index.state === 'failed') return [`${what}, and the newest attempt failed: ${index.error ?? ''}.`];
  if (index.state === 'stale') return [`${what}, as allow_stale permits.`];
  const next = consistency === 'wait_until_indexed' ? 'call again' : 'call with consistency wait_until_indexed';
  return [`${what}; a new one is under way: ${next}.`];
}

function lastVerified(records: readonly HistoryRecord[]): VerifiedOverview | null {
  const record = records.findLast(({ kind }) => kind === 'verification');
  if (record === undefined) return null;
  const { id, atMs, verdict, reasonCode, command } = record;
  return { id, at: timeOf(atMs), verdict, reason_code: reasonCode, command, paths: pathsOf(record) };
}

function recentWrite(record: HistoryRecord): RecentWrite {
  const { id, kind, atMs, outcome } = record;
  return { id, kind, at: timeOf(atMs), outcome, paths: pathsOf(record) };
}

function pathsOf({ files }: HistoryRecord): readonly string[] {
  return files.slice(0, MOST_PATHS_SHOWN).map(({ path }) => path);
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
