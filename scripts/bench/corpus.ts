/** The files and patches that are measured: made from a fixed rule, so that every run measures the same bytes. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LINES = 1_000_000;
const LINE_BYTES = 50;
const CONTEXT = 3;
const DIGEST_CHARACTERS = 32;
const EQUAL_CONTEXT = 1000;

/** Name of the file that every contender patches. */
export const FILE = 'big.txt';

interface Patches {
  /** 100 and 10,000 hunks that fit. */
  readonly few: string;
  readonly many: string;
  /** One hunk whose old lines are nowhere in the file. */
  readonly wrong: string;
  /** 10,000 hunks, each stated three lines too early. */
  readonly shifted: string;
  /** 2000 context lines that are in the file of equal lines everywhere, around one that is nowhere. */
  readonly equal: string;
}

export interface Corpus {
  /** The pristine 50 MB file. */
  readonly file: string;
  /** As many lines, all equal. */
  readonly equalFile: string;
  readonly patches: Patches;
}

/** Writes the corpus into an empty folder. */
export function makeCorpus(folder: string): Corpus {
  const write = (name: string, content: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const bytes = Buffer.allocUnsafe(LINES * LINE_BYTES);
  for (let line = 1; line <= LINES; line += 1) bytes.write(textOf(line), (line - 1) * LINE_BYTES, 'latin1');
  return {
    file: write('pristine.txt', bytes),
    equalFile: write('equal.txt', Buffer.alloc(LINES * LINE_BYTES, `${'='.repeat(LINE_BYTES - 1)}\n`)),
    patches: {
      few: write('few.diff', patchOf(100, 0)),
      many: write('many.diff', patchOf(10_000, 0)),
      wrong: write('wrong.diff', `${HEADER}${hunkAt(LINES / 2, 'this line is nowhere in the file\n', 0)}`),
      shifted: write('shifted.diff', patchOf(10_000, -3)),
      equal: write('equal.diff', equalPatch()),
    },
  };
}

const HEADER = `--- a/${FILE}\n+++ b/${FILE}\n`;

function textOf(line: number): string {
  const digest = createHash('md5').update(String(line)).digest('hex').slice(0, DIGEST_CHARACTERS);
  return `${String(line).padStart(LINE_BYTES - DIGEST_CHARACTERS - 2)} ${digest}\n`;
}

function patchOf(hunks: number, shift: number): string {
  const apart = LINES / hunks;
  const bodies = Array.from({ length: hunks }, (_, n) => {
    const changed = n * apart + apart / 2;
    return hunkAt(changed, textOf(changed), shift);
  });
  return `${HEADER}${bodies.join('')}`;
}

/** A hunk of 7 old lines whose fourth, `removed`, is replaced; its header is off by `shift` lines. */
function hunkAt(changed: number, removed: string, shift: number): string {
  const context = (from: number): string => Array.from({ length: CONTEXT }, (_, n) => ` ${textOf(from + n)}`).join('');
  const start = changed - CONTEXT + shift;
  const range = `${start},${2 * CONTEXT + 1}`;
  return `@@ -${range} +${range} @@\n${context(changed - CONTEXT)}-${removed}+changed ${removed}${context(changed + 1)}`;
}

function equalPatch(): string {
  const context = ` ${'='.repeat(LINE_BYTES - 1)}\n`.repeat(EQUAL_CONTEXT);
  const range = `${LINES / 2},${2 * EQUAL_CONTEXT + 1}`;
  return `${HEADER}@@ -${range} +${range} @@\n${context}-this line is nowhere in the file\n+nor this\n${context}`;
}
