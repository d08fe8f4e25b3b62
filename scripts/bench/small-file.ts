/** A source file of everyday size, a patch for it, and the way back between two calls. */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const SMALL_FILE = 'prices.ts';

const FUNCTIONS = 40;

/** Makes the file's content (about 200 lines) and a patch that changes one line of it. */
export function makeSmallFile(): { readonly before: string; readonly diff: string } {
  const lines = Array.from({ length: FUNCTIONS }, (_, n) => [
    `/** The price of ${String(n)} pieces, in cents. */`,
    `export function priceOf${String(n)}(cents: number): number {`,
    `  return cents * ${String(n)};`,
    '}',
    '',
  ]).flat();
  const at = lines.indexOf('  return cents * 20;');
  const context = (from: number, to: number): string[] => lines.slice(from, to).map((line) => ` ${line}`);
  const hunk = [
    `@@ -${String(at - 2)},7 +${String(at - 2)},7 @@`,
    ...context(at - 3, at),
    '-  return cents * 20;',
    '+  return cents * 20 - 1;',
    ...context(at + 1, at + 4),
  ];
  return {
    before: `${lines.join('\n')}\n`,
    diff: `--- a/${SMALL_FILE}\n+++ b/${SMALL_FILE}\n${hunk.join('\n')}\n`,
  };
}

/** Gives the file its first content and removes the backup; on disk when it returns, so that no call pays for it. */
export function resetSmallFile(folder: string, before: string): void {
  for (const entry of readdirSync(folder)) if (entry.includes('.reforge-bak')) rmSync(join(folder, entry));
  writeFileSync(join(folder, SMALL_FILE), before, { flush: true });
  syncFolder(folder);
}

/** The least that a durable replacement of the file costs: write, fsync, rename, fsync of the folder. In milliseconds. */
export function replaceDurably(folder: string, content: string): number {
  const started = performance.now();
  const temporary = join(folder, '.replacement');
  writeFileSync(temporary, content, { flush: true });
  renameSync(temporary, join(folder, SMALL_FILE));
  syncFolder(folder);
  return performance.now() - started;
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
