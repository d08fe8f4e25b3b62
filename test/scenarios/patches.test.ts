/** Walks fixtures/patches: each folder is one behaviour of the patch engine, told by bytes before, a diff, and what comes of it. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../src/engine/patch/apply.ts';
import { makePatch } from '../../src/engine/patch/make.ts';
import { parsePatch } from '../../src/engine/patch/parse.ts';
import { matchTarget } from '../../src/engine/patch/target.ts';
import type { Rewrite } from '../../src/model/patch.ts';
import type { Result } from '../../src/model/result.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/patches');

function apply(diff: string, path: string, preimage: Buffer): Result<Rewrite> {
  const parsed = parsePatch(diff);
  if (!parsed.ok) return parsed;
  const matched = matchTarget(parsed.value, path);
  return matched.ok ? applyPatch(matched.value, preimage) : matched;
}

function onlyFile(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const [file, ...more] = files.filter((name) => statSync(join(folder, name)).isFile());
  if (file === undefined || more.length > 0) throw new Error(`${folder} must hold exactly one file`);
  return file;
}

function bytesOf(result: Result<Rewrite>): Buffer | undefined {
  return result.ok ? Buffer.concat(result.value.pieces) : undefined;
}

const behaviours = readdirSync(FIXTURES).map((name) => {
  const folder = join(FIXTURES, name);
  const path = onlyFile(join(folder, 'before'));
  const preimage = readFileSync(join(folder, 'before', path));
  const diff = readFileSync(join(folder, 'change.diff'), 'utf8');
  return { name, folder, path, preimage, diff, applies: existsSync(join(folder, 'after')) };
});

describe('a patch that fits', () => {
  it.each(behaviours.filter(({ applies }) => applies))('$name', ({ folder, path, preimage, diff }) => {
    const untouched = Buffer.from(preimage);
    const result = apply(diff, path, preimage);
    expect(result).toMatchObject({ ok: true });
    const after = readFileSync(join(folder, 'after', path));
    expect(bytesOf(result)).toEqual(after);
    expect(preimage).toEqual(untouched);
    if (!result.ok) return;
    expect(result.value.byteLength).toBe(after.length);
    const dryRun = makePatch(path, result.value, preimage);
    expect(bytesOf(apply(dryRun, path, preimage))).toEqual(after);
  });
});

describe('a patch that is refused', () => {
  it.each(behaviours.filter(({ applies }) => !applies))('$name', ({ folder, path, preimage, diff }) => {
    const result = apply(diff, path, preimage);
    const failure: unknown = JSON.parse(readFileSync(join(folder, 'failure.json'), 'utf8'));
    expect(result).toEqual({ ok: false, failure });
    const suggestion = result.ok ? undefined : result.failure.details.suggested_diff;
    if (suggestion !== undefined) expect(apply(suggestion, path, preimage)).toMatchObject({ ok: true });
  });
});
