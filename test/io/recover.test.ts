import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WriteIntent } from '../../src/io/journal.ts';
import { recover } from '../../src/io/recover.ts';
import {
  AFTER,
  BACKUP,
  BEFORE,
  failing,
  ID,
  TEMPORARY,
  writeGround,
  type WriteGround,
} from '../support/write-ground.ts';

const FOREIGN = 'somebody else\n';
const TAKEN_BACK = `The unfinished write ${ID} of src/app.txt was taken back: nothing of it is in the file.`;
const KEPT = `The write ${ID} of src/app.txt was complete when Surepatch last stopped; it was kept.`;
const NOTHING_LEFT = `src/app.txt was changed since the unfinished write ${ID}, and no backup of it is left; nothing was touched.`;
const UNRESOLVED = { notes: [], unresolved: [{ file: 'src/app.txt', backup: `src/${BACKUP}` }] };

let ground: WriteGround;

beforeEach(() => {
  ground = writeGround();
});

afterEach(() => {
  ground.dispose();
});

/** Lays out the folder as a crash left it; null removes the target. */
function lay(files: Readonly<Record<string, string | null>>, linked = false): void {
  for (const [name, content] of Object.entries(files)) {
    if (content === null) rmSync(ground.path(name));
    else writeFileSync(ground.path(name), content);
  }
  if (linked) linkSync(ground.path('app.txt'), ground.path(BACKUP));
}

function journalText(): string {
  return readFileSync(ground.journalPath, 'utf8');
}

/** Recovers as the next process does and says what is there then; does so twice, because the second must do nothing. */
function outcome(): { recovery: unknown; files: Record<string, string>; isEmpty: boolean } {
  const recovery = recover(ground.root, ground.reopen());
  const files = ground.files();
  const isEmpty = journalText() === '';
  const again = recover(ground.root, ground.reopen());
  expect([again.notes, ground.files()]).toEqual([[], files]);
  expect(again.unresolved).toEqual(recovery.unresolved);
  return { recovery, files, isEmpty };
}

describe('a tested write without its commit record', () => {
  const table: readonly {
    fact: string;
    files: Record<string, string | null>;
    linked?: boolean;
    then: Record<string, string>;
    says: unknown;
  }[] = [
    {
      fact: 'is forgotten where nothing was done yet',
      files: {},
      then: { 'app.txt': BEFORE },
      says: { notes: [TAKEN_BACK], unresolved: [] },
    },
    {
      fact: 'loses its temporary file and its backup link where the target is the preimage',
      files: { [TEMPORARY]: 'aft' },
      linked: true,
      then: { 'app.txt': BEFORE },
      says: { notes: [TAKEN_BACK], unresolved: [] },
    },
    {
      fact: 'is taken back where the target is the postimage',
      files: { 'app.txt': AFTER, [BACKUP]: BEFORE },
      then: { 'app.txt': BEFORE },
      says: { notes: [TAKEN_BACK], unresolved: [] },
    },
    {
      fact: 'gives a missing target its name back',
      files: { 'app.txt': null, [BACKUP]: BEFORE },
      then: { 'app.txt': BEFORE },
      says: { notes: [TAKEN_BACK], unresolved: [] },
    },
    {
      fact: 'leaves a missing target missing where the backup is gone too',
      files: { 'app.txt': null },
      then: {},
      says: { notes: [NOTHING_LEFT], unresolved: [] },
    },
    {
      fact: 'touches nothing where somebody edited the postimage',
      files: { 'app.txt': FOREIGN, [BACKUP]: BEFORE },
      then: { 'app.txt': FOREIGN, [BACKUP]: BEFORE },
      says: UNRESOLVED,
    },
    {
      fact: 'touches nothing where the backup is no longer the preimage',
      files: { 'app.txt': AFTER, [BACKUP]: FOREIGN },
      then: { 'app.txt': AFTER, [BACKUP]: FOREIGN },
      says: UNRESOLVED,
    },
    {
      fact: 'is forgotten where the postimage stands and the backup is gone',
      files: { 'app.txt': AFTER },
      then: { 'app.txt': AFTER },
      says: { notes: [NOTHING_LEFT], unresolved: [] },
    },
    {
      fact: 'loses only the second name where somebody edited the file before it was replaced',
      files: { 'app.txt': FOREIGN, [TEMPORARY]: AFTER },
      linked: true,
      then: { 'app.txt': FOREIGN },
      says: { notes: [TAKEN_BACK], unresolved: [] },
    },
    {
      fact: 'keeps a foreign file of the backup’s name and names it',
      files: { [BACKUP]: FOREIGN },
      then: { 'app.txt': BEFORE, [BACKUP]: FOREIGN },
      says: { notes: [`${TAKEN_BACK} src/${BACKUP} keeps bytes that somebody must look at.`], unresolved: [] },
    },
  ];

  it.each(table)('$fact', ({ files, linked, then, says }) => {
    ground.journal.append({ kind: 'intent', intent: ground.intent() });
    lay(files, linked);
    const isPending = says === UNRESOLVED;
    expect(outcome()).toEqual({ recovery: says, files: then, isEmpty: !isPending });
  });

  it('is unresolved where a link or a folder has taken the place of the target', () => {
    ground.journal.append({ kind: 'intent', intent: ground.intent() });
    lay({ [BACKUP]: BEFORE, 'app.txt': null });
    symlinkSync('elsewhere', ground.path('app.txt'));
    expect(outcome()).toEqual({
      recovery: UNRESOLVED,
      files: { 'app.txt': '-> elsewhere', [BACKUP]: BEFORE },
      isEmpty: false,
    });
    rmSync(ground.path('app.txt'));
    mkdirSync(ground.path('app.txt'));
    expect(outcome()).toEqual({
      recovery: UNRESOLVED,
      files: { 'app.txt': 'folder', [BACKUP]: BEFORE },
      isEmpty: false,
    });
  });

  it('is settled once a person has moved the backup over the file', () => {
    ground.journal.append({ kind: 'intent', intent: ground.intent() });
    lay({ 'app.txt': FOREIGN, [BACKUP]: BEFORE });
    expect(outcome().recovery).toEqual(UNRESOLVED);
    renameSync(ground.path(BACKUP), ground.path('app.txt'));
    expect(outcome()).toEqual({
      recovery: { notes: [TAKEN_BACK], unresolved: [] },
      files: { 'app.txt': BEFORE },
      isEmpty: true,
    });
  });
});

describe('an untested write', () => {
  const cases: readonly [string, Partial<WriteIntent>, Record<string, string>, Record<string, string>, string][] = [
    ['stays, without its backup', {}, { 'app.txt': AFTER, [BACKUP]: BEFORE }, { 'app.txt': AFTER }, KEPT],
    [
      'stays, with its backup where git does not hold the preimage',
      { keepBackup: true },
      { 'app.txt': AFTER, [BACKUP]: BEFORE },
      { 'app.txt': AFTER, [BACKUP]: BEFORE },
      `${KEPT} src/${BACKUP} stays beside it.`,
    ],
    [
      'keeps a backup that somebody wrote into, and names it',
      {},
      { 'app.txt': AFTER, [BACKUP]: FOREIGN },
      { 'app.txt': AFTER, [BACKUP]: FOREIGN },
      `${KEPT} src/${BACKUP} stays beside it. Somebody wrote into the file as it was before; those bytes are in ${BACKUP}.`,
    ],
    [
      'is taken back where its rename did not happen',
      { keepBackup: true },
      { [TEMPORARY]: 'aft', [BACKUP]: BEFORE },
      { 'app.txt': BEFORE },
      TAKEN_BACK,
    ],
  ];

  it.each(cases)('%s', (_, changes, files, then, note) => {
    ground.journal.append({ kind: 'intent', intent: ground.intent({ tested: false, ...changes }) });
    lay(files);
    expect(outcome()).toEqual({ recovery: { notes: [note], unresolved: [] }, files: then, isEmpty: true });
  });

  it('loses the second name of a file that somebody edited before the rename', () => {
    ground.journal.append({ kind: 'intent', intent: ground.intent({ tested: false, keepBackup: true }) });
    lay({ 'app.txt': FOREIGN }, true);
    expect(outcome()).toEqual({
      recovery: { notes: [TAKEN_BACK], unresolved: [] },
      files: { 'app.txt': FOREIGN },
      isEmpty: true,
    });
  });

  it('is taken back once it is recorded anew as one that must be', () => {
    ground.journal.append({ kind: 'intent', intent: ground.intent({ tested: false }) });
    ground.journal.append({ kind: 'intent', intent: ground.intent({ tested: true }) });
    lay({ 'app.txt': AFTER, [BACKUP]: BEFORE });
    expect(outcome()).toEqual({
      recovery: { notes: [TAKEN_BACK], unresolved: [] },
      files: { 'app.txt': BEFORE },
      isEmpty: true,
    });
  });
});

describe('a committed write', () => {
  it('is never rolled back, whatever the target is', () => {
    ground.journal.append({ kind: 'intent', intent: ground.intent() });
    ground.journal.append({ kind: 'committed', id: ID });
    lay({ 'app.txt': FOREIGN, [BACKUP]: BEFORE });
    expect(outcome()).toEqual({
      recovery: { notes: [KEPT], unresolved: [] },
      files: { 'app.txt': FOREIGN },
      isEmpty: true,
    });
  });
});

describe('a journal that cannot be followed', () => {
  it('is set aside where a record is not ours, and nothing is touched', () => {
    ground.journal.append({ kind: 'intent', intent: ground.intent() });
    writeFileSync(ground.journalPath, journalText().replace('app.txt', 'own.txt'));
    lay({ 'app.txt': AFTER, [BACKUP]: BEFORE });
    expect(outcome()).toEqual({
      recovery: { unresolved: [], notes: [expect.stringContaining('it is set aside in')] },
      files: { 'app.txt': AFTER, [BACKUP]: BEFORE },
      isEmpty: true,
    });
  });

  it('is set aside where a record is for another root', () => {
    ground.journal.append({ kind: 'intent', intent: ground.intent({ root: '/elsewhere' }) });
    expect(outcome()).toEqual({
      recovery: { unresolved: [], notes: [expect.stringContaining('it is set aside in')] },
      files: { 'app.txt': BEFORE },
      isEmpty: true,
    });
  });

  it('loses a line whose end was never written', () => {
    ground.journal.append({ kind: 'intent', intent: ground.intent() });
    writeFileSync(ground.journalPath, `${journalText()}${journalText().slice(0, 40)}`);
    lay({ 'app.txt': AFTER, [BACKUP]: BEFORE });
    expect(outcome()).toEqual({
      recovery: { notes: [TAKEN_BACK], unresolved: [] },
      files: { 'app.txt': BEFORE },
      isEmpty: true,
    });
  });

  it('leaves a write alone whose folder was replaced by another one', () => {
    ground.journal.append({ kind: 'intent', intent: ground.intent() });
    renameSync(join(ground.root, 'src'), join(ground.root, 'moved'));
    mkdirSync(join(ground.root, 'src'));
    const note = `The folder of src/app.txt is gone or another one, so the unfinished write ${ID} was left as it is.`;
    expect(outcome()).toEqual({ recovery: { notes: [note], unresolved: [] }, files: {}, isEmpty: true });
  });
});

it('reports a file that the disk does not let it settle, and goes on to the next write', () => {
  ground.journal.append({ kind: 'intent', intent: ground.intent() });
  ground.journal.append({ kind: 'intent', intent: ground.intent({ id: 'cd'.repeat(16), name: 'gone.txt' }) });
  lay({ 'app.txt': AFTER, [BACKUP]: BEFORE });
  const stubborn = { ...ground.journal, settle: failing('EIO') };
  expect(recover(ground.root, stubborn)).toEqual({
    notes: [],
    unresolved: [
      { file: 'src/app.txt', backup: `src/${BACKUP} (The disk refused recovery (EIO).)` },
      { file: 'src/gone.txt', backup: `src/${BACKUP} (The disk refused recovery (EIO).)` },
    ],
  });
});
