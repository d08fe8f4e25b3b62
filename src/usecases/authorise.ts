/** The command text → a program that was looked up and an environment that was built, or the reason for a refusal. */
import { decide, withCallerPrefixes } from '../engine/command/allow.ts';
import { tokenize } from '../engine/command/tokenize.ts';
import { ok, type Result } from '../model/result.ts';
import type { Product } from './product.ts';

export interface TestCommand {
  /** The words of the command without its assignments, as they were judged. */
  readonly argv: readonly [string, ...string[]];
  /** The absolute program, then the arguments as they were given. */
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/** Admits a test command for a root, under the caller's own list where there is one. Runs nothing. */
export function authorise(
  { host, policy, isAllowlistLocked }: Product,
  root: string,
  text: string,
  callerPrefixes: readonly string[],
): Result<TestCommand> {
  const standing = policy();
  if (!standing.ok) return standing;
  const inForce = withCallerPrefixes(standing.value, callerPrefixes, { locked: isAllowlistLocked });
  if (!inForce.ok) return inForce;
  const argv = tokenize(text);
  if (!argv.ok) return argv;
  const allowed = decide(inForce.value, argv.value, { root });
  if (!allowed.ok) return allowed;
  const [name, ...args] = allowed.value.argv;
  const program = host.findProgram(name, root, allowed.value.operatorNamed);
  if (!program.ok) return program;
  const { env, refusedNames } = host.buildEnvironment({
    inherited: host.settings.env,
    root,
    program: program.value,
    extraNames: host.settings.extraEnvironment,
    assignments: allowed.value.environment,
  });
  const { path, origin } = program.value;
  return ok({
    argv: allowed.value.argv,
    command: [path, ...args],
    env,
    notes: [
      ...(origin === 'path' ? [] : [`${name} is the project's own program: ${path}.`]),
      ...(refusedNames.length === 0 ? [] : [`Never passed to a test command: ${refusedNames.join(', ')}.`]),
    ],
  });
}
