/** A change that was taken in → the file, for good or not at all: patch kept, written, settled, remembered. */
import type { Journal } from '../io/journal.ts';
import type { CallContext } from '../model/call-context.ts';
import { failure } from '../model/failure.ts';
import type { HistoryEvent } from '../model/history.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { WriteFixReport } from '../model/write-report.ts';
import type { GitFileReport } from '../io/git.ts';
import type { TestCommand } from './authorise.ts';
import type { Change } from './intake.ts';
import type { Root, Target } from './locate-target.ts';
import type { Product } from './product.ts';
import { eventOf } from './record-history.ts';
import { settle } from './settle.ts';
import { claim, giveBack, type Verified } from './verified-write.ts';

const SPARE_BYTES = 1n << 20n;

export interface Landing {
  readonly root: Root;
  readonly target: Target;
  readonly tests: TestCommand | null;
  /** The test command as it was given; null where none runs. */
  readonly command: string | null;
  readonly verified: Verified | null;
  readonly kind: 'write' | 'undo';
  /** The write that this one undoes. */
  readonly of: string | null;
  /** The change as a unified diff, by which it can be undone. */
  readonly patch: Buffer;
}

/** Writes the change while the root and the file are held. */
export async function land(
  product: Product,
  landing: Landing,
  change: Change,
  journal: Journal,
  call: CallContext,
): Promise<Result<WriteFixReport>> {
  const { host } = product;
  const { root, target, tests, verified } = landing;
  if (host.freeBytes(change.folder) < BigInt(change.rewrite.byteLength) + SPARE_BYTES) {
    return fail(failure('NO_SPACE', `There is no room for another copy of ${target.path} on its disk.`));
  }
  call.progress(`writing ${target.path}`);
  const git = await host.git(root.path).inspectFile({
    root: root.path,
    relativePath: target.path,
    bytes: change.preimage.bytes,
  });
  if (call.signal.aborted) return fail(failure('CANCELLED', 'The call was cancelled before anything was written.'));
  const id = host.newId();
  const keepBackup = git.state !== 'clean';
  // While tests run the old bytes stand beside the file in any case, and the suite may ask git what is new.
  const excluded = keepBackup || tests !== null ? host.excludeBackups(root.path) : { listed: false };
  const event = keepPatch(product, landing, { change, git, id }, call);
  if (!event.ok) return event;
  const used = verified === null ? null : claim(product, root, verified);
  if (used !== null) return fail(used);
  const open = host.beginWrite(
    {
      ...change,
      id,
      root: root.path,
      pieces: change.rewrite.pieces,
      keepBackup,
      tested: tests !== null,
      event: event.value,
    },
    journal,
  );
  if (!open.ok) {
    const { disk_state: left = 'unchanged' } = open.failure.details.report ?? {};
    if (verified !== null && left === 'unchanged') giveBack(product, root, verified);
    return open;
  }
  const { preimage, sha256After: sha256_after } = change;
  const facts = { git_state: git.state, write_id: id, sha256_before: preimage.sha256, sha256_after };
  const notes = [
    ...target.notes,
    ...change.rewrite.notes,
    ...(git.note === undefined ? [] : [git.note]),
    ...(excluded.note === undefined || !keepBackup ? [] : [excluded.note]),
    ...(tests?.notes ?? []),
    ...open.value.notes,
  ];
  return settle(product, { root, target, tests, write: open.value, id, facts, notes, event: event.value }, call);
}

/** Before the write, so that nothing stays in a file that could not be undone. Returns what the history will hold. */
function keepPatch(
  { host }: Product,
  { root, target, tests, command, verified, kind, of, patch }: Landing,
  { change, git, id }: { readonly change: Change; readonly git: GitFileReport; readonly id: string },
  call: CallContext,
): Result<(backup: string | null) => HistoryEvent> {
  const changes = host.openChanges(root);
  if (!changes.ok) return changes;
  const patchSha256 = changes.value.add(id, patch, host.now());
  const { bytes, sha256: sha256Before } = change.preimage;
  const blob = git.blob ?? git.name ?? host.blobId(bytes);
  const folder = target.components.slice(0, -1);
  return ok((backup) => {
    const place = backup === null ? null : [...folder, backup].join('/');
    const file = { path: target.path, sha256Before, sha256After: change.sha256After };
    return eventOf(call, {
      kind,
      id,
      files: [{ ...file, preimage: { blob, backup: place } }],
      command: command ?? verified?.record.command ?? null,
      verdict: verified?.record.verdict ?? null,
      outcome: 'kept',
      of,
      patchSha256,
      outputUri: tests === null ? null : `surepatch://output/${id}`,
    });
  });
}
