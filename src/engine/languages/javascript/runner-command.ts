/**
 * Which runner a command starts in the end, through package managers and the scripts of package.json, and what must stand
 * before words that are added at the command's end so that the runner gets them.
 */
import { posix } from 'node:path';
import type { ProjectFacts } from '../language.ts';
import { field, parseJson, text } from './json.ts';

export type Runner = 'vitest' | 'jest' | 'mocha' | 'node:test';

export interface RunnerCommand {
  /** Null where it cannot be told. */
  readonly runner: Runner | null;
  /** `--` for each npm on the way. */
  readonly separators: readonly string[];
  /** The runner's own words, then those of the caller. */
  readonly words: readonly string[];
  /** What starters of packages (`npx`) on the way fetch where the project does not have it. */
  readonly fetched: readonly string[];
}

const UNKNOWN: RunnerCommand = { runner: null, separators: [], words: [], fetched: [] };
const MOST_SCRIPTS = 5;
const MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'];
const STARTERS = ['npx', 'bunx', 'pnpx'];
/** Programs that run the command behind their own options. */
const AROUND = ['cross-env', 'c8', 'nyc', 'env-cmd', 'dotenv', 'time', 'exec'];

/** Follows the command to its runner. */
export function runnerOf(argv: readonly string[], project: ProjectFacts): RunnerCommand {
  return follow(argv, project, 0);
}

function follow(argv: readonly string[], project: ProjectFacts, depth: number): RunnerCommand {
  const [program = '', ...rest] = argv;
  const name = posix.basename(program).replace(/\.(?:cmd|exe|[mc]?js)$/u, '');
  if (depth > MOST_SCRIPTS) return UNKNOWN;
  if (name === 'vitest' || name === 'jest' || name === 'mocha') return { ...UNKNOWN, runner: name, words: rest };
  if (name === '_mocha') return { ...UNKNOWN, runner: 'mocha', words: rest };
  if (name === 'node' || name === 'tsx') return followNode(rest, project, depth);
  if (/^\w+=/u.test(program)) return follow(rest, project, depth);
  if (STARTERS.includes(name)) return started(rest, project, depth);
  if (AROUND.includes(name)) return follow(withoutOptions(rest), project, depth);
  return MANAGERS.includes(name) ? followManager(name, rest, project, depth) : UNKNOWN;
}

/** `node --test`, or a runner's own file run by node. */
function followNode(words: readonly string[], project: ProjectFacts, depth: number): RunnerCommand {
  if (words.includes('--test')) return { ...UNKNOWN, runner: 'node:test', words };
  const script = words.find((word) => /(?:^|\/)node_modules\//u.test(word));
  return script === undefined ? UNKNOWN : follow(words.slice(words.indexOf(script)), project, depth);
}

/** The package that a starter runs, fetched or not. */
function started(words: readonly string[], project: ProjectFacts, depth: number): RunnerCommand {
  const command = withoutOptions(words);
  const found = follow(command, project, depth);
  return { ...found, fetched: [...command.slice(0, 1), ...found.fetched] };
}

function followManager(name: string, words: readonly string[], project: ProjectFacts, depth: number): RunnerCommand {
  const plain = words.findIndex((word) => !word.startsWith('-'));
  // An option before the command can lead to another package, whose scripts are not these.
  if (plain !== 0) return UNKNOWN;
  const [verb = '', ...rest] = words;
  if (['dlx', 'x'].includes(verb) || (name === 'npm' && verb === 'exec')) return started(rest, project, depth);
  if (verb === 'exec') return follow(withoutOptions(rest), project, depth);
  const isRun = verb === 'run' || verb === 'run-script';
  const isTest = verb === 'test' || (name === 'npm' && (verb === 't' || verb === 'tst'));
  if (name === 'bun' && isTest) return UNKNOWN;
  const [script = '', ...given] = isRun ? rest : isTest ? ['test', ...rest] : words;
  const commands = field(field(parseJson(project.read('package.json')), 'scripts'), script);
  if (text(commands) === null) return isRun || isTest || name === 'npm' ? UNKNOWN : follow(words, project, depth);
  if (given.some((word) => /^(?:-w|--workspaces?|-r|--recursive|--filter|-C|--prefix)\b/u.test(word))) return UNKNOWN;
  const last = lastCommand(text(commands) ?? '');
  const found = last === null ? UNKNOWN : follow(last, project, depth + 1);
  const separators = name === 'npm' && !given.includes('--') ? ['--', ...found.separators] : found.separators;
  return { ...found, separators, words: [...found.words, ...given.filter((word) => word !== '--')] };
}

/** Words of the last of several commands: what is added to the script arrives there. Null where a shell must be asked. */
function lastCommand(script: string): readonly string[] | null {
  const last = script.split(/&&|\|\||;/u).at(-1) ?? '';
  if (/[|<>&`$()]/u.test(last)) return null;
  const words = last.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/gu);
  return words === null ? null : words.map((word) => word.replace(/(["'])(.*?)\1/gu, '$2'));
}

function withoutOptions(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !word.startsWith('-'));
  return start === -1 ? [] : words.slice(start);
}
