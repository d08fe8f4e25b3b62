/** Lets a write happen only as it was verified: verify first, or by the id of an earlier verification, which is used up. */
import type { CallContext } from '../model/call-context.ts';
import { failure, type Failure } from '../model/failure.ts';
import type { Patch } from '../model/patch.ts';
import type { ProposedFile } from '../model/proposal.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { VerifyReport } from '../model/verdict.ts';
import type { VerificationRecord } from '../model/verification.ts';
import type { WriteFixReport, WriteFixRequest } from '../model/write-report.ts';
import { takeIn, type Change } from './intake.ts';
import type { Root, Target } from './locate-target.ts';
import type { Product } from './product.ts';
import { verifyProposal } from './verify-change.ts';

const MOST_NAMED = 5;

/** The verification that a write stands on. */
export interface Verified {
  readonly record: VerificationRecord;
  /** Null where it was made by an earlier call. */
  readonly report: VerifyReport | null;
}

export interface WriteToVerify {
  readonly root: Root;
  readonly target: Target;
  readonly patch: Patch;
  readonly expectedSha256: string | undefined;
}

/** Null where the call asks for no verification. Fails with NOT_VERIFIED or STALE; nothing has been written then. */
export async function verifyBefore(
  product: Product,
  request: WriteFixRequest,
  order: WriteToVerify,
  call: CallContext,
): Promise<Result<Verified | null>> {
  const { verifyFirst, verificationId, testCommand, allowedTestCommands } = request;
  if (verificationId !== undefined) {
    const record = find(product, order.root, verificationId);
    if (!record.ok) return record;
    const { verdict, command } = record.value;
    if (testCommand !== undefined && testCommand !== command) {
      const message = `The command that was verified is \`${command ?? 'none'}\`, not \`${testCommand}\`.`;
      return fail(failure('STALE', message, { hint: 'Leave the test command out: by an id, nothing is run again.' }));
    }
    if (verdict === 'UNSAFE' || (verifyFirst === 'safe' && verdict !== 'SAFE')) {
      const message = `The verdict of this verification is ${verdict}; it is not written.`;
      return fail(failure('NOT_VERIFIED', message));
    }
    return ok({ record: record.value, report: null });
  }
  if (verifyFirst === undefined) return ok(null);
  const report = await takeIn(product, order, (change) => {
    const proposal = [proposedFile(order.target, change)];
    // A write does not stand on an answer found earlier: what no key sees may have changed since.
    const wanted = { proposal, testCommand, allowedTestCommands, age: 'running' } as const;
    return verifyProposal(product, order.root, wanted, call);
  });
  if (!report.ok) return report;
  const { verdict, reason, next, verification_id: id } = report.value;
  if (verdict === 'UNSAFE' || (verifyFirst === 'safe' && verdict !== 'SAFE') || id === null) {
    const hint = next ?? 'Read the report in verdict.';
    const message = `Not written: the verdict is ${verdict}. ${reason}`;
    return fail(failure('NOT_VERIFIED', message, { hint, details: { report: { verdict: report.value } } }));
  }
  const record = find(product, order.root, id);
  return record.ok ? ok({ record: record.value, report: report.value }) : record;
}

function proposedFile({ components, path }: Target, { preimage, rewrite, sha256After }: Change): ProposedFile {
  const after = Buffer.concat(rewrite.pieces);
  return { components, path, before: preimage.bytes, after, sha256Before: preimage.sha256, sha256After, mode: null };
}

function find({ host }: Product, root: Root, id: string): Result<VerificationRecord> {
  const store = host.openVerificationStore(root);
  if (!store.ok) return store;
  const found = store.value.find(id, host.now());
  if (found.state === 'ready') return ok(found.record);
  if (found.state === 'used') return fail(stale('This verification has been written already; it can be used once.'));
  return fail(stale('No such verification is known for this repository; it may be older than an hour.'));
}

/**
 * The last look before the write, under the root's lock: everything must still be what was verified. Null when it is.
 */
export async function refuseStale(
  product: Product,
  root: Root,
  target: Target,
  { record }: Verified,
  change: Change,
): Promise<Failure | null> {
  const { host } = product;
  const [file, ...others] = record.files;
  if (file?.path !== target.path || others.length > 0) {
    const names = record.files.map(({ path }) => path).join(', ');
    return failure('STALE', `What was verified is a change of ${names}, not of ${target.path} alone.`, {
      hint: 'By an id one file is written: verify the change of each file by itself, or write these without an id.',
    });
  }
  if (file.sha256Before !== change.preimage.sha256) return stale(`${target.path} is not the file that was verified.`);
  if (file.sha256After !== change.sha256After) return stale('The patch is not the one that was verified.');
  const now = await host.treeDigest(root.path);
  if (now.head !== record.head) {
    return stale(`HEAD moved from ${record.head ?? 'nothing'} to ${now.head ?? 'nothing'} since the verification.`);
  }
  if (now.digest === record.treeDigest) return null;
  const moved = host.changedAfter(now, record.createdMs, MOST_NAMED + 1);
  const named = moved.length === 0 ? 'removed, or moved with their folder' : moved.slice(0, MOST_NAMED).join(', ');
  const more = moved.length > MOST_NAMED ? ' and more' : '';
  return stale(`Other files of the repository changed since the verification: ${named}${more}.`);
}

/** Uses a verification up for a write that is about to begin; null when it may. */
export function claim({ host }: Product, root: Root, { record }: Verified): Failure | null {
  const store = host.openVerificationStore(root);
  if (!store.ok) return store.failure;
  return store.value.take(record.id) ? null : stale('This verification has been written already; it can be used once.');
}

function stale(message: string): Failure {
  return failure('STALE', message);
}

/** For a write that failed before it changed anything: the verification may be used again. */
export function giveBack({ host }: Product, root: Root, { record }: Verified): void {
  const store = host.openVerificationStore(root);
  if (store.ok) store.value.giveBack(record.id);
}

/** Adds to an answer what it stands on. */
export function withVerdict(answer: Result<WriteFixReport>, verified: Verified | null): Result<WriteFixReport> {
  if (verified === null) return answer;
  const { report, record } = verified;
  const verdict = report === null ? {} : { verdict: report };
  const stands = { verified: { verification_id: record.id, verdict: record.verdict } };
  if (answer.ok) return ok({ ...answer.value, ...stands, ...verdict });
  const { details } = answer.failure;
  return fail({ ...answer.failure, details: { ...details, report: { ...details.report, ...verdict } } });
}
