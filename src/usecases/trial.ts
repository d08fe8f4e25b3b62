/**
 * Measure a tree, apply the change, measure again: the baseline and the candidate are shadow trees of the same worktree,
 * and run side by side. What is found is evidence; nothing is judged here and nothing is written outside the trees.
 */
import { changedParts, type ChangedParts } from '../engine/evidence/changed-parts.ts';
import { placeProbes, type ProbedFile } from '../engine/evidence/place-probes.ts';
import { languages } from '../engine/languages/index.ts';
import type { CallContext } from '../model/call-context.ts';
import type { ExaminedFile } from '../model/examination.ts';
import type { ChangedFile } from '../model/proposal.ts';
import { ok, type Result } from '../model/result.ts';
import type { ShadowTree } from '../model/shadow.ts';
import type { TestReport } from '../model/suite.ts';
import { readyTree, type BaselineTree, type SuiteTree } from './baseline-tree.ts';
import type { Suite } from './choose-suite.ts';
import type { ChangeExamination } from './examine-change.ts';
import type { Root } from './locate-target.ts';
import type { Product } from './product.ts';
import { runSuite, type SuiteRun } from './run-suite.ts';

/** A changed file whose parts are known. */
export interface MeasuredFile {
  readonly examined: ExaminedFile;
  readonly changed: ChangedParts;
  readonly probed: ProbedFile;
}

export interface DeletedPart {
  readonly file: string;
  readonly line: number;
  /** Number of its probe in the baseline; null where none can be placed. */
  readonly probe: number | null;
}

export interface Trial {
  readonly files: readonly MeasuredFile[];
  readonly deleted: readonly DeletedPart[];
  /** With probes first; after a failure once more without. */
  readonly candidates: readonly [SuiteRun, ...SuiteRun[]];
  readonly baselines: readonly BaselineRun[];
  /** What failed twice, run apart from all other tests; null where nothing did, or the runner cannot select. */
  readonly apart: { readonly candidate: SuiteRun; readonly baseline: BaselineRun } | null;
  /** Keeps the first baseline for another trial; to be called once the tree is known to have stood still. */
  readonly keepBaseline: () => void;
}

/** A run without the change: its own, or an earlier one on the same content. */
export interface BaselineRun extends Pick<SuiteRun, 'ending' | 'hits'> {
  readonly tests: TestReport;
}

const FIRST_PROBE = 1;

export interface TrialOrder {
  readonly root: Root;
  readonly proposal: readonly ChangedFile[];
  readonly examination: ChangeExamination;
  readonly suite: Suite;
  /** Names the content of the tree without the change, and the command; null where no earlier run may stand in. */
  readonly baselineKey: string | null;
  /** Opened here where it is needed, and disposed of by the caller; else a run that stands for it, or nothing at all. */
  readonly baselineTree: BaselineTree | BaselineRun | null;
}

/** Runs the suite on both trees; an earlier baseline of the same content stands for the first run. */
export async function runTrial(
  product: Product,
  candidate: ShadowTree,
  { root, proposal, examination, suite, baselineKey, baselineTree }: TrialOrder,
  call: CallContext,
): Promise<Result<Trial>> {
  const files = measure(proposal, examination.files);
  const first = FIRST_PROBE + files.reduce((sum, { probed }) => sum + probed.parts.length + 1, 0);
  const { deleted, texts } = probeDeleted(proposal, files, first);
  const store = product.host.openBaselineStore(root);
  if (!store.ok) return store;
  // What was deleted is measured in the baseline itself, so an earlier one without those probes says too little.
  const key = deleted.length > 0 ? null : baselineKey;
  const kept = key === null ? null : store.value.find(key, product.host.now());
  const changedTree = await readyTree(candidate, suite);
  if (!changedTree.ok) return changedTree;
  const runOn = (place: SuiteTree, label: string, only: readonly string[] | null = null) =>
    runSuite(product, place, { examined: examination.files, label, only }, call);
  const runWith = (time: number, only: readonly string[] | null = null) =>
    runOn(changedTree.value, `candidate-${time}`, only);
  let keepBaseline = (): void => undefined;
  const runWithout = async (
    time: number,
    only: readonly string[] | null = null,
  ): Promise<Result<BaselineRun | null>> => {
    if (baselineTree === null || 'tests' in baselineTree) return ok(baselineTree);
    const opened = await baselineTree.open();
    if (!opened.ok) return opened;
    // Once: what a suite made of its files stays for its next run.
    for (const { path, bytes } of time === 1 ? texts : []) opened.value.tree.write(path, bytes);
    const run = await runOn(opened.value, `baseline-${time}`, only);
    const { ending, tests } = run;
    if (key !== null && only === null && (ending === 'green' || ending === 'red')) {
      keepBaseline = () => {
        store.value.keep(key, { ending, tests }, product.host.now());
      };
    }
    return ok(run);
  };
  for (const { probed } of files) if (probed.text !== null) candidate.write(probed.file, Buffer.from(probed.text));
  const [run, baseline] = await both(
    runWith(1),
    kept === null ? runWithout(1) : Promise.resolve(ok<BaselineRun>({ ...kept, hits: new Map() })),
  );
  if (!baseline.ok) return baseline;
  const isClear = run.ending === 'green' || run.ending === 'not_started' || call.signal.aborted;
  const known = (baselines: readonly (BaselineRun | null)[]) => baselines.filter((one) => one !== null);
  const common = { files, deleted, apart: null, keepBaseline };
  if (isClear) return ok({ ...common, candidates: [run], baselines: known([baseline.value]) });
  // The probes may be what broke it.
  for (const { path, after } of proposal) if (after !== null) candidate.write(path, after);
  const [again, baselineAgain] = await both(runWith(2), runWithout(2));
  if (!baselineAgain.ok) return baselineAgain;
  const runs = {
    ...common,
    candidates: [run, again],
    baselines: known([baseline.value, baselineAgain.value]),
  } as const;
  const failed = failedTwice(run, again);
  if (failed.length === 0 || baselineTree === null) return ok(runs);
  // One after the other: two runs at once may want the same port.
  const alone = await runWith(3, failed);
  const aloneWithout = await runWithout(3, failed);
  if (!aloneWithout.ok) return aloneWithout;
  return ok(
    aloneWithout.value === null ? runs : { ...runs, apart: { candidate: alone, baseline: aloneWithout.value } },
  );
}

/** Both, or the error of the first that broke, but never before both have ended: a tree is not removed under a run. */
async function both<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<readonly [One, Other]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

/** The failures to run apart; none where the runner's agent cannot select. */
function failedTwice(first: SuiteRun, second: SuiteRun): readonly string[] {
  const { runner } = first.tests;
  if (!languages.some((language) => language.selectingRunners.includes(runner ?? ''))) return [];
  const failed = ({ tests }: SuiteRun) => tests.tests.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  const again = new Set(failed(second));
  return failed(first).filter((id) => again.has(id));
}

function measure(proposal: readonly ChangedFile[], examined: readonly ExaminedFile[]): readonly MeasuredFile[] {
  let next = FIRST_PROBE;
  return examined.map((file): MeasuredFile => {
    const all = changedParts(file.before, file.after);
    // A way through a test that its passing does not take (the words of an assertion, say) is no gap in the evidence.
    const isTest = languages.some((language) => language.isTestFile(file.path));
    const changed = isTest ? { ...all, arms: [], deletedArms: [] } : all;
    const text = textOf(proposal.find(({ path }) => path === file.path)?.after ?? null);
    const probed = placeProbes(file.path, text ?? '', text === null ? unprobed(file.after) : file.after, changed, next);
    next += probed.parts.length + 1;
    return { examined: file, changed, probed };
  });
}

/** A text that is not UTF-8 takes no probes; its parts are left to the coverage source. */
function unprobed(after: ExaminedFile['after']): ExaminedFile['after'] {
  const bare = <Part extends object>(part: Part) => ({ ...part, probe: null });
  return { ...after, statements: after.statements.map(bare), arms: after.arms.map(bare), loadProbe: null };
}

function textOf(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  const text = Buffer.from(bytes).toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : null;
}

/** Deleted statements and arms are probed where they still are: in the tree of before. */
function probeDeleted(proposal: readonly ChangedFile[], files: readonly MeasuredFile[], first: number) {
  let next = first;
  const deleted: DeletedPart[] = [];
  const texts: { readonly path: string; readonly bytes: Uint8Array }[] = [];
  for (const { examined, changed } of files) {
    if (examined.before === null || changed.deleted.length + changed.deletedArms.length === 0) continue;
    const text = textOf(proposal.find(({ path }) => path === examined.path)?.before ?? null);
    const wanted = { statements: changed.deleted, arms: changed.deletedArms };
    const before = text === null ? unprobed(examined.before) : examined.before;
    const probed = placeProbes(examined.path, text ?? '', before, wanted, next);
    next += probed.parts.length + 1;
    deleted.push(
      ...probed.parts.map(({ span, probe }): DeletedPart => ({
        file: examined.path,
        line: span.line,
        probe,
      })),
    );
    if (probed.text !== null) texts.push({ path: examined.path, bytes: Buffer.from(probed.text) });
  }
  return { deleted, texts };
}
