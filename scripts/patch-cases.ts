/**
 * Runs the engine over recorded cases of other appliers (one JSON object a line) and holds the outcome against each
 * record. Usage: node build/scripts/patch-cases.js [DIR]. Ends with 1 when a `core` record differs; lists every `policy`
 * record that differs. A DIR that is not there is skipped, because the records are not part of this repository.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPatch } from '../src/engine/patch/apply.ts';
import { parsePatch } from '../src/engine/patch/parse.ts';
import { matchTarget } from '../src/engine/patch/target.ts';

interface Case {
  readonly id: string;
  readonly target: string;
  readonly original_b64: string | null;
  readonly patch_b64: string;
  readonly expect: 'apply' | 'reject';
  readonly expected_b64?: string;
  readonly profile: 'core' | 'policy';
  readonly reject_code?: string;
  readonly alternatives?: Readonly<Record<string, string>>;
}

/** Adaptations of this product; a record that names one of them expects its result. */
const ADAPTATIONS = ['eol=adapt', 'bom=adapt', 'eof=adapt'];

function readCase(line: string): Case {
  return JSON.parse(line) as Case;
}

type Outcome = { readonly bytes: Buffer } | { readonly refusal: string };

function run(record: Case): Outcome {
  if (record.original_b64 === null) return { refusal: 'FILE_NOT_FOUND' };
  const bytes = Buffer.from(record.patch_b64, 'base64');
  const diff = bytes.toString('utf8');
  if (!Buffer.from(diff).equals(bytes)) return { refusal: 'not UTF-8, cannot be sent' };
  const parsed = parsePatch(diff);
  if (!parsed.ok) return { refusal: parsed.failure.code };
  const matched = matchTarget(parsed.value, record.target);
  if (!matched.ok) return { refusal: matched.failure.code };
  const applied = applyPatch(matched.value, Buffer.from(record.original_b64, 'base64'));
  if (applied.ok) return { bytes: Buffer.concat(applied.value.pieces) };
  const inner = applied.failure.details.conflicts?.map(({ code }) => code).join(' ') ?? '';
  return { refusal: `${applied.failure.code} ${inner}`.trim() };
}

/** Says how an outcome differs from a record; nothing when it does not. */
function difference(record: Case, outcome: Outcome): string | undefined {
  const adapted = ADAPTATIONS.map((name) => record.alternatives?.[name]).find((bytes) => bytes !== undefined);
  const wanted = adapted ?? (record.expect === 'apply' ? record.expected_b64 : undefined);
  if (wanted === undefined)
    return 'bytes' in outcome ? `applied; expected a refusal (${record.reject_code ?? '?'})` : undefined;
  if ('refusal' in outcome) return `refused (${outcome.refusal}); expected to apply`;
  return outcome.bytes.equals(Buffer.from(wanted, 'base64')) ? undefined : 'applied to other bytes than expected';
}

const directory = process.argv[2] ?? '../shared/patch-cases';
if (!existsSync(directory)) {
  console.log(`skipped: no patch cases at ${directory}`);
  process.exit(0);
}
const files = readdirSync(directory).filter((name) => name.endsWith('.jsonl'));
const records = files.flatMap((name) =>
  readFileSync(join(directory, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map(readCase),
);
const differing = records.flatMap((record) => {
  const says = difference(record, run(record));
  return says === undefined ? [] : [{ record, says }];
});
const reasons = existsSync('docs/patch-cases.md') ? readFileSync('docs/patch-cases.md', 'utf8') : '';
for (const { record, says } of differing) {
  const isExplained = record.profile === 'core' || reasons.includes(`\`${record.id}\``);
  console.log(
    `${record.profile.padEnd(6)} ${record.id}: ${says}${isExplained ? '' : ' (no reason in docs/patch-cases.md)'}`,
  );
}
const core = differing.filter(({ record }) => record.profile === 'core').length;
console.log(`${records.length} cases, ${core} core differences, ${differing.length - core} policy differences`);
process.exit(core === 0 ? 0 : 1);
