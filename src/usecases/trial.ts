/**
 * Measure a tree, apply the change, measure again: the baseline and the candidate are shadow trees of the same worktree,
 * and run side by side. What is found is evidence; nothing is judged here and nothing is written outside the trees.
 */
import { measureFiles, probeDeleted, type DeletedPart, type MeasuredFile } from '../engine/evidence/measured-files.ts';
import { languages } from '../engine/languages/index.ts';
import type { CallContext } from '../model/call-context.ts';
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

export interface Trial {
  readonly files: readonly MeasuredFile[];
  readonly deleted: readonly DeletedPart[];
  /** With probes first; once more without where that did not end green. */
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
  /** True where parts that the change deletes were probed in its tree. */
  readonly isProbed: boolean;
}

export interface TrialOrder {
  readonly root: Root;
  readonly proposal: readonly ChangedFile[];
  readonly examination: ChangeExamination;
  readonly suite: Suite;
  /** Names the content of the tree without the change, and the command; null where no earlier run may stand in. */
  readonly baselineKey: string | null;
  /** Opened here where it is needed, and disposed of by the caller; null where there is none. */
  readonly baselineTree: BaselineTree | null;
}

/** Runs the suite on both trees; an earlier baseline of the same content stands for the first run. */
export async function runTrial(
  product: Product,
  candidate: ShadowTree,
  { root, proposal, examination, suite, baselineKey, baselineTree }: TrialOrder,
  call: CallContext,
): Promise<Result<Trial>> {
  const files = measureFiles(proposal, examination.files, isNamedAsTest);
  const { deleted, texts } = probeDeleted(proposal, files);
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
    if (baselineTree === null) return ok(null);
    const opened = await baselineTree.open();
    if (!opened.ok) return opened;
    // Once each: what a suite made of its files stays for its next run.
    for (const { path, bytes, original } of time <= 2 ? texts : []) {
      opened.value.tree.write(path, time === 1 ? bytes : original);
    }
    const startedMs = product.host.now();
    const run = await runOn(opened.value, `baseline-${time}`, only);
    const { ending, tests } = run;
    if (key !== null && only === null && (ending === 'green' || ending === 'red')) {
      keepBaseline = () => {
        store.value.keep(key, { ending, tests }, startedMs);
      };
    }
    return ok({ ...run, isProbed: time === 1 && texts.length > 0 });
  };
  for (const { probed } of files) if (probed.text !== null) candidate.write(probed.file, Buffer.from(probed.text));
  const [run, baseline] = await both(
    runWith(1),
    kept === null ? runWithout(1) : Promise.resolve(ok<BaselineRun>({ ...kept, hits: new Map(), isProbed: false })),
  );
  if (!baseline.ok) return baseline;
  const known = (...baselines: readonly (BaselineRun | null)[]) => baselines.filter((one) => one !== null);
  const common = { files, deleted, apart: null, keepBaseline };
  const isOver = run.ending === 'not_started' || call.signal.aborted;
  // The probes may be what broke it, on either side.
  const isDisturbed = baseline.value?.isProbed === true && baseline.value.ending !== 'green';
  const once = { ...common, candidates: [run], baselines: known(baseline.value) } as const;
  if (isOver || (run.ending === 'green' && !isDisturbed)) return ok(once);
  if (run.ending === 'green') {
    const plain = await runWithout(2);
    return plain.ok ? ok({ ...once, baselines: known(baseline.value, plain.value) }) : plain;
  }
  for (const { path, after } of proposal) if (after !== null) candidate.write(path, after);
  const [again, plain] = await both(runWith(2), runWithout(2));
  if (!plain.ok) return plain;
  // Where the first one does not count, what fails with the change only has passed but once without it.
  const third = isDisturbed && plain.value?.ending === 'green' ? await runWithout(3) : null;
  if (third?.ok === false) return third;
  const baselines = known(baseline.value, plain.value, third?.value ?? null);
  const twice = { ...common, candidates: [run, again], baselines } as const;
  const failed = failedTwice(run, again);
  if (failed.length === 0 || baselineTree === null) return ok(twice);
  // One after the other: two runs at once may want the same port.
  const alone = await runWith(4, failed);
  const aloneWithout = await runWithout(4, failed);
  if (!aloneWithout.ok) return aloneWithout;
  return ok(
    aloneWithout.value === null ? twice : { ...twice, apart: { candidate: alone, baseline: aloneWithout.value } },
  );
}

function isNamedAsTest(path: string): boolean {
  return languages.some((language) => language.isNamedAsTest(path));
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
