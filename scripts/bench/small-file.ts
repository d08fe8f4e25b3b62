/** A source file of everyday size and a patch for it. */

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
