import {
  appendFileSync,
  chmodSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { beginWrite, type OpenWrite, type PlannedWrite } from '../../src/io/write-transaction.ts';
import type { Journal } from '../../src/io/journal.ts';
import { AFTER, BACKUP, BEFORE, failing, TEMPORARY, writeGround, type WriteGround } from '../support/write-ground.ts';

const FOREIGN = 'somebody else\n';

let ground: WriteGround;

beforeEach(() => {
  ground = writeGround();
});

afterEach(() => {
  ground.dispose();
});

function begin(changes: Partial<PlannedWrite> = {}, journal: Journal = ground.journal): OpenWrite {
  const open = beginWrite(ground.plan(changes), journal);
  if (!open.ok) throw new Error(open.failure.message);
  return open.value;
}

function failureOf(changes: Partial<PlannedWrite> = {}, journal: Journal = ground.journal): readonly string[] {
  const open = beginWrite(ground.plan(changes), journal);
  return open.ok ? ['written'] : [open.failure.code, open.failure.message];
}

function journalText(): string {
  return readFileSync(ground.journalPath, 'utf8');
}

it('puts the postimage in place, with the mode of the preimage and the preimage beside it', () => {
  const write = begin();
  expect([ground.files(), ground.mode('app.txt'), write.backup, write.notes, write.found()]).toEqual([
    { 'app.txt': AFTER, [BACKUP]: BEFORE },
    '640',
    BACKUP,
    [],
    { ok: true, value: ground.plan().preimage.sha256 },
  ]);
  expect(write.publishedNs).toBe(statSync(ground.path('app.txt'), { bigint: true }).ctimeNs);
  expect(journalText()).toContain('"kind":"intent"');
});

it('drops the backup when it is committed and git holds the preimage', () => {
  expect(begin().commit()).toEqual({ ok: true, value: { backup: null, notes: [] } });
  expect([ground.files(), journalText()]).toEqual([{ 'app.txt': AFTER }, '']);
});

it('keeps the backup, with the mode of the file, when it is committed with keepBackup', () => {
  expect(begin({ keepBackup: true, tested: false }).commit()).toEqual({
    ok: true,
    value: { backup: BACKUP, notes: [] },
  });
  expect([ground.files(), ground.mode(BACKUP), journalText()]).toEqual([
    { 'app.txt': AFTER, [BACKUP]: BEFORE },
    '640',
    '',
  ]);
});

it('gives the very same file back when it is rolled back', () => {
  const before = statSync(ground.path('app.txt'), { bigint: true });
  const sha256 = ground.plan().preimage.sha256;
  const found = ground.intent().sha256After;
  expect(begin().rollBack()).toEqual({ ok: true, value: { outcome: 'restored', found, kept: null, notes: [] } });
  const after = statSync(ground.path('app.txt'), { bigint: true });
  expect([after.ino, after.mtimeNs, after.mode, after.nlink]).toEqual([before.ino, before.mtimeNs, before.mode, 1n]);
  expect([ground.files(), journalText(), ground.plan().preimage.sha256]).toEqual([{ 'app.txt': BEFORE }, '', sha256]);
});

it('carries set-id bits over', () => {
  chmodSync(ground.path('app.txt'), 0o4750);
  begin().commit();
  expect(ground.mode('app.txt')).toBe('4750');
});

it('takes the next free name for the backup and leaves what has the first one', () => {
  writeFileSync(ground.path(BACKUP), FOREIGN);
  begin({ keepBackup: true }).commit();
  expect(ground.files()).toEqual({ 'app.txt': AFTER, [BACKUP]: FOREIGN, [`${BACKUP}.2`]: BEFORE });
});

it.each([
  [
    'edited',
    () => {
      appendFileSync(ground.path('app.txt'), FOREIGN);
    },
    { 'app.txt': BEFORE + FOREIGN },
  ],
  ['replaced', replaceTarget, { 'app.txt': FOREIGN }],
  ['removed', removeTarget, {}],
])('refuses a target that was %s since it was read, and leaves it alone', (_, change, files) => {
  const plan = ground.plan();
  change();
  const open = beginWrite(plan, ground.journal);
  expect([open.ok ? null : open.failure.code, files]).toEqual(['PREIMAGE_STALE', ground.files()]);
  expect(journalText()).toBe('');
});

function removeTarget(): void {
  rmSync(ground.path('app.txt'));
}

function replaceTarget(): void {
  writeFileSync(ground.path('aside'), FOREIGN);
  renameSync(ground.path('aside'), ground.path('app.txt'));
}

/** The folder of a plan, in which something happens just before its temporary file is first touched. */
function whenWriting(act: () => void): Partial<PlannedWrite> {
  const { folder } = ground;
  let isDone = false;
  const at = (name: string): string => {
    if (name === TEMPORARY && !isDone) {
      isDone = true;
      act();
    }
    return folder.at(name);
  };
  return { folder: { ...folder, at } };
}

it.each([
  ['replaces', replaceTarget, { 'app.txt': FOREIGN }],
  ['removes', removeTarget, {}],
])('leaves a file alone that somebody %s while its new bytes are written', (_, act, files) => {
  const open = beginWrite(ground.plan(whenWriting(act)), ground.journal);
  // Without a report of its own the code stands for `disk_state: unchanged`.
  expect([open.ok ? null : [open.failure.code, open.failure.details], ground.files(), journalText()]).toEqual([
    ['PREIMAGE_STALE', {}],
    files,
    '',
  ]);
});

it('gives bytes back that somebody writes into the old file when it has just been replaced', () => {
  const plan = ground.plan();
  let syncs = 0;
  const folder = {
    ...plan.folder,
    sync: () => {
      syncs += 1;
      // The second sync follows the rename: the backup is the old file.
      if (syncs === 2) appendFileSync(ground.path(BACKUP), FOREIGN);
      plan.folder.sync();
    },
  };
  const open = beginWrite({ ...plan, folder }, ground.journal);
  expect([open.ok ? null : [open.failure.code, open.failure.details], ground.files(), journalText()]).toEqual([
    ['PREIMAGE_STALE', {}],
    { 'app.txt': BEFORE + FOREIGN },
    '',
  ]);
});

it('answers NO_SPACE when the journal is full, and touches nothing', () => {
  expect(failureOf({}, { ...ground.journal, append: failing('ENOSPC') })).toEqual([
    'NO_SPACE',
    'The disk refused the journal record of this write (ENOSPC).',
  ]);
  expect(ground.files()).toEqual({ 'app.txt': BEFORE });
});

it.each([
  ['ENOSPC', 'NO_SPACE'],
  ['EIO', 'DISK_FAILED'],
])('is as if nothing had been when the new bytes meet %s', (code, expected) => {
  expect(failureOf(whenWriting(failing(code)))).toEqual([expected, `The disk refused to write app.txt (${code}).`]);
  expect([ground.files(), ground.mode('app.txt'), journalText()]).toEqual([{ 'app.txt': BEFORE }, '640', '']);
});

it('puts back first and throws then when something breaks that is not the disk', () => {
  const defect = whenWriting(() => {
    throw new TypeError('a defect');
  });
  expect(() => beginWrite(ground.plan(defect), ground.journal)).toThrow('a defect');
  expect([ground.files(), journalText()]).toEqual([{ 'app.txt': BEFORE }, '']);
});

it('rolls back when the commit record cannot be written', () => {
  let isFull = false;
  const write = begin(
    {},
    {
      ...ground.journal,
      append: (entry) => {
        if (isFull) failing('EIO')();
        ground.journal.append(entry);
      },
    },
  );
  isFull = true;
  const committed = write.commit();
  expect(committed.ok ? null : [committed.failure.code, committed.failure.message]).toEqual([
    'DISK_FAILED',
    'The disk refused what makes this write final (EIO).',
  ]);
  expect([ground.files(), journalText()]).toEqual([{ 'app.txt': BEFORE }, '']);
});

it('is committed, with a note, when only tidying up fails', () => {
  expect(begin({}, { ...ground.journal, settle: failing('EIO') }).commit()).toEqual({
    ok: true,
    value: { backup: null, notes: ['Tidying up is left to the next start. The disk refused to tidy up (EIO).'] },
  });
});

it('leaves a foreign postimage and the backup where they are when it is abandoned', () => {
  const write = begin();
  writeFileSync(ground.path('app.txt'), FOREIGN);
  expect([write.abandon(), ground.files(), journalText()]).toEqual([
    { backup: 'app.txt.reforge-bak', notes: [] },
    { 'app.txt': FOREIGN, [BACKUP]: BEFORE },
    '',
  ]);
});

it('says so when its bytes cannot be read again', () => {
  const plan = ground.plan();
  let isBroken = false;
  const folder = { ...plan.folder, at: (name: string) => (isBroken ? failing('EMFILE')() : plan.folder.at(name)) };
  const open = beginWrite({ ...plan, folder }, ground.journal);
  isBroken = true;
  const found = open.ok ? open.value.found() : null;
  expect(found?.ok === false ? found.failure.message : found).toBe('The disk refused to read app.txt again (EMFILE).');
});

it('fails ROLLBACK_FAILED with the place of the preimage, and has recovery try again', () => {
  const plan = ground.plan({ tested: false });
  let isBroken = false;
  const sync = (): void => {
    if (isBroken) failing('EIO')();
    plan.folder.sync();
  };
  const open = beginWrite({ ...plan, folder: { ...plan.folder, sync } }, ground.journal);
  linkSync(ground.path(BACKUP), ground.path('witness'));
  isBroken = true;
  const undone = open.ok ? open.value.rollBack() : null;
  expect(undone?.ok === false ? undone.failure : undone).toEqual({
    code: 'ROLLBACK_FAILED',
    message: 'The disk refused to put app.txt back (EIO).',
    hint: `Its bytes of before are in app.txt and in git; the next start of Surepatch tries again.`,
    details: { report: { disk_state: 'unknown' } },
  });
  expect(ground.reopen().pending()).toEqual([{ intent: ground.intent({ tested: true }), committed: false }]);
});
