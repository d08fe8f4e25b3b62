import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../../src/engine/patch/apply.ts';
import { parsePatch } from '../../../src/engine/patch/parse.ts';
import type { Rewrite } from '../../../src/model/patch.ts';
import type { Result } from '../../../src/model/result.ts';

function apply(diff: string, preimage: string | Buffer): Result<Rewrite> {
  const parsed = parsePatch(diff);
  return parsed.ok ? applyPatch(parsed.value, Buffer.from(preimage)) : parsed;
}

const shelves = (count: number): string => Array.from({ length: count }, (_, index) => `shelf ${index + 1}\n`).join('');
const change = (line: number, at = line): string => `@@ -${at} +${at} @@\n-shelf ${line}\n+rack ${line}\n`;

describe('applyPatch', () => {
  it('is the same again and again, and refuses its own result as already applied', () => {
    const diff = change(2) + change(9);
    const first = apply(diff, shelves(10));
    expect(first).toEqual(apply(diff, shelves(10)));
    if (!first.ok) throw new Error(first.failure.message);
    expect(apply(diff, Buffer.concat(first.value.pieces))).toMatchObject({
      ok: false,
      failure: { code: 'ALREADY_APPLIED', details: { conflicts: [{ hunk: 1 }, { hunk: 2 }] } },
    });
  });

  it('names the hunks of a note and counts those beyond five', () => {
    const diff = [1, 2, 3, 4, 5, 6, 7].map((line) => change(line)).join('');
    const result = apply(diff, shelves(7).replaceAll('\n', '\r\n'));
    expect(result).toMatchObject({
      ok: true,
      value: {
        notes: [
          'Hunks 1, 2, 3, 4, 5 and 2 more: the file ends its lines in CRLF and the patch in LF; the new lines were written with CRLF.',
        ],
      },
    });
  });

  it('offers the whole patch with corrected headers when more than five hunks all stand elsewhere once', () => {
    const lines = [1, 4, 7, 10, 13, 16, 19];
    const result = apply(lines.map((line) => change(line, line + 1)).join(''), shelves(20));
    if (result.ok) throw new Error('must not fit');
    expect(result.failure.details.conflicts).toHaveLength(5);
    expect(result.failure.details.suggested_diff).toBe(
      lines.map((line) => change(line).replace(/-(\d+) \+(\d+)/, '-$1,1 +$2,1')).join(''),
    );
  });

  it('offers no corrected patch when hunks would cross', () => {
    const result = apply(change(9, 1) + change(2, 5), shelves(10));
    expect(result).toMatchObject({ ok: false, failure: { code: 'PATCH_CONFLICT' } });
    expect(result.ok ? undefined : result.failure.details.suggested_diff).toBeUndefined();
  });

  it('refuses two thousand equal context lines among a hundred thousand within bounded work', () => {
    const file = Buffer.from('same\n'.repeat(100_000));
    const diff = `@@ -99000,2001 +99000,2000 @@\n${' same\n'.repeat(2000)}-same\n`;
    const result = apply(diff, file);
    expect(result).toMatchObject({
      ok: false,
      failure: { code: 'PATCH_AMBIGUOUS', details: { conflicts: [{ found_at: [1, 2, 3, 4, 5] }] } },
    });
  });

  it('writes nothing of a patch of which one hunk does not fit', () => {
    const preimage = Buffer.from(shelves(10));
    const parsed = parsePatch(change(2) + change(33, 9));
    if (!parsed.ok) throw new Error(parsed.failure.message);
    const result = applyPatch(parsed.value, preimage);
    expect(Object.keys(result)).toEqual(['ok', 'failure']);
    expect(preimage.toString()).toBe(shelves(10));
  });
});
