/**
 * One write of one file: journalled, then published by a rename, then either committed or rolled back by the holder of
 * the open write. Until then a crash leaves enough behind for recovery to settle it (docs/design.md, "Writing").
 */
import { renameSync } from 'node:fs';
import { failure, type Failure } from '../model/failure.ts';
import type { HistoryEvent } from '../model/history.ts';
import { backupName, temporaryName } from '../model/own-file-names.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { carryAttributes } from './attributes.ts';
import { copyChecked, writeChecked } from './checked-file.ts';
import type { DirectoryHandle } from './directory-handle.ts';
import { diskFailure } from './disk-error.ts';
import { finish, forget, rollBack, type Committed, type RolledBack } from './end-write.ts';
import { digestOf, sameContent, withFile, type HeldFile } from './held-file.ts';
import type { Journal, WriteIntent } from './journal.ts';
import { dropBackup, secureBackup, type KnownPreimage } from './put-back.ts';
import { linkOrCopy, nothingAt } from './second-name.ts';
import type { TargetFile } from './target-file.ts';

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
  readonly pieces: readonly Uint8Array[];
  readonly sha256After: string;
  readonly keepBackup: boolean;
  readonly tested: boolean;
  /** What the history will hold of this write if it stays, with the name of the backup (null where none is kept). */
  readonly event?: (backup: string | null) => HistoryEvent;
}

export interface OpenWrite {
  readonly notes: readonly string[];
  /** When the postimage took its place, on the file system's own clock, in nanoseconds since 1970. */
  readonly publishedNs: bigint;
  /** Name of the file beside the target that holds the preimage. */
  readonly backup: string;
  /** Digest of what the target's name holds now; null where it is no regular file. */
  found(): Result<string | null>;
  /** Makes sure that the backup is there if one is to be kept, and returns its name; rolls nothing back. */
  secure(): Result<string | null>;
  /** Makes the write final: durable before it returns. Rolls back and says why when that cannot be made durable. */
  commit(): Result<Committed>;
  /** Puts the preimage back. */
  rollBack(): Result<RolledBack>;
  /** Leaves the file as it is, because it holds somebody else's bytes; the preimage stays beside it. */
  abandon(): Committed;
}

/** Writes the postimage in place of the preimage; on any failure the file is what it was before. */
export function beginWrite(plan: PlannedWrite, journal: Journal): Result<OpenWrite> {
  let intent: WriteIntent;
  try {
    intent = intentOf(plan);
    journal.append({ kind: 'intent', intent });
  } catch (error) {
    return fail(diskFailure(error, 'the journal record of this write'));
  }
  const memory = { pieces: [plan.preimage.bytes], owner: plan.preimage.facts };
  const back = (): Result<RolledBack> => rollBack(plan.folder, intent, journal, memory);
  try {
    const notes = place(plan, intent);
    if (notes.ok) return ok(openWrite(plan, intent, journal, { notes: notes.value, memory, back }));
    // The file is as somebody else wants it, removed perhaps: it is not made anew from memory.
    return undo(
      () => rollBack(plan.folder, intent, journal, null),
      () => notes.failure,
    );
  } catch (error) {
    return undo(back, () => diskFailure(error, `to write ${plan.name}`));
  }
}

function intentOf(plan: PlannedWrite): WriteIntent {
  let n = 1;
  while (!nothingAt(plan.folder, backupName(plan.name, n))) n += 1;
  const backup = backupName(plan.name, n);
  return {
    id: plan.id,
    root: plan.root,
    folder: plan.folderComponents,
    folderInode: plan.folder.identity.ino.toString(),
    name: plan.name,
    sha256Before: plan.preimage.sha256,
    sha256After: plan.sha256After,
    backup,
    temporary: temporaryName(plan.id),
    keepBackup: plan.keepBackup,
    tested: plan.tested,
    ...(plan.event === undefined ? {} : { event: plan.event(plan.keepBackup ? backup : null) }),
  };
}

/** Backup, temporary file, rename: each durable before the next. Returns the notes of the write. */
function place(plan: PlannedWrite, intent: WriteIntent): Result<readonly string[]> {
  const { folder, name, preimage } = plan;
  const { backup, temporary } = intent;
  return withFile(folder, name, (held) => {
    if (held === null || !sameContent(held.facts, preimage.facts)) return fail(changedMeanwhile(name));
    const isLink = linkOrCopy(folder, { held, from: name, to: backup, by: temporary });
    folder.sync();
    const attributes = writeTemporary(plan, intent, held);
    const isStill = withFile(folder, name, (now) => now !== null && sameContent(now.facts, preimage.facts));
    if (!isStill) {
      dropBackup(folder, intent);
      return fail(changedMeanwhile(name));
    }
    renameSync(folder.at(temporary), folder.at(name));
    folder.sync();
    if (held.digest() === preimage.sha256) return ok(attributes === null ? [] : [attributes]);
    giveBack(plan, intent, held, isLink);
    return fail(changedMeanwhile(name));
  });
}

/** Somebody wrote into the old file after the last look, and so into what `held` has open: gives that back. */
function giveBack({ folder, name, sha256After }: PlannedWrite, intent: WriteIntent, held: HeldFile, isLink: boolean) {
  if (digestOf(folder, name) !== sha256After) return;
  if (!isLink) copyChecked(folder, intent.temporary, held);
  renameSync(folder.at(isLink ? intent.backup : intent.temporary), folder.at(name));
  folder.sync();
  dropBackup(folder, intent);
}

function writeTemporary(plan: PlannedWrite, intent: WriteIntent, held: HeldFile): string | null {
  const { pieces, sha256After } = plan;
  let attributes: string | null = null;
  writeChecked(plan.folder, intent.temporary, { pieces, sha256: sha256After, owner: held.facts }, (descriptor) => {
    attributes = carryAttributes(held.descriptor, descriptor);
  });
  return attributes;
}

function openWrite(
  plan: PlannedWrite,
  intent: WriteIntent,
  journal: Journal,
  { notes, memory, back }: { notes: readonly string[]; memory: KnownPreimage; back: () => Result<RolledBack> },
): OpenWrite {
  let secured: string | null = null;
  // The tests had time to remove the only copy of what git does not hold.
  const secure = (): string | null =>
    (secured ??= intent.keepBackup ? secureBackup(plan.folder, intent, memory) : null);
  return {
    notes,
    publishedNs: withFile(plan.folder, plan.name, (held) => held?.facts.ctimeNs ?? 0n),
    backup: intent.backup,
    found: () => {
      try {
        return ok(digestOf(plan.folder, plan.name));
      } catch (error) {
        return fail(diskFailure(error, `to read ${plan.name} again`));
      }
    },
    secure: () => {
      try {
        return ok(secure());
      } catch (error) {
        return fail(diskFailure(error, 'to keep the bytes of before'));
      }
    },
    commit: () => {
      try {
        secure();
        if (intent.tested) journal.append({ kind: 'committed', id: intent.id });
      } catch (error) {
        return undo(back, () => diskFailure(error, 'what makes this write final'));
      }
      return ok(finish(plan.folder, intent, journal, secured ?? intent.backup));
    },
    rollBack: back,
    abandon: () => {
      try {
        const backup = secureBackup(plan.folder, intent, memory);
        return { backup, notes: forget(journal, intent) };
      } catch (error) {
        return { backup: null, notes: [diskFailure(error, 'to keep the bytes of before').message] };
      }
    },
  };
}

/** Puts back first and words the failure then, so that whatever went wrong the file is as it was. */
function undo(back: () => Result<RolledBack>, reason: () => Failure): Result<never> {
  const undone = back();
  if (!undone.ok) return fail(undone.failure);
  const why = reason();
  const { outcome, found, kept, notes } = undone.value;
  const keeps = kept === null ? [] : [`${kept} keeps bytes that somebody must look at.`];
  const message = [why.message, ...keeps, ...notes].join(' ');
  // Without anything kept nothing of the write was published: the file is what somebody else made of it.
  const isUntouched = why.code === 'PREIMAGE_STALE' && kept === null;
  if (outcome === 'restored' || isUntouched) return fail({ ...why, message });
  const report = { disk_state: 'conflict', ...(found === null ? {} : { sha256_found: found }) } as const;
  return fail({ ...why, message, details: { ...why.details, report } });
}

function changedMeanwhile(name: string): Failure {
  return failure(
    'PREIMAGE_STALE',
    `${name} was changed by somebody else while it was being written; it was left alone.`,
  );
}
