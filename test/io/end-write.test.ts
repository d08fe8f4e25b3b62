import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { finish, forget, rollBack } from '../../src/io/end-write.ts';
import { AFTER, BACKUP, BEFORE, failing, TEMPORARY, writeGround, type WriteGround } from '../support/write-ground.ts';

const FOREIGN = 'somebody else\n';
const LEFT = 'Tidying up is left to the next start. The disk refused to tidy up (EIO).';

let ground: WriteGround;

beforeEach(() => {
  ground = writeGround();
  writeFileSync(ground.path('app.txt'), AFTER);
  writeFileSync(ground.path(BACKUP), BEFORE);
});

afterEach(() => {
  ground.dispose();
});

it('finishes a write without a trace of it but a backup that must be kept', () => {
  writeFileSync(ground.path(TEMPORARY), 'aft');
  expect(finish(ground.folder, ground.intent({ keepBackup: true }), ground.journal)).toEqual({
    backup: BACKUP,
    notes: [],
  });
  expect(ground.files()).toEqual({ 'app.txt': AFTER, [BACKUP]: BEFORE });
  expect(finish(ground.folder, ground.intent(), ground.journal)).toEqual({ backup: null, notes: [] });
  expect(ground.files()).toEqual({ 'app.txt': AFTER });
});

it('does not drop a backup that somebody wrote into, and says where it is', () => {
  writeFileSync(ground.path(BACKUP), FOREIGN);
  expect([finish(ground.folder, ground.intent(), ground.journal), ground.files()]).toEqual([
    { backup: BACKUP, notes: [`Somebody wrote into the file as it was before; those bytes are in ${BACKUP}.`] },
    { 'app.txt': AFTER, [BACKUP]: FOREIGN },
  ]);
});

it('leaves a backup that cannot be removed to the next start', () => {
  const folder = { ...ground.folder, sync: failing('EIO') };
  expect(finish(folder, ground.intent(), ground.journal)).toEqual({ backup: BACKUP, notes: [LEFT] });
});

it('is rolled back, with a note, where only the record cannot be dropped', () => {
  const journal = { ...ground.journal, settle: failing('EIO') };
  expect([rollBack(ground.folder, ground.intent(), journal, null), ground.files()]).toEqual([
    { ok: true, value: { outcome: 'restored', found: ground.intent().sha256After, kept: null, notes: [LEFT] } },
    { 'app.txt': BEFORE },
  ]);
  expect(forget(journal, ground.intent())).toEqual([LEFT]);
});

it.each([
  ['promises', {}, 'the next start of Surepatch tries again'],
  ['does not promise', { append: failing('EIO') }, 'Surepatch will not try again'],
])('%s another try for an untested write, as the journal allows', (_, changes, next) => {
  const folder = { ...ground.folder, sync: failing('EIO') };
  const undone = rollBack(
    folder,
    ground.intent({ tested: false, keepBackup: true }),
    { ...ground.journal, ...changes },
    null,
  );
  expect(undone.ok ? null : [undone.failure.code, undone.failure.hint]).toEqual([
    'ROLLBACK_FAILED',
    `Its bytes of before are in app.txt; ${next}.`,
  ]);
});
