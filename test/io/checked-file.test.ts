import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copyChecked, writeChecked } from '../../src/io/checked-file.ts';
import { withFile } from '../../src/io/held-file.ts';
import { sha256 } from '../../src/io/target-file.ts';
import { BEFORE, writeGround, type WriteGround } from '../support/write-ground.ts';

let ground: WriteGround;

beforeEach(() => {
  ground = writeGround();
});

afterEach(() => {
  ground.dispose();
});

function write(beforeSync?: (descriptor: number) => void): void {
  const owner = ground.plan().preimage.facts;
  const pieces = [Buffer.from('new'), Buffer.from(' bytes')];
  writeChecked(ground.folder, 'new', { pieces, sha256: sha256(pieces), owner }, beforeSync);
}

it('writes a new file with the mode it is given', () => {
  write();
  expect([ground.files(), ground.mode('new')]).toEqual([{ 'app.txt': BEFORE, new: 'new bytes' }, '640']);
});

it('throws EIO where other bytes are read back than were written', () => {
  expect(() => {
    write(() => {
      writeFileSync(ground.path('new'), 'lost');
    });
  }).toThrow(expect.objectContaining({ code: 'EIO' }));
});

it('copies an open file, whatever its name leads to by now', () => {
  withFile(ground.folder, 'app.txt', (held) => {
    if (held !== null) copyChecked(ground.folder, 'copy', held);
  });
  expect([ground.files(), ground.mode('copy')]).toEqual([{ 'app.txt': BEFORE, copy: BEFORE }, '640']);
});
