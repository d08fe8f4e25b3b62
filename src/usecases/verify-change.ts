/**
 * verify_change: locate → take in → shadow tree → examine → trial → judge. Writes nothing into the repository; what it
 * learns it keeps, so that exactly this change can be written later.
 */
import { isAbsolute } from 'node:path';
import { judgeRoot } from '../engine/root-policy.ts';
import type { CallContext } from '../model/call-context.ts';
import { failure } from '../model/failure.ts';
import type { ProposedFile, VerifyRequest } from '../model/proposal.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { ENGINE_VERSION, type VerifyReport } from '../model/verdict.ts';
import type { VerificationRecord } from '../model/verification.ts';
import { chooseSuite, type WantedSuite } from './choose-suite.ts';
import { judgeChange, type ChangeOrder } from './judge-change.ts';
import { locateRoot, type Root } from './locate-target.ts';
import type { Product } from './product.ts';
import { eventOf, recordHistory } from './record-history.ts';
import { takeProposal } from './take-proposal.ts';
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
    const order: ChangeOrder = {
      files: proposal,
      candidateFiles: proposal.map(({ path, after, mode }) => ({ path, bytes: after, mode })),
      comparison: { kind: 'tree', files: [], content: before.digest },
      wanted,
      missing,
      installed,
      before,
      fresh: age !== 'kept',
    };
    const judgement = await judgeChange(product, root, order, running);
    if (!judgement.ok) return judgement;
    const report = verifyReport(judgement.value);
    const id = host.newId();
    const record: VerificationRecord = {
      id,
      createdMs: host.now(),
      root: root.path,
      files: files.map(({ path, sha256Before, sha256After }) => ({ path, sha256Before, sha256After })),
      treeDigest: before.digest,
      head: before.head,
      command: text,
      verdict: report.verdict,
    };
    const store = host.openVerificationStore(root);
    if (!store.ok) return store;
    store.value.add(record);
    const event = eventOf(call, {
      kind: 'verification',
      id,
      files: record.files.map((file) => ({ ...file, preimage: null })),
      command: text,
      verdict: report.verdict,
      reasonCode: report.reasonCode,
      outcome: 'judged',
    });
    const recorded = await recordHistory(product, root, event);
    if (!recorded.ok) return recorded;
    return ok({ ...report, verification_id: id });
  };
  return product.verifications.answer(key, age, call, { work, isStill });
}
