/**
 * One write of one file: journalled, then published by a rename, then either committed or rolled back by the holder of
 * the open write. Until then a crash leaves enough behind for recovery to settle it (docs/design.md, "Writing").
 */
import { renameSync, rmSync } from 'node:fs';
import { failure, type Failure } from '../model/failure.ts';
import { backupName, temporaryName } from '../model/own-file-names.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { carryAttributes } from './attributes.ts';
import type { DirectoryHandle } from './directory-handle.ts';
import { diskFailure } from './disk-error.ts';
import { digestOf, sameContent, withFile, type HeldFile } from './held-file.ts';
import type { Journal, WriteIntent } from './journal.ts';
import { dropBackup, linkOrCopy, nothingAt, putBack, type PutBack } from './put-back.ts';
import type { TargetFile } from './target-file.ts';
import { writeNewFile } from './write-file.ts';

export interface PlannedWrite {
  /** Unique in the root; also the 128 random bits of the temporary file's name. */
  readonly id: string;
  /** Real path of the root. */
  readonly root: string;
  /** Components from the root to the target's folder, which `folder` has open. */
  readonly folderComponents: readonly string[];
  readonly folder: DirectoryHandle;
  readonly name: string;
  readonly preimage: TargetFile;
  readonly chunks: readonly Uint8Array[];
  readonly sha256After: string;
  readonly keepBackup: boolean;
  readonly tested: boolean;
}

export interface OpenWrite {
  readonly notes: readonly string[];
  /** When the postimage took its place, on the file system's own clock, in nanoseconds since 1970. */
  readonly publishedNs: bigint;
  /** Name of the file beside the target that holds the preimage. */
  readonly backup: string;
  /** Digest of what the target's name holds now; null where it is no regular file. */
  found(): string | null;
  /** Makes the write final: durable before it returns. Rolls back and says why when that cannot be made durable. */
  commit(): Result<Committed>;
  /** Puts the preimage back. */
  rollBack(): Result<PutBack>;
  /** Leaves everything as it is, because the file holds somebody else's bytes; the backup stays. */
  abandon(): void;
}

export interface Committed {
  /** Name of the retained backup, null where git holds the preimage. */
  readonly backup: string | null;
  readonly notes: readonly string[];
}

/** Writes the postimage in place of the preimage; on any failure the file is what it was before. */
export function beginWrite(plan: PlannedWrite, journal: Journal): Result<OpenWrite> {
  const intent = intentOf(plan);
  try {
    journal.append({ kind: 'intent', intent });
  } catch (error) {
    return fail(diskFailure(error, 'the journal record of this write'));
  }
  const rollBack = (): Result<PutBack> => settleByPutBack(plan, intent, journal);
  try {
    const notes = place(plan, intent);
    if (notes.ok) return ok(openWrite(plan, intent, journal, notes.value, rollBack));
    return undo(rollBack, notes.failure);
  } catch (error) {
    return undo(rollBack, diskFailure(error, `to write ${plan.name}`));
  }
}

function intentOf(plan: PlannedWrite): WriteIntent {
  let n = 1;
  while (!nothingAt(plan.folder, backupName(plan.name, n))) n += 1;
  return {
    id: plan.id,
    root: plan.root,
    folder: plan.folderComponents,
    folderInode: plan.folder.identity.ino.toString(),
    name: plan.name,
    sha256Before: plan.preimage.sha256,
    sha256After: plan.sha256After,
    backup: backupName(plan.name, n),
    temporary: temporaryName(plan.id),
    keepBackup: plan.keepBackup,
    tested: plan.tested,
  };
}

/** Backup, temporary file, rename: each durable before the next. Returns the notes of the write. */
function place(plan: PlannedWrite, intent: WriteIntent): Result<readonly string[]> {
  const { folder, name, preimage } = plan;
  return withFile(folder, name, (held) => {
    if (held === null || !sameContent(held.facts, preimage.facts)) return fail(changedMeanwhile(name));
    const isLink = linkOrCopy(folder, name, intent.backup);
    folder.sync();
    const attributes = writeTemporary(plan, intent, held);
    const isStill = withFile(folder, name, (now) => now !== null && sameContent(now.facts, preimage.facts));
    if (!isStill) {
      dropBackup(folder, intent);
      return fail(changedMeanwhile(name));
    }
    renameSync(folder.at(intent.temporary), folder.at(name));
    folder.sync();
    // Whoever wrote into the old file after the last look wrote into what `held` has open: give that back.
    if (held.digest() !== preimage.sha256) {
      if (!isLink) writeNewFile(folder.at(intent.temporary), held.blocks(), held.facts);
      renameSync(folder.at(isLink ? intent.backup : intent.temporary), folder.at(name));
      folder.sync();
      return fail(changedMeanwhile(name));
    }
    return ok(attributes === null ? [] : [attributes]);
  });
}

function writeTemporary(plan: PlannedWrite, intent: WriteIntent, held: HeldFile): string | null {
  let attributes: string | null = null;
  writeNewFile(plan.folder.at(intent.temporary), plan.chunks, held.facts, (descriptor) => {
    attributes = carryAttributes(held.descriptor, descriptor);
  });
  if (digestOf(plan.folder, intent.temporary) !== plan.sha256After) {
    throw Object.assign(new Error('the bytes read back are not those written'), { code: 'EIO' });
  }
  return attributes;
}

function openWrite(
  plan: PlannedWrite,
  intent: WriteIntent,
  journal: Journal,
  notes: readonly string[],
  rollBack: () => Result<PutBack>,
): OpenWrite {
  return {
    notes,
    publishedNs: withFile(plan.folder, plan.name, (held) => held?.facts.ctimeNs ?? 0n),
    backup: intent.backup,
    found: () => digestOf(plan.folder, plan.name),
    commit: () => {
      try {
        if (intent.tested) journal.append({ kind: 'committed', id: intent.id });
      } catch (error) {
        return undo(rollBack, diskFailure(error, 'the record that makes this write final'));
      }
      return ok(finish(plan.folder, intent, journal));
    },
    rollBack,
    abandon: () => {
      rmSync(plan.folder.at(intent.temporary), { force: true });
      journal.settle(intent.id);
    },
  };
}

/** Tidies up after a write that is final; what cannot be tidied now stays in the journal for the next start. */
export function finish(folder: DirectoryHandle, intent: WriteIntent, journal: Journal): Committed {
  const notes: string[] = [];
  let backup: string | null = intent.backup;
  try {
    rmSync(folder.at(intent.temporary), { force: true });
    if (!intent.keepBackup) {
      backup = dropBackup(folder, intent);
      if (backup !== null) notes.push(`${backup} no longer holds the bytes of before, so it was not removed.`);
    }
    journal.settle(intent.id);
  } catch (error) {
    notes.push(`Tidying up is left to the next start. ${diskFailure(error, 'to remove the backup').message}`);
  }
  return { backup, notes };
}

function settleByPutBack(plan: PlannedWrite, intent: WriteIntent, journal: Journal): Result<PutBack> {
  try {
    const { bytes, facts } = plan.preimage;
    const done = putBack(plan.folder, intent, { bytes, owner: facts });
    journal.settle(intent.id);
    return ok(done);
  } catch (error) {
    const { message } = diskFailure(error, `to put ${plan.name} back`);
    const hint = `Its bytes of before are in ${intent.backup}; the next start of Surepatch tries again.`;
    return fail(failure('ROLLBACK_FAILED', message, { hint }));
  }
}

function undo(rollBack: () => Result<PutBack>, why: Failure): Result<never> {
  const undone = rollBack();
  return fail(undone.ok ? why : undone.failure);
}

function changedMeanwhile(name: string): Failure {
  return failure(
    'PREIMAGE_STALE',
    `${name} was changed by somebody else while it was being written; it was left alone.`,
  );
}
