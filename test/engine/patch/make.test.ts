import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../../src/engine/patch/apply.ts';
import { makePatch } from '../../../src/engine/patch/make.ts';
import { parsePatch } from '../../../src/engine/patch/parse.ts';

function dryRun(diff: string, preimage: string, path = 'library/days.txt'): string {
  const parsed = parsePatch(diff);
  if (!parsed.ok) throw new Error(parsed.failure.message);
  const rewrite = applyPatch(parsed.value, Buffer.from(preimage));
  if (!rewrite.ok) throw new Error(rewrite.failure.message);
  return makePatch(path, rewrite.value, Buffer.from(preimage));
}

describe('makePatch', () => {
  it('names the file as git does and corrects the new-side numbers', () => {
    expect(dryRun('@@ -1 +7,2 @@\n-open\n+ajar\n+late\n@@ -2 +2 @@\n-closed\n+shut\n', 'open\nclosed\n')).toBe(
      '--- a/library/days.txt\n+++ b/library/days.txt\n@@ -1,1 +1,2 @@\n-open\n+ajar\n+late\n@@ -2,1 +3,1 @@\n-closed\n+shut\n',
    );
  });

  it('shows what the file keeps: CRLF, and a context line that gets a newline', () => {
    expect(dryRun('@@ -1,2 +1,3 @@\n open\n closed\n+late\n', 'open\r\nclosed')).toBe(
      [
        '--- a/library/days.txt\n+++ b/library/days.txt\n@@ -1,2 +1,3 @@\n open\r\n-closed\n\\ No newline at end of file\n',
        '+closed\r\n+late\n\\ No newline at end of file\n',
      ].join(''),
    );
  });

  it('writes empty sides with the line before them', () => {
    expect(dryRun('@@ -0,0 +1 @@\n+open\n', '')).toContain('@@ -0,0 +1,1 @@\n+open\n');
    expect(dryRun('@@ -2 +1,0 @@\n-closed\n', 'open\nclosed\n')).toContain('@@ -2,1 +1,0 @@\n-closed\n');
  });

  it('quotes a name that needs it', () => {
    expect(dryRun('@@ -1 +1 @@\n-open\n+shut\n', 'open\n', 'caf\u00e9\t.txt')).toContain(
      '--- "a/caf\\303\\251\\t.txt"\n',
    );
  });
});
