/** The tree without the change: made when it is first needed, or ahead of that, and removed by whoever asked for it. */
import type { CallContext } from '../model/call-context.ts';
import { failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { RunWrapper } from '../model/run.ts';
import type { ShadowFile, ShadowTree } from '../model/shadow.ts';
import { chooseSuite, type Suite } from './choose-suite.ts';
import type { Product } from './product.ts';

/** A tree that is ready for a suite; a copy lies at another path, and so do its programs. */
export interface SuiteTree {
  readonly tree: ShadowTree;
  readonly suite: Suite;
  readonly wrapper: RunWrapper | null;
}

export interface BaselineTree {
  /** Begins to make the tree; what goes wrong is said when it is opened, and is nothing to somebody who never does. */
  prepare(): void;
  /** Makes the tree, once, and answers when a suite may run in it. */
  open(): Promise<Result<SuiteTree>>;
  /** Waits for a tree that is being made; may be called again. */
  dispose(): Promise<void>;
}

/** Binds what the tree is made of; makes nothing yet. */
export function baselineTree(
  product: Product,
  root: string,
  files: readonly ShadowFile[],
  { wanted }: Suite,
  call: CallContext,
): BaselineTree {
  let opened: Promise<Result<ShadowTree>> | undefined;
  const make = () => (opened ??= openTree(product, root, files, call));
  return {
    prepare: () => {
      make().catch(() => undefined);
    },
    open: async () => {
      const tree = await make();
      if (!tree.ok) return tree;
      const suite = chooseSuite(product, tree.value.root, wanted);
      if (!suite.ok) return suite;
      return suite.value === null
        ? fail(failure('INTERNAL', 'The command was found for one tree and not for the other.'))
        : readyTree(tree.value, suite.value);
    },
    dispose: async () => {
      // One that could not be made has left nothing.
      const [tree] = await Promise.allSettled([opened]);
      if (tree.status === 'fulfilled' && tree.value?.ok === true) await tree.value.value.dispose();
    },
  };
}

/** Waits until everything that links of the tree lead to is kept from a suite. */
export async function readyTree(tree: ShadowTree, suite: Suite): Promise<Result<SuiteTree>> {
  const wrapper = await tree.suiteWrapper();
  return wrapper.ok ? ok({ tree, suite, wrapper: wrapper.value }) : wrapper;
}

/** Opens a shadow tree of the tier that the operator wants. */
export function openTree(
  { host, shadowTier }: Product,
  root: string,
  files: readonly ShadowFile[],
  { signal }: CallContext,
): Promise<Result<ShadowTree>> {
  return host.shadows.open({ root, files, forced: shadowTier, signal });
}
