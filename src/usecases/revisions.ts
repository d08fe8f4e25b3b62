/**
 * One register per root and process: what was touched, at which revision, and which revision a result is about. Counts
 * every change that Surepatch made or heard of, always after it is durable, so that a caller can tell older states from
 * newer. Gone with the process, which the epoch says.
 */
import { randomBytes } from 'node:crypto';
import { relative, sep } from 'node:path';
import { isWithin } from '../engine/repository-path.ts';
import type { TreeState } from '../io/capture.ts';
import { failure } from '../model/failure.ts';
import { isInside } from '../model/inside.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { MOST_DIRTY_SHOWN, type FailedAttempt, type Freshness, type WatcherState } from '../model/revision.ts';
import type { Revision } from '../model/write-facts.ts';
import { isSeen, untold, type Seen } from './untold-changes.ts';

export interface Captured {
  /** The revision after the look: one more where something had changed that nobody told of. */
  readonly revision: Revision;
  /** What had changed so, at most as many as are worth keeping; `.` for HEAD. */
  readonly detected: readonly string[];
}

export interface Revisions {
  /** The newest revision of the root. */
  current(root: string): Revision;
  /** Counts one more change, of these normalised paths or of anything; call it only once the change is durable. */
  raise(root: string, touched?: readonly string[]): Revision;
  /** Touched and in no result yet, oldest first; `.` stands for everything. */
  dirtyPaths(root: string): readonly string[];
  /** Says that a result about `revision` is out: what was touched up to then, within its scope, is no longer dirty. */
  publish(root: string, revision: number, scope?: readonly string[]): void;
  /** Says that a verification began; what it returns says that it ended, with a result or why without. */
  begin(root: string): (failed?: FailedAttempt) => void;
  /** Takes note of a look at the whole tree, and counts what had changed since the last look without anybody's word. */
  captured(root: string, tree: TreeState, atMs: number): Captured;
  /** Says what becomes of noticing changes in a folder and in the roots inside it. */
  setWatcher(folder: string, state: WatcherState, note?: string): void;
  /** How new things are, seen from a floor; without one, from the newest revision. */
  freshness(root: string, requested?: number | null): Freshness;
  /** Calls `listener` after each raise, until the function that is returned is called. */
  onRaise(root: string, listener: () => void): () => void;
}

interface WatcherWord {
  readonly state: WatcherState;
  readonly note: string | null;
}

const NO_WATCHER: WatcherWord = { state: 'off', note: null };

interface Register extends Seen {
  readonly epoch: string;
  observed: number;
  verified: number | null;
  running: number;
  lastError: FailedAttempt | null;
  readonly listeners: Set<() => void>;
}

/** More than these are kept as `.`, which covers them. */
const MOST_DIRTY = 10_000;
/** With more than these remembered, everything counts as changed and the memory begins anew. */
const MOST_DECLARED = 50_000;

/** Starts counting at zero, with a random epoch for each root. */
export function createRevisions(): Revisions {
  const registers = new Map<string, Register>();
  const watchers = new Map<string, WatcherWord>();
  const of = (root: string): Register => {
    const known = registers.get(root) ?? newRegister();
    registers.set(root, known);
    return known;
  };
  const raise = (root: string, touched: readonly string[] = ['.']): Revision => {
    const register = of(root);
    count(register, touched);
    // Roots may lie in one another, and what is touched in one is touched in the other.
    for (const [other, related] of registers) {
      const seen = other === root ? [] : asSeenFrom(other, root, touched);
      if (seen.length > 0) count(related, seen);
    }
    return revisionOf(register);
  };
  return {
    current: (root) => revisionOf(of(root)),
    raise,
    dirtyPaths: (root) => [...of(root).dirty.keys()],
    publish: (root, revision, scope = ['.']) => {
      const register = of(root);
      register.verified = Math.max(register.verified ?? 0, revision);
      register.lastError = null;
      const isCovered = (path: string): boolean => scope.some((folder) => isWithin(folder, path));
      for (const [path, { first, last }] of register.dirty) {
        if (!isCovered(path)) continue;
        if (last <= revision) register.dirty.delete(path);
        // Touched again since: of the touches in between no more is known than that the result has not seen them.
        else register.dirty.set(path, { first: Math.max(first, revision + 1), last });
      }
    },
    begin: (root) => {
      const register = of(root);
      register.running += 1;
      let hasEnded = false;
      return (failed) => {
        if (!hasEnded) register.running -= 1;
        hasEnded = true;
        if (failed !== undefined) register.lastError = failed;
      };
    },
    captured: (root, tree, atMs) => {
      const register = of(root);
      const isForgetful = register.declared.size > MOST_DECLARED;
      const detected = isForgetful ? ['.'] : untold(register, tree);
      if (detected.length > 0) raise(root, detected);
      register.lastLook = { tree, atMs, revision: register.observed };
      if (isForgetful) register.declared.clear();
      for (const path of register.declared.keys()) if (isSeen(tree, path)) register.declared.delete(path);
      for (const [path, line] of tree.declared) register.declared.set(path, { line, revision: register.observed });
      return { revision: revisionOf(register), detected };
    },
    setWatcher: (root, state, note) => {
      watchers.set(root, { state, note: note ?? null });
    },
    freshness: (root, requested = null) => {
      const [, watcher] = [...watchers].find(([folder]) => isInside(folder, root)) ?? ['', NO_WATCHER];
      return freshnessOf(of(root), requested, watcher);
    },
    onRaise: (root, listener) => {
      const { listeners } = of(root);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The floor that a caller names: of this process, and of a revision that there has been. Without one, the newest. */
export function admitFloor(
  revisions: Revisions,
  root: string,
  { epoch, minRevision }: { readonly epoch?: string | undefined; readonly minRevision?: number | undefined },
): Result<number> {
  const now = revisions.current(root);
  if (epoch !== undefined && epoch !== now.epoch) {
    const message = `The epoch ${epoch.slice(0, 64)} is over: the server was started anew, or it is that of another root.`;
    return fail(failure('EPOCH_MISMATCH', message));
  }
  if (minRevision === undefined || minRevision <= now.revision) return ok(minRevision ?? now.revision);
  const message = `There is no revision ${minRevision} yet; the newest of this root is ${now.revision}.`;
  return fail(failure('REVISION_UNKNOWN', message));
}

function newRegister(): Register {
  return {
    epoch: randomBytes(8).toString('hex'),
    observed: 0,
    verified: null,
    running: 0,
    lastError: null,
    dirty: new Map(),
    lastLook: null,
    declared: new Map(),
    listeners: new Set(),
  };
}

function revisionOf({ epoch, observed }: Register): Revision {
  return { epoch, revision: observed };
}

function count(register: Register, touched: readonly string[]): void {
  register.observed += 1;
  touch(register, touched);
  for (const listener of [...register.listeners]) listener();
}

/** Paths of `root` as paths of `other`: below a folder of it, above it, or nowhere. */
function asSeenFrom(other: string, root: string, paths: readonly string[]): readonly string[] {
  const portable = (path: string): string => path.split(sep).join('/');
  if (isInside(other, root)) {
    const folder = portable(relative(other, root));
    return paths.map((path) => (path === '.' ? folder : `${folder}/${path}`));
  }
  if (!isInside(root, other)) return [];
  const folder = portable(relative(root, other));
  return paths.flatMap((path) => {
    if (isWithin(path, folder)) return ['.'];
    return isWithin(folder, path) ? [path.slice(folder.length + 1)] : [];
  });
}

function touch({ dirty, observed }: Register, touched: readonly string[]): void {
  if (touched.includes('.') || dirty.size + touched.length > MOST_DIRTY) {
    const first = Math.min(observed, ...[...dirty.values()].map((known) => known.first));
    dirty.clear();
    dirty.set('.', { first, last: observed });
    return;
  }
  for (const path of touched) {
    // Moved to the end, so that the order is that of the last touch.
    const first = dirty.get(path)?.first ?? observed;
    dirty.delete(path);
    dirty.set(path, { first, last: observed });
  }
}

function freshnessOf(register: Register, requested: number | null, watcher: WatcherWord): Freshness {
  const { epoch, observed, verified, dirty, lastError, lastLook } = register;
  const floor = requested ?? observed;
  return {
    epoch,
    requested_revision: requested,
    observed_revision: observed,
    verified_revision: verified,
    // A result about other paths says nothing of what was touched up to the floor.
    satisfied: verified !== null && verified >= floor && ![...dirty.values()].some(({ first }) => first <= floor),
    is_stale: verified === null || verified < observed,
    state: stateOf(register),
    dirty_path_count: dirty.size,
    dirty_paths: [...dirty.keys()].slice(0, MOST_DIRTY_SHOWN),
    last_error: lastError,
    watcher: watcher.state,
    watcher_note: watcher.note,
    captured_at: lastLook === null ? null : new Date(lastLook.atMs).toISOString(),
  };
}

function stateOf({ running, lastError, verified }: Register): Freshness['state'] {
  if (running > 0) return 'running';
  if (lastError !== null) return 'failed';
  return verified === null ? 'never' : 'idle';
}
