/** The process under test: one write, or one recovery, through the product's own io modules, in one thread. */
import { copyFileSync, existsSync, readFileSync, readvSync, rmSync, writeFileSync, writevSync } from 'node:fs';
import { join } from 'node:path';
import { openDirectory } from '../../src/io/directory-handle.ts';
import { diskFailure } from '../../src/io/disk-error.ts';
import { openJournal, type Journal } from '../../src/io/journal.ts';
import { recover } from '../../src/io/recover.ts';
import { openRootFolder, openStateFolder } from '../../src/io/state-folder.ts';
import { readTarget, sha256 } from '../../src/io/target-file.ts';
import { realFolder } from '../../src/io/worktree.ts';
import { beginWrite, type OpenWrite } from '../../src/io/write-transaction.ts';
import type { Failure } from '../../src/model/failure.ts';
import { MARKS, type Answer, type Job } from './job.ts';
import { WRITE_ID } from './scenario.ts';

const LIMIT = 1 << 26;

/**
 * Reads paths of jobs from stdin, one a line, does each and answers each with a line; ends with the input. Talks in
 * `readv` and `writev`, which the product does not use and the harness does not inject into.
 */
export function drive(): void {
  say('ready');
  const buffer = Buffer.alloc(4096);
  for (;;) {
    const count = readvSync(0, [buffer, Buffer.alloc(1)]);
    if (count === 0) return;
    const job = JSON.parse(readFileSync(buffer.toString('utf8', 0, count).trim(), 'utf8')) as Job;
    const postimage = readFileSync(job.postimage);
    mark(MARKS.begin);
    const answer = job.scenario.writer === 'naive' ? overwrite(job, postimage) : act(job, postimage);
    mark(MARKS.end);
    say(JSON.stringify(answer));
  }
}

function say(line: string): void {
  writevSync(1, [Buffer.from(line), Buffer.from('\n')]);
}

function mark(path: string): void {
  // Only the call itself matters: it may be told to fail like any other.
  existsSync(path);
}

function act(job: Job, postimage: Buffer): Answer {
  try {
    const journal = openRootJournal(job.stateHome, job.root);
    try {
      const recovery = recover(job.root, journal);
      if (job.kind === 'recover') return { outcome: 'recovered', words: JSON.stringify(recovery) };
      return write(job, postimage, journal);
    } finally {
      journal.close();
    }
  } catch (error) {
    // The use-case answers so too: what is thrown is met before anything was written.
    return refusal(diskFailure(error, 'the work'));
  }
}

/** Opens the journal of a root as the use-cases do; throws where the state folder cannot be used. */
export function openRootJournal(stateHome: string, root: string): Journal {
  const { folder, key } = rootState(stateHome, root);
  return openJournal(folder, key);
}

/** The state folder of a root, and the key of what is kept in it. */
export function rootState(stateHome: string, root: string): { readonly folder: string; readonly key: Buffer } {
  const state = openStateFolder(stateHome);
  if (!state.ok) throw Object.assign(new Error(state.failure.message), { code: 'EACCES' });
  const real = realFolder(root);
  if (real === null) throw Object.assign(new Error(`${root} cannot be looked at`), { code: 'EACCES' });
  const folder = openRootFolder(state.value, real);
  if (!folder.ok) throw Object.assign(new Error(folder.failure.message), { code: 'EACCES' });
  return { folder: folder.value, key: state.value.key };
}

function write(job: Job, postimage: Buffer, journal: Journal): Answer {
  const { root, name, folder: folderComponents, scenario } = job;
  const folder = openDirectory(root, folderComponents);
  try {
    const preimage = readTarget(folder, name, LIMIT);
    if (!preimage.ok) return refusal(preimage.failure);
    mark(MARKS.read);
    const pieces = [postimage.subarray(0, 9), postimage.subarray(9)];
    const sha256After = sha256(pieces);
    const { tested, keepBackup } = scenario;
    const plan = { id: WRITE_ID, root, folderComponents, folder, name, pieces, sha256After, tested, keepBackup };
    const open = beginWrite({ ...plan, preimage: preimage.value }, journal);
    if (!open.ok) return refusal(open.failure);
    return scenario.passes ? keep(open.value, sha256After) : rollBack(open.value);
  } finally {
    folder.close();
  }
}

function keep(write: OpenWrite, sha256After: string): Answer {
  const found = write.found();
  if (!found.ok) return rollBack(write);
  if (found.value !== sha256After) {
    const { backup, notes } = write.abandon();
    return { outcome: 'conflict', words: [backup ?? 'no backup', ...notes].join(' ') };
  }
  const committed = write.commit();
  return committed.ok ? { outcome: 'kept', words: JSON.stringify(committed.value) } : refusal(committed.failure);
}

function rollBack(write: OpenWrite): Answer {
  const undone = write.rollBack();
  if (!undone.ok) return refusal(undone.failure);
  const outcome = undone.value.outcome === 'conflict' ? 'conflict' : 'put_back';
  return { outcome, words: JSON.stringify(undone.value) };
}

function refusal(failure: Failure): Answer {
  return { outcome: failure.code === 'ROLLBACK_FAILED' ? 'failed' : 'refused', words: JSON.stringify(failure) };
}

/** What many tools do: copy the file aside, overwrite it, copy it back. The harness must find fault with it. */
function overwrite({ root, folder, name, scenario }: Job, postimage: Buffer): Answer {
  const target = join(root, ...folder, name);
  const backup = `${target}.reforge-bak.2`;
  try {
    copyFileSync(target, backup);
    writeFileSync(target, postimage);
    if (!scenario.passes) copyFileSync(backup, target);
    if (!scenario.passes || !scenario.keepBackup) rmSync(backup);
    return { outcome: scenario.passes ? 'kept' : 'put_back', words: '' };
  } catch (error) {
    return refusal(diskFailure(error, 'the work'));
  }
}
