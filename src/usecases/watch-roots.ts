/** serve --watch: what other programs change raises the revision of the roots, which can only make answers more cautious. */
import { normalizePath } from '../engine/repository-path.ts';
import type { Watcher } from '../io/watcher.ts';
import { locateRoot } from './locate-target.ts';
import type { Product } from './product.ts';

/** Watches the roots of the operator, else the working folder, until what is returned is closed. */
export function watchRoots(product: Product): Watcher {
  const watchers = foldersOf(product).map((folder) => watchFolder(product, folder));
  return {
    close: async () => {
      await Promise.all(watchers.map((watcher) => watcher.close()));
    },
  };
}

function foldersOf(product: Product): readonly string[] {
  const { boundaries } = product.rootPolicy;
  if (boundaries.length > 0) return boundaries;
  // A working folder that no call may use, the home folder say, is not watched either.
  const root = locateRoot(product, undefined);
  return root.ok ? [root.value.path] : [];
}

function watchFolder({ host, revisions }: Product, folder: string): Watcher {
  let isWell = true;
  revisions.setWatcher(folder, 'starting');
  return host.watchTree(folder, {
    touched: (paths) => {
      // A name that no caller can give, one with a backslash say, counts as everything.
      const given = paths.every((path) => {
        const normalized = normalizePath(path, host.pathHost);
        return normalized.ok && normalized.path === path;
      });
      revisions.raise(folder, given ? paths : ['.']);
    },
    watching: () => {
      if (!isWell) return;
      // Whatever happened before it was ready may have been missed.
      revisions.setWatcher(folder, 'watching');
      revisions.raise(folder);
    },
    trouble: (state, note) => {
      isWell = false;
      revisions.setWatcher(folder, state, note);
    },
  });
}
