/**
 * One pipeline for a change that is proposed and for one that is saved: shadow tree → examine → trial → judge. Writes
 * nothing into the repository.
 */
import { judge } from '../engine/verdict.ts';
import type { TreeDigest } from '../io/tree-digest.ts';
import type { CallContext } from '../model/call-context.ts';
import { failure } from '../model/failure.ts';
import type { ChangedFile } from '../model/proposal.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { ShadowFile, ShadowTree } from '../model/shadow.ts';
import { ENGINE_VERSION } from '../model/verdict.ts';
import { baselineTree, openTree } from './baseline-tree.ts';
import { chooseSuite, searchFoldersOf, type Suite, type WantedSuite } from './choose-suite.ts';
import { examineChange, type ChangeExamination } from './examine-change.ts';
import { evidenceWithoutRun, gatherEvidence, type EvidenceSoFar } from './gather-evidence.ts';
import type { Judgement } from './judgement.ts';
import type { Root } from './locate-target.ts';
import type { Product } from './product.ts';
import { runTrial, type Trial, type TrialOrder } from './trial.ts';
import { isUnchanged } from './unchanged-since.ts';

/** What the change is compared with: a tree, or nothing. */
export type Comparison =
  | {
      readonly kind: 'tree';
      /** Where the tree differs from what is on disk. */
      readonly files: readonly ShadowFile[];
      /** Names the content of that tree. */
      readonly content: string;
    }
  | { readonly kind: 'none' };

export interface ChangeOrder {
  readonly files: readonly ChangedFile[];
  /** Where the tree with the change differs from what is on disk. */
  readonly candidateFiles: readonly ShadowFile[];
  readonly comparison: Comparison;
  readonly wanted: WantedSuite;
  /** Why the runner is missing, in words; null where it is there or no command is known. */
  readonly missing: string | null;
  /** A print of what is installed for the project. */
  readonly installed: readonly string[];
  readonly before: TreeDigest;
  /** Takes nothing over from earlier runs, not even of the suite without the change. */
  readonly fresh: boolean;
  /** Parts of the change that cannot be put into a tree, with the reason. */
  readonly unjudged?: readonly { readonly path: string; readonly why: string }[];
}

/** Makes the trees, runs what has to be run, and judges; whatever was made is gone when it answers. */
export async function judgeChange(
  product: Product,
  root: Root,
  order: ChangeOrder,
  call: CallContext,
): Promise<Result<Judgement>> {
  const started = performance.now();
  call.progress('preparing a shadow tree');
  const tree = await openTree(product, root.path, order.candidateFiles, call);
  if (!tree.ok) return tree;
  const trees: Pick<ShadowTree, 'dispose'>[] = [tree.value];
  const dispose = () => Promise.all(trees.map((made) => made.dispose()));
  try {
    const found = await examineAndTry(
      product,
      root,
      tree.value,
      { ...order, willDispose: (made) => trees.push(made) },
      call,
    );
    if (!found.ok) return found;
    if (call.signal.aborted) return fail(failure('CANCELLED', 'The verification was cancelled; nothing was written.'));
    // Nothing runs any more, so the trees may go while the real one is looked at.
    const [after] = await Promise.all([product.host.treeDigest(root.path), dispose()]);
    const moved = product.host.changedSince(order.before, after);
    const isTreeStill = moved.length === 0 && order.before.isComplete;
    if (isTreeStill) found.value.trial?.keepBaseline();
    const unmeasured = [...found.value.evidence.unmeasured, ...(order.unjudged ?? [])];
    const evidence = { ...found.value.evidence, unmeasured, isTreeStill };
    return ok({
      ...judge(evidence),
      ...found.value,
      evidence,
      proposal: order.files,
      missing: order.missing,
      tree: tree.value,
      movedPaths: moved,
      durationMs: performance.now() - started,
    });
  } finally {
    await dispose();
  }
}

interface OrderInTree extends ChangeOrder {
  /** Takes over what has to be removed in the end. */
  readonly willDispose: (made: Pick<ShadowTree, 'dispose'>) => void;
}

interface Gathered {
  readonly evidence: EvidenceSoFar;
  readonly examination: ChangeExamination;
  readonly trial: Trial | null;
  readonly notes: readonly string[];
}

async function examineAndTry(
  product: Product,
  root: Root,
  tree: ShadowTree,
  order: OrderInTree,
  call: CallContext,
): Promise<Result<Gathered>> {
  const { files, wanted, missing } = order;
  const chosen: Result<Suite | null> = missing === null ? chooseSuite(product, tree.root, wanted) : ok(null);
  if (!chosen.ok) return chosen;
  const suite = chosen.value;
  call.progress('examining the change');
  const baseline = suite === null ? null : prepareBaseline(product, root, tree, suite, order, call);
  if (baseline?.ok === false) return baseline;
  const examination = await examineChange(product, tree, files, searchFoldersOf(tree.root, suite), call);
  const notes = [...(suite?.notes ?? []), ...(missing === null ? [] : [missing])];
  const isBlocked = examination.syntax.length > 0 || examination.imports.length > 0;
  const withoutRun = (ending: 'no_command' | 'not_started' | 'not_run'): Result<Gathered> =>
    ok({ evidence: evidenceWithoutRun(examination, files, ending), examination, trial: null, notes });
  if (isBlocked || call.signal.aborted) return withoutRun('not_run');
  if (suite === null || baseline === null) return withoutRun(missing === null ? 'no_command' : 'not_started');
  call.progress(`running ${suite.text} with the change and without it`);
  const trial = await runTrial(product, tree, { root, proposal: files, examination, suite, ...baseline.value }, call);
  if (!trial.ok) return trial;
  const evidence = gatherEvidence({ examination, proposal: files, suite, trial: trial.value });
  return ok({ evidence, examination, trial: trial.value, notes });
}

/**
 * Names the content that a run without the change is about, and makes the tree for it while the change is being examined. A
 * copy costs too much to be made for a change that may not come to be tested.
 */
function prepareBaseline(
  product: Product,
  root: Root,
  { tier }: ShadowTree,
  suite: Suite,
  { comparison, installed, before, fresh, willDispose }: OrderInTree,
  call: CallContext,
): Result<Pick<TrialOrder, 'baselineKey' | 'baselineTree'>> {
  const { host } = product;
  if (comparison.kind === 'none') return ok({ baselineKey: null, baselineTree: null });
  const store = host.openBaselineStore(root);
  if (!store.ok) return store;
  const { content: digest } = comparison;
  const content = { digest, head: before.head, installed, text: suite.text, tier, engine: ENGINE_VERSION };
  const key = fresh ? null : host.sha256([Buffer.from(JSON.stringify(content))]);
  const tree = baselineTree(product, root.path, comparison.files, suite, call);
  willDispose(tree);
  const kept = key === null ? null : store.value.find(key, host.now());
  const isStill = kept !== null && isUnchanged(product, root, host.now() - kept.startedMs);
  if (key !== null && !isStill) store.value.forget(key);
  if (!isStill && tier === 'overlay') tree.prepare();
  return ok({ baselineKey: key, baselineTree: tree });
}
