/**
 * The settings of somebody's git that decide how files are compared and which are ignored, and that name no program:
 * only these are carried over into a private folder of git.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from './disk-error.ts';
import type { CapturedRun } from './process.ts';

export interface CarriedSettings {
  /** As git takes them after `-c`. */
  readonly settings: readonly string[];
  /** Names of filters that would change a file on its way into git. */
  readonly filters: readonly string[];
}

const COMPARING =
  '^core\\.(filemode|ignorecase|symlinks|trustctime|checkstat|autocrlf|eol|precomposeunicode|excludesfile)$';
const FILTERS = '^filter\\..*\\.(clean|process)$';
const FILTER = /^filter\.(.*)\.(?:clean|process)$/su;

/** Asks git for them; `ask` runs a command in the repository as its user has it set up. */
export async function carriedSettings(
  ask: (args: readonly string[]) => Promise<CapturedRun>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CarriedSettings> {
  const { stdout } = await ask(['config', '-z', '--type=path', '--get-regexp', `${COMPARING}|${FILTERS}`]);
  const found = new Map<string, string>();
  for (const entry of stdout.split('\0')) {
    const [key = '', ...value] = entry.split('\n');
    if (key !== '') found.set(key, value.length === 0 ? 'true' : value.join('\n'));
  }
  const filters = [...found.keys()].flatMap((key) => FILTER.exec(key)?.[1] ?? []);
  const ignored = found.get('core.excludesfile') ?? standardExcludes(env);
  found.delete('core.excludesfile');
  const settings = [...found].filter(([key]) => !FILTER.test(key)).map(([key, value]) => `${key}=${value}`);
  if (ignored !== null && isFile(ignored)) settings.push(`core.excludesfile=${ignored}`);
  return { settings, filters: [...new Set(filters)].sort() };
}

function standardExcludes(env: Readonly<Record<string, string | undefined>>): string | null {
  const { XDG_CONFIG_HOME: configured, HOME: home } = env;
  if (configured !== undefined && configured !== '') return join(configured, 'git/ignore');
  return home === undefined ? null : join(home, '.config/git/ignore');
}

/** git would wait for ever on a pipe. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return false;
  }
}
