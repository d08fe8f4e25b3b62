import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dropBackup, putBack, type KnownPreimage } from '../../src/io/put-back.ts';
import { sha256 } from '../../src/io/target-file.ts';
import { AFTER, BACKUP, BEFORE, TEMPORARY, writeGround, type WriteGround } from '../support/write-ground.ts';

const FOREIGN = 'somebody else\n';

let ground: WriteGround;

beforeEach(() => {
  ground = writeGround();
});

afterEach(() => {
  ground.dispose();
});

function memory(): KnownPreimage {
  return { pieces: [Buffer.from(BEFORE)], owner: { mode: 0o640n, ...ownIds() } };
}

function ownIds(): { uid: bigint; gid: bigint } {
  const { uid, gid } = statSync(ground.root, { bigint: true });
  return { uid, gid };
}

const digest = (text: string): string => sha256([Buffer.from(text)]);

it('takes the preimage from the backup', () => {
  writeFileSync(ground.path(BACKUP), BEFORE);
  writeFileSync(ground.path('app.txt'), AFTER);
  writeFileSync(ground.path(TEMPORARY), 'aft');
  expect([putBack(ground.folder, ground.intent(), null), ground.files()]).toEqual([
    { outcome: 'restored', found: digest(AFTER), kept: null },
    { 'app.txt': BEFORE },
  ]);
});

it('takes the preimage from memory where the backup is gone', () => {
  writeFileSync(ground.path('app.txt'), AFTER);
  expect([putBack(ground.folder, ground.intent(), memory()), ground.files(), ground.mode('app.txt')]).toEqual([
    { outcome: 'restored', found: digest(AFTER), kept: null },
    { 'app.txt': BEFORE },
    '640',
  ]);
});

it('takes the preimage from memory where somebody wrote into the backup, and names the backup', () => {
  writeFileSync(ground.path('app.txt'), AFTER);
  writeFileSync(ground.path(BACKUP), FOREIGN);
  expect([putBack(ground.folder, ground.intent(), memory()), ground.files()]).toEqual([
    { outcome: 'restored', found: digest(AFTER), kept: BACKUP },
    { 'app.txt': BEFORE, [BACKUP]: FOREIGN },
  ]);
});

it('makes a missing target again, from memory if need be', () => {
  rmSync(ground.path('app.txt'));
  expect([putBack(ground.folder, ground.intent(), memory()), ground.files(), ground.mode('app.txt')]).toEqual([
    { outcome: 'restored', found: null, kept: null },
    { 'app.txt': BEFORE },
    '640',
  ]);
});

it('overwrites nothing where the target holds foreign bytes, even with the preimage in memory', () => {
  writeFileSync(ground.path('app.txt'), FOREIGN);
  writeFileSync(ground.path(BACKUP), BEFORE);
  expect([putBack(ground.folder, ground.intent(), memory()), ground.files()]).toEqual([
    { outcome: 'conflict', found: digest(FOREIGN), kept: BACKUP },
    { 'app.txt': FOREIGN, [BACKUP]: BEFORE },
  ]);
});

it('changes nothing when it is done a second time', () => {
  writeFileSync(ground.path(BACKUP), BEFORE);
  writeFileSync(ground.path('app.txt'), AFTER);
  putBack(ground.folder, ground.intent(), null);
  expect([putBack(ground.folder, ground.intent(), null), ground.files()]).toEqual([
    { outcome: 'restored', found: digest(BEFORE), kept: null },
    { 'app.txt': BEFORE },
  ]);
});

it('keeps bytes that are written into the postimage while it is put back', () => {
  writeFileSync(ground.path(BACKUP), BEFORE);
  writeFileSync(ground.path('app.txt'), AFTER);
  // Somebody has the postimage open and writes at the very moment of the rename.
  const writer = statSync(ground.path('app.txt')).ino;
  const folder = {
    ...ground.folder,
    sync: () => {
      writeLate(writer);
      ground.folder.sync();
    },
  };
  expect([putBack(folder, ground.intent(), null), ground.files()]).toEqual([
    { outcome: 'restored', found: digest(AFTER), kept: BACKUP },
    { 'app.txt': BEFORE, [BACKUP]: FOREIGN },
  ]);
});

/** Writes into a file that has no name any more, through the descriptor that this process still has of it. */
function writeLate(inode: number): void {
  for (let descriptor = 3; descriptor < 200; descriptor += 1) {
    const path = `/proc/self/fd/${descriptor}`;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.ino === inode && stat.nlink === 0) writeFileSync(path, FOREIGN);
  }
}

it('drops a backup that is the preimage and keeps any other', () => {
  writeFileSync(ground.path(BACKUP), BEFORE);
  expect(dropBackup(ground.folder, ground.intent())).toBeNull();
  writeFileSync(ground.path(BACKUP), FOREIGN);
  expect([dropBackup(ground.folder, ground.intent()), readFileSync(ground.path(BACKUP), 'utf8')]).toEqual([
    BACKUP,
    FOREIGN,
  ]);
  rmSync(ground.path(BACKUP));
  expect(dropBackup(ground.folder, ground.intent())).toBeNull();
});
