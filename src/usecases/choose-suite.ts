/** `testCmd`, or what the project's own files say → the command that runs the suite, authorised, and how much it runs. */
import { isAbsolute, join } from 'node:path';
import { scopeOf } from '../engine/command/scope.ts';
import { languages } from '../engine/languages/index.ts';
import type { ProjectFacts } from '../engine/languages/language.ts';
import { failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { authorise, type TestCommand } from './authorise.ts';
import type { Product } from './product.ts';
import { projectFacts } from './project-facts.ts';

/** What a caller says of the suite. */
export interface WantedSuite {
  /** The command; absent for what the project's own files say. */
  readonly testCommand: string | undefined;
  readonly allowedTestCommands: readonly string[];
}

export interface Suite {
  readonly wanted: WantedSuite;
  /** As it was given or found, for the report and for what identifies a verification. */
  readonly text: string;
  readonly command: TestCommand;
  readonly project: ProjectFacts;
  readonly scope: 'full' | 'narrowed' | 'unknown';
  readonly notes: readonly string[];
}

/**
 * Chooses the command for a tree. Null where none was given and the project names none; fails where one is given and
 * may not run (`COMMAND_…`) or its program is missing (`PROGRAM_NOT_FOUND`).
 */
export function chooseSuite(
  product: Product,
  root: string,
  { testCommand: given, allowedTestCommands }: WantedSuite,
): Result<Suite | null> {
  const project = projectFacts(product.host, root);
  const detected = given === undefined ? detect(project) : null;
  const text = given ?? detected?.command;
  if (text === undefined) return ok(null);
  const command = authorise(product, root, text, allowedTestCommands);
  if (!command.ok) {
    if (detected === null) return command;
    const { code, message, hint } = command.failure;
    const found = `The project's own files name \`${text}\` (${detected.because}). ${message}`;
    return fail(failure(code, found, { hint: `${hint} Or pass testCmd.` }));
  }
  const runner = languages.map((language) => language.missingRunner(command.value.argv, project)).find(isNamed);
  if (runner !== undefined) return fail(failure('PROGRAM_NOT_FOUND', notInstalled(runner, text)));
  const policy = product.policy();
  if (!policy.ok) return policy;
  const { scope, why } = scopeOf(policy.value, command.value.argv, root, project);
  const notes = [
    ...(detected === null ? [] : [`The test command is \`${text}\`, because ${detected.because}.`]),
    ...(why === null ? [] : [why]),
    ...command.value.notes,
  ];
  return ok({
    wanted: { testCommand: given, allowedTestCommands },
    text,
    command: command.value,
    project,
    scope,
    notes,
  });
}

function isNamed(runner: string | null): runner is string {
  return runner !== null;
}

function notInstalled(runner: string, text: string): string {
  return `${runner} is in no node_modules of the project, so \`${text}\` would have to fetch it; nothing was fetched.`;
}

function detect(project: ProjectFacts) {
  for (const language of languages) {
    const found = language.detect(project);
    if (found !== null) return found;
  }
  return null;
}

/** Where the command itself says that modules lie. */
export function searchFoldersOf(root: string, suite: Suite | null): readonly string[] {
  const paths = suite?.command.env['PYTHONPATH'] ?? '';
  return paths
    .split(':')
    .filter((path) => path !== '')
    .map((path) => (isAbsolute(path) ? path : join(root, path)));
}
