/**
 * One attempt to verify what is on disk: look → take the change → judge → look again → publish. A tree that moved
 * meanwhile publishes nothing, and what cannot be judged is a failed attempt and no result.
 */
import type { TreeState } from '../io/capture.ts';
import type { CallContext } from '../model/call-context.ts';
import type { ChangedFile } from '../model/proposal.ts';
import type { FailedAttempt } from '../model/revision.ts';
import type { SavedResult } from '../model/saved-result.ts';
import type { SavedBaselineKind } from '../model/saved-verification.ts';
import { ENGINE_VERSION, type ReasonCode, type VerifyReport } from '../model/verdict.ts';
import { chooseSuite, type WantedSuite } from './choose-suite.ts';
import { judgeChange, type Comparison } from './judge-change.ts';
import type { Root } from './locate-target.ts';
import type { Product } from './product.ts';
import { eventOf, recordHistory } from './record-history.ts';
import { chooseBaseline, deltaOf } from './saved-baseline.ts';
import { takeSavedChange, type SavedChange } from './saved-change.ts';
import type { Attempt } from './saved-runs.ts';
import { countTests, verifyReport } from './verify-report.ts';

export interface SavedOrder {
  /** Normalised; empty for what was touched and is in no result yet. */
  readonly paths: readonly string[];
  readonly baseline: SavedBaselineKind;
  readonly wanted: WantedSuite;
  readonly fresh: boolean;
}

/** Nothing was measured, so there is nothing to publish. */
const FAILED: readonly ReasonCode[] = [
  'tree_moved',
  'no_test_command',
  'runner_missing',
  'run_incomplete',
  'timed_out',
  'tests_not_counted',
];

const TOO_LARGE =
  'There is more here than one look takes in, so what is saved is not known. Name the files that were saved one by one.';

/** What a look has to see although git ignores it: what is asked about, and without that what is pending or was asked last. */
export function declaredPaths(
  { host, revisions }: Product,
  root: string,
  { paths, known = [] }: Pick<SavedOrder, 'paths'> & { readonly known?: readonly string[] },
): readonly string[] {
  const asked = paths.length > 0 ? paths : [...revisions.dirtyPaths(root), ...known];
  return [...new Set(asked.flatMap((path) => [path, host.realSavedPath(root, path) ?? path]))];
}

/** Runs once; `reached` is told of a newer revision than the one at the start, if that is what is measured. */
export async function attemptSaved(
  product: Product,
  root: Root,
  order: SavedOrder,
  call: CallContext,
  reached: (revision: number) => void,
): Promise<Attempt<SavedResult>> {
  const end = product.revisions.begin(root.path);
  const { revision: begun } = product.revisions.current(root.path);
  let failed: FailedAttempt | undefined;
  try {
    const how = await attempt(product, root, order, call, reached);
    if (how.kind === 'failed') failed = { revision: how.revision, code: how.code, message: how.message };
    // Whoever does not wait finds it here alone.
    if (how.kind === 'torn') failed = { revision: begun, code: 'tree_moved', message: movedInWords(how.paths) };
    return how;
  } finally {
    end(failed);
  }
}

type Ending =
  Exclude<Attempt<SavedResult>, { readonly kind: 'failed' }> | (FailedAttempt & { readonly kind: 'failed' });

async function attempt(
  product: Product,
  root: Root,
  order: SavedOrder,
  call: CallContext,
  reached: (revision: number) => void,
): Promise<Ending> {
  const { host, revisions } = product;
  const startedMs = host.now();
  const { revision: begun } = revisions.current(root.path);
  let revision = begun;
  const failed = (code: string, message: string): Ending => ({ kind: 'failed', revision, code, message });
  const suite = chooseSuite(product, root.path, order.wanted);
  if (!suite.ok && suite.failure.code !== 'PROGRAM_NOT_FOUND') return failed(suite.failure.code, suite.failure.message);
  call.progress('looking at what is on disk');
  const [before] = await Promise.all([host.treeDigest(root.path), host.shadows.probe()]);
  const declared = declaredPaths(product, root.path, order);
  const state = await host.captureState(root.path, declared);
  const { detected, revision: now } = revisions.captured(root.path, state, host.now());
  // Whatever else was counted meanwhile may not be in this look; what the look itself found out is.
  if (detected.length > 0 && now.revision === begun + 1) {
    revision = now.revision;
    reached(revision);
  }
  if (!state.isComplete) return failed('TREE_TOO_LARGE', TOO_LARGE);
  const dirty = revisions.dirtyPaths(root.path);
  const pending = dirty.length === 0 ? ['.'] : dirty;
  const scope = order.paths.length > 0 ? order.paths : pending;
  const change = await takeSavedChange(product, root.path, scope, state);
  const text = suite.ok ? (suite.value?.text ?? null) : (order.wanted.testCommand ?? null);
  const programs = suite.ok && suite.value !== null ? [suite.value.command.command[0]] : [];
  const installed = host.dependencyPrint(root.path, programs);
  const facts = { text, installed: JSON.stringify(installed), scope };
  const baseline = chooseBaseline(order.baseline, product.savedRuns.newest(root.path), { ...facts, change, state });
  const judgement = await judgeChange(
    product,
    root,
    {
      files: change.files,
      candidateFiles: [],
      comparison: comparisonOf(product, change, state),
      wanted: order.wanted,
      missing: suite.ok ? null : suite.failure.message,
      installed,
      before,
      fresh: order.fresh,
      unjudged: change.unjudged,
    },
    call,
  );
  if (!judgement.ok) return failed(judgement.failure.code, judgement.failure.message);
  const moved = await movedSince(product, root.path, declared, state, judgement.value.movedPaths);
  if (moved.length > 0) return { kind: 'torn', paths: moved };
  const judged = verifyReport(judgement.value);
  const report = baseline.standing === null ? judged : { ...judged, baseline: countTests(baseline.standing) };
  if (FAILED.includes(report.reasonCode)) return failed(report.reasonCode, wordsOf(report));
  const delta = deltaOf(baseline, judgement.value, [...scope, ...change.scope]);
  const result: SavedResult = {
    id: host.newId(),
    startedMs,
    report,
    scope,
    stateId: state.stateId,
    head: state.head,
    command: text,
    installed: JSON.stringify(installed),
    ...delta,
    caveats: [...change.caveats, ...delta.caveats],
  };
  const unrecorded = await remember(product, root, result, change.files, revision, call);
  if (unrecorded !== null) return failed(unrecorded.code, unrecorded.message);
  revisions.publish(root.path, revision, scope);
  return { kind: 'done', value: result };
}

/**
 * What the verdict rests on, whatever is counted against: an earlier result may be the very damage that is asked about. The
 * tree of HEAD is named by content, so that the next edit of the same files finds the same baseline.
 */
function comparisonOf({ host }: Product, { files, before, noHead }: SavedChange, state: TreeState): Comparison {
  if (noHead !== null) return { kind: 'none' };
  const changed = new Set(files.map(({ path }) => path));
  const rest = [...state.entries, ...state.declared].filter(([path]) => !changed.has(path)).sort();
  const old = files.map(({ path, sha256Before }) => [path, sha256Before]);
  const content = host.sha256([Buffer.from(JSON.stringify({ saved: ENGINE_VERSION, rest, old }))]);
  return { kind: 'tree', files: before, content };
}

/** What moved while it was measured, by content as well; each time that is counted as a change. */
async function movedSince(
  { host, revisions }: Product,
  root: string,
  declared: readonly string[],
  before: TreeState,
  moved: readonly string[],
): Promise<readonly string[]> {
  const after = await host.captureState(root, declared);
  const names = new Set([...before.declared.keys(), ...after.declared.keys()]);
  const other = [...names].filter((path) => before.declared.get(path) !== after.declared.get(path));
  const isStill = moved.length === 0 && other.length === 0 && after.stateId === before.stateId;
  const { detected } = revisions.captured(root, after, host.now());
  if (isStill) return [];
  const all = [...new Set([...moved, ...other, ...detected])];
  const paths = all.filter((path) => path !== 'HEAD');
  if (detected.length === 0) revisions.raise(root, paths.length === all.length ? paths : ['.']);
  return all.length === 0 ? ['.'] : all;
}

function movedInWords(paths: readonly string[]): string {
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
  return `What is on disk changed while it was measured (${paths.slice(0, 3).join(', ')}${more}); let nothing write there, and ask again.`;
}

function wordsOf({ reason, next, tests }: VerifyReport): string {
  const output = tests === null ? '' : ` The whole output is at ${tests.output_uri}.`;
  return `${reason} ${next ?? ''}${output}`.trim();
}

/** One record for each publication; without it nothing is published. */
async function remember(
  product: Product,
  root: Root,
  { id, report, command }: SavedResult,
  files: readonly ChangedFile[],
  revision: number,
  call: CallContext,
) {
  const { epoch } = product.revisions.current(root.path);
  const recorded = await recordHistory(
    product,
    root,
    eventOf(call, {
      kind: 'verification',
      id,
      files: files.map(({ path, sha256Before, sha256After }) => ({ path, sha256Before, sha256After, preimage: null })),
      command,
      verdict: report.verdict,
      reasonCode: report.reasonCode,
      outcome: 'judged',
      outputUri: report.tests?.output_uri ?? null,
      revision: { epoch, revision },
    }),
  );
  return recorded.ok ? null : recorded.failure;
}
