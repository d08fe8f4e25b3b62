/** Counts, per root and process, every change that Surepatch made, so that a caller can tell older states from newer. */
import { randomBytes } from 'node:crypto';
import type { Revision } from '../model/write-facts.ts';

export interface Revisions {
  /** Counts one more change of the root; call it only once the change is durable. */
  raise(root: string): Revision;
}

/** Starts counting at zero, with a random epoch for each root. */
export function createRevisions(): Revisions {
  const latest = new Map<string, Revision>();
  return {
    raise: (root) => {
      const before = latest.get(root) ?? { epoch: randomBytes(8).toString('hex'), revision: 0 };
      const next = { epoch: before.epoch, revision: before.revision + 1 };
      latest.set(root, next);
      return next;
    },
  };
}
