/**
 * Measure a tree, apply the change, measure again: the baseline and the candidate are shadow trees of the same worktree,
 * and run side by side. What is found is evidence; nothing is judged here and nothing is written outside the trees.
 */
import { changedParts, type ChangedParts } from '../engine/evidence/changed-parts.ts';
import { placeProbes, type ProbedFile } from '../engine/evidence/place-probes.ts';
import type { CallContext } from '../model/call-context.ts';
import type { ExaminedFile } from '../model/examination.ts';
import type { ProposedFile } from '../model/proposal.ts';
import type { Result } from '../model/result.ts';
import { ok } from '../model/result.ts';
import type { ShadowFile, ShadowTree } from '../model/shadow.ts';
import { chooseSuite, type Suite } from './choose-suite.ts';
import type { ChangeExamination } from './examine-change.ts';
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
  readonly timing: 'definition' | 'body';
  /** Number of its probe in the baseline; null where none can be placed. */
  readonly probe: number | null;
}

export interface Trial {
  readonly files: readonly MeasuredFile[];
  readonly deleted: readonly DeletedPart[];
  /** With probes first; after a failure once more without. */
  readonly candidates: readonly [SuiteRun, ...SuiteRun[]];
  readonly baselines: readonly SuiteRun[];
}

const FIRST_PROBE = 1;

/** Runs the suite on both trees. Fails only where a tree cannot be made. */
export async function runTrial(
  product: Product,
  root: string,
  candidate: ShadowTree,
  { proposal, examination, suite }: { proposal: readonly ProposedFile[]; examination: ChangeExamination; suite: Suite },
  call: CallContext,
): Promise<Result<Trial>> {
  const files = measure(proposal, examination.files);
  const first = FIRST_PROBE + files.reduce((sum, { probed }) => sum + probed.parts.length + 1, 0);
  const { deleted, texts } = probeDeleted(proposal, files, first);
  const baselineTree = await openTree(product, root, texts, call);
  if (!baselineTree.ok) return baselineTree;
  try {
    for (const { probed } of files) if (probed.text !== null) candidate.write(probed.file, Buffer.from(probed.text));
    // A copy lies at another path, and so do the programs in it.
    const other = chooseSuite(product, baselineTree.value.root, suite.text);
    if (!other.ok) return other;
    const orders = [
      { tree: candidate, suite, examined: examination.files, name: 'candidate' },
      { tree: baselineTree.value, suite: other.value ?? suite, examined: [], name: 'baseline' },
    ] as const;
    const runBoth = (time: number): Promise<readonly SuiteRun[]> =>
      Promise.all(
        orders.map(({ tree, suite: { command, project }, examined, name }) =>
          runSuite(product, tree, { command, project, examined, label: `${name}-${time}` }, call),
        ),
      );
    const [run, baseline] = await runBoth(1);
    if (run === undefined || baseline === undefined) throw new Error('two runs were asked for');
    const isClear = run.ending === 'green' || run.ending === 'not_started' || call.signal.aborted;
    if (isClear) return ok({ files, deleted, candidates: [run], baselines: [baseline] });
    // The probes may be what broke it: what counts is the change alone.
    for (const { path, after } of proposal) candidate.write(path, after);
    const [again, baselineAgain] = await runBoth(2);
    return ok({
      files,
      deleted,
      candidates: again === undefined ? [run] : [run, again],
      baselines: baselineAgain === undefined ? [baseline] : [baseline, baselineAgain],
    });
  } finally {
    await baselineTree.value.dispose();
  }
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

function measure(proposal: readonly ProposedFile[], examined: readonly ExaminedFile[]): readonly MeasuredFile[] {
  let next = FIRST_PROBE;
  return examined.map((file): MeasuredFile => {
    const changed = changedParts(file.before, file.after);
    const text = textOf(proposal.find(({ path }) => path === file.path)?.after ?? null);
    const probed = placeProbes(file.path, text ?? '', text === null ? without(file.after) : file.after, changed, next);
    next += probed.parts.length + 1;
    return { examined: file, changed, probed };
  });
}

/** A text that is not UTF-8 takes no probes; its parts are left to the coverage source. */
function without(after: ExaminedFile['after']): ExaminedFile['after'] {
  const bare = <Part extends object>(part: Part) => ({ ...part, probe: null });
  return { ...after, statements: after.statements.map(bare), arms: after.arms.map(bare), loadProbe: null };
}

function textOf(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  const text = Buffer.from(bytes).toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : null;
}

/** Deleted statements are probed where they still are: in the tree of before. */
function probeDeleted(proposal: readonly ProposedFile[], files: readonly MeasuredFile[], first: number) {
  let next = first;
  const deleted: DeletedPart[] = [];
  const texts: { readonly path: string; readonly bytes: Uint8Array; readonly mode: null }[] = [];
  for (const { examined, changed } of files) {
    if (examined.before === null || changed.deleted.length === 0) continue;
    const text = textOf(proposal.find(({ path }) => path === examined.path)?.before ?? null);
    const wanted = { statements: changed.deleted, arms: [] };
    const before = text === null ? without(examined.before) : examined.before;
    const probed = placeProbes(examined.path, text ?? '', before, wanted, next);
    next += probed.parts.length + 1;
    deleted.push(
      ...probed.parts.map(({ span, timing, probe }): DeletedPart => ({
        file: examined.path,
        line: span.line,
        timing,
        probe,
      })),
    );
    if (probed.text !== null) texts.push({ path: examined.path, bytes: Buffer.from(probed.text), mode: null });
  }
  return { deleted, texts };
}
