/** At start: settles the writes that an earlier process left unfinished in the roots this one may work in. */
import { judgeRoot } from '../engine/root-policy.ts';
import type { CallContext } from '../model/call-context.ts';
import { isInside } from '../model/inside.ts';
import { ok } from '../model/result.ts';
import type { Product } from './product.ts';
import { withRoot } from './with-root.ts';

/** Returns a sentence for each write that was settled, and for each that a person must look at. */
export async function recoverRoots(product: Product, call: CallContext): Promise<readonly string[]> {
  const { host, rootPolicy } = product;
  const state = host.state();
  if (!state.ok) return [`${state.failure.message} ${state.failure.hint}`];
  const sentences: string[] = [];
  for (const path of host.pendingRoots(state.value.folder)) {
    const root = host.realFolder(path);
    const isOurs = rootPolicy.boundaries.length > 0 || isInside(host.settings.workingFolder, path);
    if (root?.path !== path || !isOurs || !judgeRoot(path, rootPolicy).ok) continue;
    const settled = await withRoot(product, { ...root, given: path }, call, ({ recovery }) =>
      Promise.resolve(
        ok([
          ...recovery.notes,
          ...recovery.unresolved.map(
            ({ file, backup }) =>
              `${file} was changed after a write that did not finish; the bytes before it are in ${backup}. Keep the right one and delete the other.`,
          ),
        ]),
      ),
    );
    sentences.push(...(settled.ok ? settled.value : [`${settled.failure.message} ${settled.failure.hint}`]));
  }
  return sentences;
}
