/**
 * Notices that other programs change a tree, so that a server learns of it before it looks. A hint and never evidence: an
 * event may be late, missing or about nothing. One watch for each folder. See docs/decisions/0013.
 */
import { join, relative, sep } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { isOwnFileName } from '../model/own-file-names.ts';
import { PASSED_OVER } from './changed-paths.ts';
import { errnoOf } from './disk-error.ts';
import { gitFolders } from './git-listing.ts';
import { nearRepository } from './near-repository.ts';

export interface WatchEvents {
  /** Some time after a change: paths relative to the root; `.` for HEAD, for too many, and for what may have been missed. */
  readonly touched: (paths: readonly string[]) => void;
  readonly watching: () => void;
  /** Some or all changes will not be noticed from now on. */
  readonly trouble: (state: 'degraded' | 'failed', note: string) => void;
}

export interface Watcher {
  close(): Promise<void>;
}

/** Events of one save come within this time, and make one revision. */
const GATHERED_MS = 50;
const MOST_GATHERED = 500;
/** After trouble the whole tree counts as touched at most so often. */
const TROUBLE_MS = 1000;
/** What moves when HEAD does, in git's folder. */
const HEAD_NAMES = ['HEAD', 'logs/HEAD', 'packed-refs', 'refs', 'reftable'];

/** Watches the real folder `root` until it is closed. Never throws for what the system refuses, but says so. */
export function watchTree(root: string, events: WatchEvents): Watcher {
  const gathered = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const gather = (path: string, afterMs = GATHERED_MS): void => {
    gathered.add(gathered.size < MOST_GATHERED ? path : '.');
    timer ??= setTimeout(() => {
      const paths = gathered.has('.') ? ['.'] : [...gathered].sort();
      gathered.clear();
      timer = undefined;
      events.touched(paths);
    }, afterMs);
  };
  const heads = headsOf(root);
  const ignored = (path: string, found?: { isFile(): boolean }): boolean =>
    isIgnored(root, heads, path) || (found?.isFile() === true && !heads.includes(path));
  const changed = (place: string | null): void => {
    if (place === null || isHead(heads, place)) gather('.');
    else if (!isIgnored(root, heads, place)) gather(relativeTo(root, place));
  };
  const trouble = (error: unknown): void => {
    events.trouble(...troubleOf(error));
    gather('.', TROUBLE_MS);
  };
  let isClosed = false;
  // Loaded only where somebody watches; the server's start does without.
  const opening = import('chokidar').then(({ watch }) => {
    // One watcher each, for it loses folders when one of its places lies in another.
    const places = isClosed ? [] : heads.length === 0 ? [[root]] : [[root], heads];
    const watchers = places.map((paths) => watch([...paths], { ignored, ignoreInitial: true, followSymlinks: false }));
    const ready = watchers.map((watcher) => listen(watcher, changed, trouble));
    void Promise.all(ready).then((polling) => {
      // The operator's environment can turn watches into polling, which does not see what happens inside a file.
      if (polling.includes(true)) events.trouble('degraded', 'CHOKIDAR_USEPOLLING is set, so edits may be missed.');
      else if (polling.length > 0) events.watching();
    });
    return watchers;
  });
  opening.catch((error: unknown) => {
    events.trouble('failed', `Watching could not begin (${errnoOf(error) ?? String(error)}).`);
  });
  return {
    close: async () => {
      isClosed = true;
      const watchers = await opening.catch(() => []);
      await Promise.all(watchers.map((watcher) => watcher.close()));
      clearTimeout(timer);
    },
  };
}

/**
 * Resolves when the watcher is ready, with whether it polls. `changed` gets the absolute path of what may have changed, or
 * null where the system did not name it.
 */
function listen(
  watcher: FSWatcher,
  changed: (place: string | null) => void,
  trouble: (error: unknown) => void,
): Promise<boolean> {
  // The watch of a folder tells of every entry in it; watches of single files would multiply what the system has to give.
  watcher.on('raw', (_event: string, name: string | null, details: unknown) => {
    changed(placeOf(name, details));
  });
  watcher.on('error', trouble);
  return new Promise((resolve) => {
    watcher.on('ready', () => {
      resolve(watcher.options.usePolling);
    });
  });
}

/** Where the HEAD of the worktree is kept; it may lie outside the root, as in a linked worktree. */
function headsOf(root: string): readonly string[] {
  const worktree = nearRepository(root);
  const git = worktree === null ? null : gitFolders(worktree);
  if (git === null) return [];
  return [...new Set(HEAD_NAMES.flatMap((name) => [join(git.own, name), join(git.common, name)]))];
}

function placeOf(name: string | null, details: unknown): string | null {
  if (name === null || typeof details !== 'object' || details === null || !('watchedPath' in details)) return null;
  return typeof details.watchedPath === 'string' ? join(details.watchedPath, name) : null;
}

function relativeTo(root: string, place: string): string {
  const path = relative(root, place).split(sep).join('/');
  return path === '' ? '.' : path;
}

function isHead(heads: readonly string[], place: string): boolean {
  return heads.some((head) => place === head || place === `${head}.lock` || place.startsWith(`${head}${sep}`));
}

/** What suites and git write by their nature, and our own files; not where HEAD is kept. */
function isIgnored(root: string, heads: readonly string[], place: string): boolean {
  if (isHead(heads, place)) return false;
  const parts = relativeTo(root, place).split('/');
  return parts.some((part) => PASSED_OVER.has(part)) || isOwnFileName(parts.at(-1) ?? '');
}

function troubleOf(error: unknown): ['degraded' | 'failed', string] {
  const errno = errnoOf(error);
  if (errno === 'ENOSPC') {
    const note =
      'The system gives no more watches; raise the limit, e.g. sysctl fs.inotify.max_user_watches=524288, and start again.';
    return ['failed', note];
  }
  if (errno === 'EMFILE') {
    const note =
      'The system gives no more watchers; raise the limit, e.g. sysctl fs.inotify.max_user_instances=512 or ulimit -n.';
    return ['failed', note];
  }
  return ['degraded', `A folder can no longer be watched (${errno ?? String(error)}), so changes in it may be missed.`];
}
