/**
 * Holds the engine against git: random files and edits, diffed by `git diff --no-index`, must be applied to exactly the
 * edited bytes; the same diffs damaged at random must be refused or do exactly what they now say by the oracle.
 * Usage: node build/scripts/fuzz-git-diff.js [--count N] [--seed S] [--case C]. A failure prints how to run it again.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { applyPatch } from '../src/engine/patch/apply.ts';
import { parsePatch } from '../src/engine/patch/parse.ts';
import { damage, type FilePair, filePair } from './fuzz/generate.ts';
import { whatItSays } from './fuzz/oracle.ts';
import { randomFrom } from './fuzz/random.ts';

const BATCH = 250;
const DAMAGED_PER_DIFF = 3;
const { values } = parseArgs({
  options: { count: { type: 'string' }, seed: { type: 'string' }, case: { type: 'string' } },
});
const count = Number(values.count ?? '10000');
const seed = Number(values.seed ?? String(Date.now() % 1_000_000));
const only = values.case === undefined ? undefined : Number(values.case);

const tally = { applied: 0, equal: 0, notUtf8: 0, noAnchor: 0, damagedRefused: 0, damagedApplied: 0 };
let failures = 0;

function report(number: number, what: string, diff: string, file: Buffer): void {
  failures += 1;
  console.error(`FAILED case ${number}: ${what}\n  run again: --seed ${seed} --count ${count} --case ${number}`);
  console.error(`  diff: ${JSON.stringify(diff)}\n  file (base64): ${file.toString('base64')}`);
}

function apply(diff: string, file: Buffer): Buffer | string {
  const parsed = parsePatch(diff);
  const applied = parsed.ok ? applyPatch(parsed.value, file) : parsed;
  if (applied.ok) return Buffer.concat(applied.value.pieces);
  return `${applied.failure.code}: ${applied.failure.message}`;
}

/** Diffs all pairs of a batch by one git process; sections are told apart by their file names. */
function diffBatch(pairs: ReadonlyMap<number, FilePair>, context: number): ReadonlyMap<number, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'surepatch-fuzz-'));
  try {
    for (const side of ['before', 'after'] as const) {
      mkdirSync(join(folder, side));
      for (const [number, pair] of pairs) writeFileSync(join(folder, side, `case-${number}`), pair[side]);
    }
    const options = [
      '-c',
      'core.autocrlf=false',
      '-c',
      'core.attributesFile=/dev/null',
      'diff',
      '--no-index',
      '--text',
    ];
    const env = { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
    return sections(gitOutput([...options, `-U${context}`, 'before', 'after'], folder, env));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function gitOutput(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Buffer {
  try {
    return execFileSync('git', args, { cwd, env, maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'inherit'] });
  } catch (error) {
    // git diff ends with 1 when the folders differ.
    const output: unknown = error instanceof Error && 'stdout' in error ? error.stdout : undefined;
    if (Buffer.isBuffer(output) && output.length > 0) return output;
    throw error;
  }
}

function sections(output: Buffer): ReadonlyMap<number, Buffer> {
  const text = output.toString('latin1');
  const found = [...text.matchAll(/^diff --git a\/before\/case-(\d+) b\/after\/case-\d+$/gm)];
  return new Map(
    found.map((match, index) => {
      const end = found[index + 1]?.index ?? text.length;
      return [Number(match[1]), output.subarray(match.index, end)];
    }),
  );
}

function checkCase(number: number, { before, after }: FilePair, section: Buffer | undefined, context: number): void {
  if (section === undefined) {
    tally.equal += 1;
    if (!before.equals(after)) report(number, 'git gave no diff', '', before);
    return;
  }
  const diff = section.toString('utf8');
  if (!Buffer.from(diff).equals(section)) {
    tally.notUtf8 += 1;
    return;
  }
  const result = apply(diff, before);
  const isBareInsertion = context === 0 && /^@@ -\d+,0 /m.test(diff) && before.length > 0;
  if (isBareInsertion && typeof result === 'string') tally.noAnchor += 1;
  else if (typeof result === 'string') report(number, `refused: ${result}`, diff, before);
  else if (!result.equals(after)) report(number, 'applied to other bytes than the edited file', diff, before);
  else tally.applied += 1;
  const random = randomFrom(seed * 7919 + number);
  for (let round = 0; round < DAMAGED_PER_DIFF; round += 1) {
    const damaged = damage(diff, random);
    const outcome = apply(damaged, before);
    if (typeof outcome === 'string') {
      tally.damagedRefused += 1;
    } else {
      tally.damagedApplied += 1;
      const said = whatItSays(Buffer.from(damaged), before);
      if (said === undefined) report(number, 'applied a damaged diff that says nothing plain', damaged, before);
      else if (!said.equals(outcome))
        report(number, 'applied a damaged diff to other bytes than it says', damaged, before);
    }
  }
}

for (let first = 0; first < count; first += BATCH) {
  const numbers = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) => first + index);
  const wanted = numbers.filter((number) => only === undefined || number === only);
  if (wanted.length === 0) continue;
  const context = (first / BATCH) % 6;
  const pairs = new Map(wanted.map((number) => [number, filePair(randomFrom(seed * 104_729 + number))]));
  const diffs = diffBatch(pairs, context);
  for (const [number, pair] of pairs) checkCase(number, pair, diffs.get(number), context);
  if (failures >= 10) break;
}
console.log(`seed ${seed}: ${JSON.stringify(tally)}, ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
