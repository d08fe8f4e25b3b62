/** The ways in which a write ends: final, put back, or left to the next start. Says what could not be tidied up. */
import { rmSync } from 'node:fs';
import { failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { DirectoryHandle } from './directory-handle.ts';
import { diskFailure } from './disk-error.ts';
import { digestOf } from './held-file.ts';
import type { Journal, WriteIntent } from './journal.ts';
import { dropBackup, putBack, secureBackup, type KnownPreimage, type PutBack } from './put-back.ts';

export interface Committed {
  /** Name of the retained backup, null where git holds the preimage. */
  readonly backup: string | null;
  readonly notes: readonly string[];
}

export interface RolledBack extends PutBack {
  readonly notes: readonly string[];
}

/**
 * Tidies up after a write that is final; what cannot be tidied now stays in the journal for the next start. `secured`
 * is the file that holds the preimage where git does not.
 */
export function finish(
  folder: DirectoryHandle,
  intent: WriteIntent,
  journal: Journal,
  secured: string = intent.backup,
): Committed {
  try {
    rmSync(folder.at(intent.temporary), { force: true });
    const backup = intent.keepBackup ? secured : dropBackup(folder, intent);
    const late = `Somebody wrote into the file as it was before; those bytes are in ${backup ?? ''}.`;
    return { backup, notes: [...(intent.keepBackup || backup === null ? [] : [late]), ...forget(journal, intent)] };
  } catch (error) {
    return { backup: secured, notes: [leftOver(error)] };
  }
}

/** Puts the preimage back, from `memory` where no backup is left. Fails `ROLLBACK_FAILED` with the place of its bytes; recovery then tries again. */
export function rollBack(
  folder: DirectoryHandle,
  intent: WriteIntent,
  journal: Journal,
  memory: KnownPreimage | null,
): Result<RolledBack> {
  try {
    const done = putBack(folder, intent, memory);
    if (done.outcome === 'conflict' && memory !== null) return ok(keepPreimage(folder, intent, journal, memory, done));
    return ok({ ...done, notes: forget(journal, intent) });
  } catch (error) {
    const { message } = diskFailure(error, `to put ${intent.name} back`);
    const next = isDueAtNextStart(journal, intent)
      ? 'the next start of Surepatch tries again'
      : 'Surepatch will not try again';
    const places = [
      ...[intent.name, intent.backup].filter((name) => isPreimage(folder, name, intent)),
      ...(intent.keepBackup ? [] : ['git']),
    ];
    const where =
      places.length === 0
        ? 'No copy of its bytes of before is left on disk'
        : `Its bytes of before are in ${places.join(' and in ')}`;
    const hint = `${where}; ${next}.`;
    return fail(failure('ROLLBACK_FAILED', message, { hint, details: { report: { disk_state: 'unknown' } } }));
  }
}

/** Somebody else's bytes stay in the file, and the preimage beside it, before the record of the write is dropped. */
function keepPreimage(
  folder: DirectoryHandle,
  intent: WriteIntent,
  journal: Journal,
  memory: KnownPreimage,
  done: PutBack,
): RolledBack {
  try {
    const kept = secureBackup(folder, intent, memory);
    return { ...done, kept, notes: forget(journal, intent) };
  } catch (error) {
    return { ...done, kept: null, notes: [diskFailure(error, 'to keep the bytes of before').message] };
  }
}

function isPreimage(folder: DirectoryHandle, name: string, intent: WriteIntent): boolean {
  try {
    return digestOf(folder, name) === intent.sha256Before;
  } catch {
    // It cannot be read now, so nothing is claimed of it.
    return false;
  }
}

/** Recovery keeps an untested write that was published; one that failed is recorded anew as one to take back. */
function isDueAtNextStart(journal: Journal, intent: WriteIntent): boolean {
  if (intent.tested) return true;
  try {
    journal.append({ kind: 'intent', intent: { ...intent, tested: true } });
    return true;
  } catch {
    return false;
  }
}

/** Drops the record of a settled write. If that fails, the next start finds nothing to do for it but to drop it. */
export function forget(journal: Journal, intent: WriteIntent): readonly string[] {
  try {
    journal.settle(intent.id);
    return [];
  } catch (error) {
    return [leftOver(error)];
  }
}

function leftOver(error: unknown): string {
  return `Tidying up is left to the next start. ${diskFailure(error, 'to tidy up').message}`;
}
