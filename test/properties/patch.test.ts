import fc from 'fast-check';
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';
import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../src/engine/patch/apply.ts';
import { makePatch } from '../../src/engine/patch/make.ts';
import { parsePatch } from '../../src/engine/patch/parse.ts';
import type { Rewrite } from '../../src/model/patch.ts';
import type { Result } from '../../src/model/result.ts';

const word = fc.constantFrom(
  '',
  'a',
  'b',
  ' ',
  '\t',
  '}',
  '-- x',
  '++ y',
  '@@ -1 +1 @@',
  'naïve',
  '日本',
  '\u2028',
  '\0',
  'x\ry',
  '\ufeff',
);
const ending = fc.constantFrom('\n', '\n', '\r\n');
const line = fc.tuple(fc.array(word, { maxLength: 3 }), ending).map(([words, end]) => words.join(' ') + end);
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('', '', 'tail', '\r'))
  .map(([lines, tail]) => lines.join('') + tail);
/** Bytes that are no text, so that nothing may decode the file. */
const rawLines = fc
  .array(fc.uint8Array({ minLength: 1, maxLength: 12 }), { maxLength: 6 })
  .map((lines) => Buffer.concat(lines.map((bytes) => Buffer.from([0xff, ...bytes.filter((byte) => byte !== 10), 10]))));
const context = fc.integer({ min: 1, max: 5 });

function diffOf(before: string, after: string, lines: number): string {
  const patch = structuredPatch('a/f', 'b/f', before, after, undefined, undefined, { context: lines });
  return formatPatch(patch, FILE_HEADERS_ONLY);
}

function apply(diff: string, preimage: Buffer): Result<Rewrite> {
  const parsed = parsePatch(diff);
  return parsed.ok ? applyPatch(parsed.value, preimage) : parsed;
}

function bytesOf(result: Result<Rewrite>): Buffer | string {
  return result.ok ? Buffer.concat(result.value.pieces) : `${result.failure.code}: ${result.failure.message}`;
}

describe('the laws of a patch', () => {
  it('apply(diff(a, b), a) is b for any lines, endings and context', () => {
    fc.assert(
      fc.property(text, text, context, (before, after, lines) => {
        fc.pre(before !== after);
        expect(bytesOf(apply(diffOf(before, after, lines), Buffer.from(before)))).toEqual(Buffer.from(after));
      }),
      { numRuns: 400 },
    );
  });

  it('bytes outside the hunks stay as they are, whatever they are', () => {
    fc.assert(
      fc.property(rawLines, rawLines, (head, tail) => {
        const start = head.filter((byte) => byte === 10).length + 1;
        const diff = `@@ -${start},2 +${start},2 @@\n keep\n-old\n+new\n`;
        const result = apply(diff, Buffer.concat([head, Buffer.from('keep\nold\n'), tail]));
        expect(bytesOf(result)).toEqual(Buffer.concat([head, Buffer.from('keep\nnew\n'), tail]));
      }),
    );
  });

  it('the diff of a rewrite applies to the same preimage and gives the same postimage', () => {
    fc.assert(
      fc.property(text, text, context, fc.boolean(), (before, after, lines, isCrlf) => {
        const [from, to] = [before, after].map((side) => side.replaceAll('\r', ''));
        fc.pre(from !== undefined && to !== undefined && from !== to);
        const preimage = Buffer.from(isCrlf ? from.replaceAll('\n', '\r\n') : from);
        const result = apply(diffOf(from, to, lines), preimage);
        if (!result.ok) return;
        const diff = makePatch('f', result.value, preimage);
        const again = apply(diff, preimage);
        expect(bytesOf(again)).toEqual(bytesOf(result));
        expect(again.ok && makePatch('f', again.value, preimage)).toBe(diff);
      }),
      { numRuns: 300 },
    );
  });

  it('a file in CRLF takes an LF patch as CRLF', () => {
    fc.assert(
      fc.property(text, text, context, (before, after, lines) => {
        const [from, to] = [before, after].map((side) => side.replaceAll('\r', ''));
        fc.pre(from !== undefined && to !== undefined && from !== to && /\n/.test(from));
        const crlf = (side = ''): Buffer => Buffer.from(side.replaceAll('\n', '\r\n'));
        const result = apply(diffOf(from, to, lines), crlf(from));
        // Only a hunk that shows a final newline coming or going writes what it shows.
        fc.pre(from.endsWith('\n') && (to.endsWith('\n') || to === ''));
        expect(bytesOf(result)).toEqual(crlf(to));
      }),
    );
  });

  it('a damaged diff changes nothing in the preimage and never yields an unknown code', () => {
    const edit = fc.record({
      at: fc.nat(),
      cut: fc.nat({ max: 3 }),
      put: fc.constantFrom('', ' ', '+', '-', '\n', '7', '@'),
    });
    fc.assert(
      fc.property(text, text, context, edit, (before, after, lines, { at, cut, put }) => {
        fc.pre(before !== after);
        const diff = diffOf(before, after, lines);
        const place = at % diff.length;
        const preimage = Buffer.from(before);
        const result = apply(diff.slice(0, place) + put + diff.slice(place + cut), preimage);
        expect(preimage).toEqual(Buffer.from(before));
        if (result.ok) return;
        expect(result.failure.code).toMatch(/^(?:PATCH_|ALREADY_APPLIED)/);
        for (const conflict of result.failure.details.conflicts ?? []) expect(conflict.message).not.toBe('');
      }),
      { numRuns: 400 },
    );
  });

  it('a suggested diff applies, and does what the diff at its own place does', () => {
    fc.assert(
      fc.property(text, text, context, fc.integer({ min: -3, max: 3 }), (before, after, lines, shift) => {
        fc.pre(before !== after && shift !== 0);
        const diff = diffOf(before, after, lines);
        const moved = diff.replaceAll(/^@@ -(\d+)/gm, (header, start: string) =>
          Number(start) + shift > 0 && start !== '0' ? `@@ -${Number(start) + shift}` : header,
        );
        const result = apply(moved, Buffer.from(before));
        const suggestion = result.ok ? undefined : result.failure.details.suggested_diff;
        if (suggestion !== undefined)
          expect(bytesOf(apply(suggestion, Buffer.from(before)))).toEqual(Buffer.from(after));
      }),
      { numRuns: 300 },
    );
  });
});
