/**
 * Reads allowlist files and checks their shape. Decides nothing: what a rule means is the engine's.
 * One of the two places that know zod; the other is the wire.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { AllowlistFile } from '../model/allowlist.ts';
import { failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';

const word = z.string().min(1).max(200);
const words = z.array(word);
const sentence = z.string().min(1).max(500);
const flag = z.string().regex(/^-/u, 'a flag begins with a dash').max(80);

const valueFlag = z.union([flag, z.strictObject({ flag, matches: z.string() })]);

const discovery = z.strictObject({
  files: z.string(),
  ignored: z.string(),
  marker: word,
  settings: words,
  unless: z.string(),
});

const scope = z.strictObject({
  narrowing: z.array(flag),
  stopping: z.array(flag),
  neutral: z.array(valueFlag),
  operands: z.string().exactOptional(),
  parts: z.string().exactOptional(),
  takesNext: z.array(flag).exactOptional(),
  discovery: discovery.exactOptional(),
});

const flags = z.strictObject({
  style: z.enum(['gnu', 'word']),
  boolean: z.array(flag),
  value: z.array(valueFlag),
  pattern: z.array(flag),
  refused: z.array(z.strictObject({ flags: z.array(flag).min(1), why: sentence })),
  operands: z.strictObject({ matches: z.string(), why: sentence }).exactOptional(),
  include: words.exactOptional(),
  afterDashes: words.exactOptional(),
  nodeIds: z.boolean().exactOptional(),
  atWords: z.boolean().exactOptional(),
  shell: z.boolean().exactOptional(),
  scope: scope.exactOptional(),
});

const rule = z.strictObject({
  prefix: z.array(z.union([word, words.min(1)])).min(1),
  justification: sentence,
  allows: words.min(1),
  refuses: z.array(z.strictObject({ command: word, why: sentence })).min(1),
});

const limits = z.strictObject({
  never: z.array(z.strictObject({ programs: words, why: sentence })),
  launchers: z.array(z.strictObject({ prefix: words.min(1), options: z.string().exactOptional() })),
  interpreters: z.array(
    z.strictObject({
      programs: words.min(1),
      options: z.string().exactOptional(),
      modes: words.exactOptional(),
      module: word.exactOptional(),
      refusedModules: words.exactOptional(),
    }),
  ),
  inline: z.array(flag),
});

const variable = z.strictObject({
  name: z.string().regex(/^[A-Z][A-Z0-9_]*$/u),
  value: z.union([z.literal('paths'), z.strictObject({ matches: z.string() })]),
  justification: sentence,
});

/** The schema of one allowlist file; `allowlists/schema.json` is made from it. */
export const allowlistFile = z.strictObject({
  $schema: z.string().exactOptional(),
  runner: z.string().regex(/^[a-z][a-z0-9-]*$/u),
  rules: z.array(rule),
  flags: flags.exactOptional(),
  aliases: words.exactOptional(),
  environment: z.array(variable).exactOptional(),
  limits: limits.exactOptional(),
}) satisfies z.ZodType<AllowlistFile>;

/** Reads every allowlist of a folder, in the order of their names. Fails with `ALLOWLIST_INVALID`, naming the file. */
export function readAllowlists(folder: string): Result<readonly AllowlistFile[]> {
  let names: readonly string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'schema.json');
  } catch (error) {
    return invalid(folder, `the folder cannot be read (${reasonOf(error)})`);
  }
  const files: AllowlistFile[] = [];
  for (const name of names.toSorted()) {
    const file = readAllowlist(path.join(folder, name));
    if (!file.ok) return file;
    files.push(file.value);
  }
  return ok(files);
}

/** Reads one allowlist. Fails with `ALLOWLIST_INVALID`, naming the file and the place in it. */
export function readAllowlist(file: string): Result<AllowlistFile> {
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return invalid(file, error instanceof SyntaxError ? `it is no JSON (${error.message})` : reasonOf(error));
  }
  const parsed = allowlistFile.safeParse(data);
  if (parsed.success) return ok(parsed.data);
  const issues = parsed.error.issues.map(({ path: place, message }) => {
    return `${place.length === 0 ? 'the file' : place.map(String).join('.')}: ${message}`;
  });
  return invalid(file, issues.join('; '));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'no reason given';
}

function invalid(file: string, what: string): Result<never> {
  return fail(failure('ALLOWLIST_INVALID', `The allowlist ${file} cannot be used: ${what}.`));
}
