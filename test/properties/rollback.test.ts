import { chmodSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DirectoryHandle } from '../../src/io/directory-handle.ts';
import type { Journal } from '../../src/io/journal.ts';
import { recover } from '../../src/io/recover.ts';
import { beginWrite } from '../../src/io/write-transaction.ts';
import { BACKUP, writeGround, type WriteGround } from '../support/write-ground.ts';

const bytes = fc.uint8Array({ maxLength: 200 });
const images = fc.tuple(bytes, bytes).filter(([before, after]) => !Buffer.from(before).equals(Buffer.from(after)));
const mode = fc.constantFrom(0o600, 0o640, 0o755, 0o4711, 0o777);
/** More steps than a write and its rollback take, so that some runs end undisturbed. */
const lastStep = fc.nat({ max: 45 });

class Death extends Error {}

/** A folder and a journal whose process dies at step `last`: from then on nothing of it happens. */
function mortal(ground: WriteGround, last: number): { folder: DirectoryHandle; journal: Journal } {
  let step = 0;
  const alive = <Words extends unknown[], Value>(act: (...words: Words) => Value) => {
    return (...words: Words): Value => {
      step += 1;
      if (step > last) throw new Death();
      return act(...words);
    };
  };
  const { folder, journal } = ground;
  return {
    folder: {
      ...folder,
      at: alive((name: string) => folder.at(name)),
      sync: alive(() => {
        folder.sync();
      }),
    },
    journal: {
      ...journal,
      append: alive((entry: Parameters<Journal['append']>[0]) => {
        journal.append(entry);
      }),
      settle: alive((id: string) => {
        journal.settle(id);
      }),
    },
  };
}

function untilDeath(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Death)) throw error;
  }
}

function seen(ground: WriteGround): unknown {
  return [ground.files(), ground.mode('app.txt'), readFileSync(ground.journalPath, 'utf8')];
}

function text(content: Uint8Array): string {
  return Buffer.from(content).toString('latin1');
}

it('restores bytes and mode after a death at any step of a tested write and of its rollback', () => {
  fc.assert(
    fc.property(images, mode, fc.boolean(), lastStep, lastStep, ([before, after], bits, keepBackup, first, second) => {
      const ground = writeGround(before, after);
      try {
        chmodSync(ground.path('app.txt'), bits);
        const plan = ground.plan({ keepBackup, tested: true });
        const { folder, journal } = mortal(ground, first);
        untilDeath(() => {
          const open = beginWrite({ ...plan, folder }, journal);
          if (open.ok) open.value.rollBack();
        });
        // The first recovery may die too; the second one does not.
        untilDeath(() => recover(ground.root, { ...ground.reopen(), ...mortal(ground, second).journal }));
        recover(ground.root, ground.reopen());
        expect(seen(ground)).toEqual([{ 'app.txt': text(before) }, bits.toString(8), '']);
      } finally {
        ground.dispose();
      }
    }),
    { numRuns: 60 },
  );
});

it('leaves one whole image after a death at any step of an untested write, the new one if it was answered', () => {
  fc.assert(
    fc.property(images, fc.boolean(), lastStep, ([before, after], keepBackup, last) => {
      const ground = writeGround(before, after);
      try {
        const { folder, journal } = mortal(ground, last);
        const answers: boolean[] = [];
        untilDeath(() => {
          const open = beginWrite({ ...ground.plan({ keepBackup, tested: false }), folder }, journal);
          answers.push(open.ok && open.value.commit().ok);
        });
        recover(ground.root, ground.reopen());
        const kept = { 'app.txt': text(after), ...(keepBackup ? { [BACKUP]: text(before) } : {}) };
        const isKept = answers.includes(true) || ground.files()['app.txt'] === text(after);
        expect(seen(ground)).toEqual([isKept ? kept : { 'app.txt': text(before) }, '640', '']);
      } finally {
        ground.dispose();
      }
    }),
    { numRuns: 40 },
  );
});

it('takes a tested write back from every part of its journal, unless the commit record is whole', () => {
  fc.assert(
    fc.property(images, fc.nat({ max: 200 }), ([before, after], cut) => {
      const ground = writeGround(before, after);
      try {
        const open = beginWrite(ground.plan({ tested: true }), ground.journal);
        const { length } = readFileSync(ground.journalPath);
        ground.journal.append({ kind: 'committed', id: ground.intent().id });
        const whole = readFileSync(ground.journalPath);
        const end = Math.min(length + cut, whole.length);
        ground.cutJournal(end);
        recover(ground.root, ground.reopen());
        const expected = end === whole.length ? text(after) : text(before);
        expect([open.ok, seen(ground)]).toEqual([true, [{ 'app.txt': expected }, '640', '']]);
      } finally {
        ground.dispose();
      }
    }),
    { numRuns: 40 },
  );
});
