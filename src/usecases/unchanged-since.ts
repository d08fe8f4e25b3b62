/** Whether what was found earlier can still be true of a root: any file that changed since speaks against it. */
import type { Root } from './locate-target.ts';
import type { Product } from './product.ts';

/** The clock of a file system may lag behind that of the process. */
const CLOCK_SLACK_MS = 50;
const MOST_LOOKED_AT = 200_000;
const MOST_NAMED = 1000;

/** True where no file of the root has changed for so long, not even one that git ignores; `known` ones may have. */
export function isUnchanged(
  { host }: Product,
  root: Root,
  forMs: number,
  isKnown: (path: string) => boolean = () => false,
): boolean {
  const since = BigInt(Math.floor(host.now() - forMs - CLOCK_SLACK_MS)) * 1_000_000n;
  const { paths, total, complete } = host.changedPaths(root.path, since, '', MOST_NAMED, MOST_LOOKED_AT);
  return complete && total === paths.length && paths.every(isKnown);
}
