/**
 * Checks a call's arguments against a tool's strict schema. `null` counts as absent, unknown keys are refused by name,
 * and every fault is listed with its path, so that one answer is enough to mend the call.
 */
import { z } from 'zod';
import { failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';

const MAX_FAULTS = 10;
const MAX_WORD = 64;

/** Names callers are known to use for ours; they are not accepted, only understood. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  diff: ['diff_str', 'unifiedDiff'],
  diff_str: ['unifiedDiff'],
  patch: ['diff_str', 'unifiedDiff'],
  unifiedDiff: ['diff_str'],
  path: ['file_path'],
  file: ['file_path'],
  filePath: ['file_path'],
  root: ['repo_root', 'repoRoot'],
  repo: ['repo_root', 'repoRoot'],
  repoRoot: ['repo_root'],
  repo_root: ['repoRoot'],
  testCmd: ['test_command'],
  testCommand: ['test_command', 'testCmd'],
  test_command: ['testCmd'],
  dryRun: ['dry_run'],
};

/** Parses the arguments; the failure is `INPUT_INVALID` and names every fault, at most ten. */
export function parseArguments<Input>(schema: z.ZodType<Input>, given: unknown): Result<Input> {
  const parsed = schema.safeParse(withoutNulls(given), { reportInput: true });
  if (parsed.success) return ok(parsed.data);
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const faults = parsed.error.issues.flatMap((issue) => faultsOf(issue, names));
  const shown = faults.slice(0, MAX_FAULTS);
  const rest = faults.length > shown.length ? [`and ${faults.length - shown.length} more`] : [];
  return fail(failure('INPUT_INVALID', `The arguments are not valid: ${[...shown, ...rest].join('; ')}.`));
}

function withoutNulls(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

function faultsOf(issue: z.core.$ZodIssue, names: readonly string[]): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(issue.path, key, names));
  const path = pathOf(issue.path);
  if (issue.code === 'invalid_type' && issue.input === undefined) return [`${path} is required`];
  return [`${path}: ${issue.message.replace(/^Invalid input: /, '')}`];
}

function unknownKey(path: readonly PropertyKey[], key: string, names: readonly string[]): string {
  const candidates = path.length === 0 && Object.hasOwn(OTHER_NAMES, key) ? (OTHER_NAMES[key] ?? []) : [];
  const meant = candidates.find((name) => names.includes(name));
  const place = pathOf([...path, key.slice(0, MAX_WORD)]);
  return `unknown argument "${place}"${meant === undefined ? '' : ` (did you mean ${meant}?)`}`;
}

function pathOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'arguments';
  const [first, ...rest] = path.map(String);
  return `${first ?? ''}${rest.map((part) => `[${part}]`).join('')}`;
}
