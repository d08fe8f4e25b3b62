import { describe, expect, it } from 'vitest';
import { CONFLICT_LIMIT, DIFF_LIMIT_BYTES, HUNK_LIMIT, parsePatch } from '../../../src/engine/patch/parse.ts';
import { bytesOf } from '../../../src/model/patch.ts';

const HUNK = '@@ -1,2 +1,2 @@ shelf\n open\n-closed\n+shut\n';

function codeOf(diff: string): string {
  const parsed = parsePatch(diff);
  return parsed.ok ? 'ok' : parsed.failure.code;
}

describe('parsePatch', () => {
  it('gives names, header and hunks with both sides joined', () => {
    const parsed = parsePatch(`--- a/days.txt\t2024\n+++ b/days.txt\n${HUNK}`);
    if (!parsed.ok) throw new Error(parsed.failure.message);
    const { hunks, ...rest } = parsed.value;
    expect(rest).toEqual({
      header: '--- a/days.txt\t2024\n+++ b/days.txt\n',
      names: ['a/days.txt', 'b/days.txt'],
      creates: false,
    });
    expect(hunks.map((hunk) => [bytesOf(hunk.old), bytesOf(hunk.new), bytesOf(hunk.body)].map(String))).toEqual([
      ['open\nclosed\n', 'open\nshut\n', ' open\n-closed\n+shut\n'],
    ]);
    expect(hunks).toMatchObject([
      {
        number: 1,
        headerLine: 3,
        old: { start: 1, count: 2, unterminated: false },
        new: { start: 1, count: 2, unterminated: false },
        hasCarriageReturn: false,
        endsInAddition: true,
      },
    ]);
  });

  it('takes a diff of exactly 8 MiB in UTF-8 and refuses one byte more', () => {
    const fill = (bytes: number): string => 'é'.repeat(Math.floor((bytes - HUNK.length - 1) / 2)) + '\n' + HUNK;
    const even = fill(DIFF_LIMIT_BYTES);
    const exact = '\n'.repeat(DIFF_LIMIT_BYTES - Buffer.byteLength(even)) + even;
    expect(Buffer.byteLength(exact)).toBe(8 * 1024 * 1024);
    expect([codeOf(exact), codeOf(`\n${exact}`)]).toEqual(['ok', 'PATCH_TOO_LARGE']);
  });

  it('takes 10,000 hunks and refuses one more, before it looks at any', () => {
    const hunks = (count: number): string =>
      Array.from({ length: count }, (_, index) => `@@ -${index + 1} +${index + 1} @@\n-open\n+shut\n`).join('');
    expect(codeOf(hunks(HUNK_LIMIT))).toBe('ok');
    expect(codeOf(`${hunks(HUNK_LIMIT)}@@ -nonsense`)).toBe('PATCH_TOO_LARGE');
  });

  it('refuses half of a surrogate pair and takes a whole one', () => {
    const emoji = '\u{1f4d6}';
    const with_ = (text: string): string => HUNK.replace('shut', text);
    expect([codeOf(with_(emoji)), codeOf(with_(emoji.slice(0, 1)))]).toEqual(['ok', 'PATCH_MALFORMED']);
  });

  it('names at most five hunks and says how many there are', () => {
    const broken = Array.from({ length: 9 }, (_, index) => `@@ -${index * 3 + 1},9 +1 @@\n-open\n+shut\n`).join('');
    const parsed = parsePatch(broken);
    expect(parsed).toMatchObject({ ok: false, failure: { code: 'PATCH_MALFORMED' } });
    if (parsed.ok) return;
    expect(parsed.failure.details.conflicts?.map(({ hunk, code }) => `${code} ${hunk}`)).toEqual(
      [1, 2, 3, 4, 5].map((hunk) => `COUNT ${hunk}`),
    );
    expect(parsed.failure.details.conflicts).toHaveLength(CONFLICT_LIMIT);
    expect(parsed.failure.message).toMatch(/\(9 hunks are wrong\)$/);
  });

  it('allocates nothing by the counts of a header', () => {
    const before = process.memoryUsage().arrayBuffers;
    expect(codeOf('@@ -1,999999999999999 +1,999999999999999 @@\n open\n')).toBe('PATCH_MALFORMED');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
  });
});
