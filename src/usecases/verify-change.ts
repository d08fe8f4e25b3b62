/**
 * verify_change: locate → take in → shadow tree → examine → trial → judge. Writes nothing into the repository; what it
 * learns it keeps, so that exactly this change can be written later.
 */
import { isAbsolute } from 'node:path';
import { judgeRoot } from '../engine/root-policy.ts';
import { judge } from '../engine/verdict.ts';
import type { TreeDigest } from '../io/tree-digest.ts';
import type { CallContext } from '../model/call-context.ts';
import { failure } from '../model/failure.ts';
import type { ProposedFile, VerifyRequest } from '../model/proposal.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { ShadowTree } from '../model/shadow.ts';
import { ENGINE_VERSION, type VerifyReport } from '../model/verdict.ts';
import type { VerificationRecord } from '../model/verification.ts';
import { baselineTree, openTree } from './baseline-tree.ts';
import { chooseSuite, searchFoldersOf, type Suite, type WantedSuite } from './choose-suite.ts';
import { examineChange } from './examine-change.ts';
import { evidenceWithoutRun, gatherEvidence, type EvidenceSoFar } from './gather-evidence.ts';
import { locateRoot, type Root } from './locate-target.ts';
import type { Product } from './product.ts';
import { takeProposal } from './take-proposal.ts';
import { runTrial, type Trial, type TrialOrder } from './trial.ts';
import { isUnchanged } from './unchanged-since.ts';
import type { Age } from './verifications.ts';
import { verifyReport } from './verify-report.ts';

/** Judges a proposed change; every answer but a refusal is a report. */
export async function verifyChange(
  product: Product,
  request: VerifyRequest,
  call: CallContext,
): Promise<Result<VerifyReport>> {
  const { host } = product;
  try {
    if (request.repoRoot !== undefined && !isAbsolute(request.repoRoot)) return fail(noSuchRoot(request.repoRoot));
    const root = locateRoot(product, request.repoRoot, request.rootArgument ?? 'repoRoot');
    if (!root.ok) return isMissing(product, request.repoRoot) ? fail(noSuchRoot(request.repoRoot)) : root;
    const proposal = takeProposal(product, root.value, request);
    if (!proposal.ok) return proposal;
    const age = request.fresh === true ? 'fresh' : 'kept';
    return await verifyProposal(product, root.value, { proposal: proposal.value, age, ...request }, call);
  } catch (error) {
    // Nothing was written, so whatever the disk refused can simply be said.
    return fail(host.diskFailure(error, 'to read the repository or to keep a shadow tree'));
  }
}

/** Outside the operator's boundary nobody is told what is there. */
function isMissing({ host, rootPolicy }: Product, repoRoot: string | undefined): boolean {
  return repoRoot !== undefined && judgeRoot(repoRoot, rootPolicy).ok && host.realFolder(repoRoot) === null;
}

function noSuchRoot(repoRoot: string | undefined) {
  const message = `ENOENT: no such file or directory, scandir '${repoRoot ?? ''}'`;
  return failure('ROOT_REFUSED', message, { hint: 'Pass the absolute path of an existing repository.' });
}

export interface ProposalToVerify {
  readonly proposal: readonly ProposedFile[];
  readonly testCommand?: string | undefined;
  /** Command prefixes of the caller, as in write_fix. */
  readonly allowedTestCommands?: readonly string[] | undefined;
  /** Which runs may answer. */
  readonly age: Age;
}

/** The same for a proposal that is taken in already. */
export async function verifyProposal(
  product: Product,
  root: Root,
  { proposal, testCommand, allowedTestCommands = [], age }: ProposalToVerify,
  call: CallContext,
): Promise<Result<VerifyReport>> {
  const { host } = product;
  // Refused before anything is made: a command that may not run is the caller's to change.
  const wanted: WantedSuite = { testCommand, allowedTestCommands };
  const suite = chooseSuite(product, root.path, wanted);
  if (!suite.ok && suite.failure.code !== 'PROGRAM_NOT_FOUND') return suite;
  const missing = suite.ok ? null : suite.failure.message;
  // What machine this is has to be known before the first tree can be opened, and needs no file of the repository.
  const [before] = await Promise.all([host.treeDigest(root.path), host.shadows.probe()]);
  const text = suite.ok ? (suite.value?.text ?? null) : (testCommand ?? null);
  const files = proposal.map(({ path, sha256Before, sha256After, mode }) => ({
    path,
    sha256Before,
    sha256After,
    mode,
  }));
  const programs = suite.ok && suite.value !== null ? [suite.value.command.command[0]] : [];
  const installed = host.dependencyPrint(root.path, programs);
  const identity = { root: root.path, tree: before.digest, head: before.head, files, text, installed };
  const rules = { engine: ENGINE_VERSION, tier: product.shadowTier };
  const key = host.sha256([Buffer.from(JSON.stringify({ ...identity, ...rules }))]);
  const isStill = (forMs: number): boolean => isUnchanged(product, root, forMs);
  const work = async (running: CallContext): Promise<Result<VerifyReport>> => {
    const order = { proposal, wanted, missing, installed, before, fresh: age !== 'kept' };
    const report = await verifyAnew(product, root, order, running);
    if (!report.ok) return report;
    const id = host.newId();
    const record: VerificationRecord = {
      id,
      createdMs: host.now(),
      root: root.path,
      files: files.map(({ path, sha256Before, sha256After }) => ({ path, sha256Before, sha256After })),
      treeDigest: before.digest,
      head: before.head,
      command: text,
      verdict: report.value.verdict,
    };
    const store = host.openVerificationStore(root);
    if (!store.ok) return store;
    store.value.add(record);
    return ok({ ...report.value, verification_id: id });
  };
  return product.verifications.answer(key, age, call, { work, isStill });
}

interface Order {
  readonly proposal: readonly ProposedFile[];
  readonly wanted: WantedSuite;
  /** Why the runner is missing, in words; null where it is there or no command is known. */
  readonly missing: string | null;
  /** A print of what is installed for the project. */
  readonly installed: readonly string[];
  readonly before: TreeDigest;
  /** Takes nothing over from earlier runs, not even of the suite without the change. */
  readonly fresh: boolean;
}

async function verifyAnew(
  product: Product,
  root: Root,
  order: Order,
  call: CallContext,
): Promise<Result<VerifyReport>> {
  const started = performance.now();
  const { proposal } = order;
  call.progress('preparing a shadow tree');
  const tree = await openTree(
    product,
    root.path,
    proposal.map(({ path, after, mode }) => ({ path, bytes: after, mode })),
    call,
  );
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
    const evidence = { ...found.value.evidence, isTreeStill };
    return ok(
      verifyReport({
        ...judge(evidence),
        ...found.value,
        evidence,
        proposal,
        missing: order.missing,
        tree: tree.value,
        movedPaths: moved,
        durationMs: performance.now() - started,
      }),
    );
  } finally {
    await dispose();
  }
}

interface OrderInTree extends Order {
  /** Takes over what has to be removed in the end. */
  readonly willDispose: (made: Pick<ShadowTree, 'dispose'>) => void;
}

async function examineAndTry(product: Product, root: Root, tree: ShadowTree, order: OrderInTree, call: CallContext) {
  const { proposal, wanted, missing } = order;
  const chosen: Result<Suite | null> = missing === null ? chooseSuite(product, tree.root, wanted) : ok(null);
  if (!chosen.ok) return chosen;
  const suite = chosen.value;
  call.progress('examining the change');
  const baseline = suite === null ? null : prepareBaseline(product, root, tree, suite, order, call);
  if (baseline?.ok === false) return baseline;
  const examination = await examineChange(product, tree, proposal, searchFoldersOf(tree.root, suite), call);
  const notes = [...(suite?.notes ?? []), ...(missing === null ? [] : [missing])];
  const withoutRun = (
    ending: 'no_command' | 'not_started' | 'not_run',
  ): Result<{
    evidence: EvidenceSoFar;
    examination: typeof examination;
    trial: Trial | null;
    notes: readonly string[];
  }> =>
    ok({
      evidence: evidenceWithoutRun(examination, proposal, ending),
      examination,
      trial: null,
      notes,
    });
  const isBlocked = examination.syntax.length > 0 || examination.imports.length > 0;
  if (isBlocked || call.signal.aborted) return withoutRun('not_run');
  if (suite === null || baseline === null) return withoutRun(missing === null ? 'no_command' : 'not_started');
  call.progress(`running ${suite.text} with the change and without it`);
  const trial = await runTrial(product, tree, { root, proposal, examination, suite, ...baseline.value }, call);
  if (!trial.ok) return trial;
  const evidence = gatherEvidence({ examination, proposal, suite, trial: trial.value });
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
  order: OrderInTree,
  call: CallContext,
): Result<Pick<TrialOrder, 'baselineKey' | 'baselineTree'>> {
  const { host } = product;
  const store = host.openBaselineStore(root);
  if (!store.ok) return store;
  const { installed, before } = order;
  const { digest, head } = before;
  const content = { digest, head, installed, text: suite.text, tier, engine: ENGINE_VERSION };
  const key = order.fresh ? null : host.sha256([Buffer.from(JSON.stringify(content))]);
  const tree = baselineTree(product, root.path, suite, call);
  order.willDispose(tree);
  const kept = key === null ? null : store.value.find(key, host.now());
  const isStill = kept !== null && isUnchanged(product, root, host.now() - kept.startedMs);
  if (key !== null && !isStill) store.value.forget(key);
  if (!isStill && tier === 'overlay') tree.prepare();
  return ok({ baselineKey: key, baselineTree: tree });
}
