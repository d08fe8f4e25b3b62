/**
 * Starts git, one short read-only `cat-file` at a time, so that nothing a repository holds can run code or send git
 * elsewhere: the environment is built here from nothing, and fsmonitor, lazy fetch, replace refs and embedded bare
 * repositories are off. Must never run a command that reads attributes, filters, hooks or pagers. Sole simple-git owner.
 */
import { dirname } from 'node:path';

export interface GitProcessOptions {
  /** Absolute path of the git program, found by the caller outside the root. */
  readonly gitProgram: string;
  /** The caller's environment; only what finds the user's own git configuration is taken from it. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Runs `git cat-file <args>` in a folder with bytes on stdin, and resolves to stdout; rejects with what git said. */
export type CatFile = (cwd: string, args: readonly string[], input: Buffer) => Promise<Buffer>;

// The user's configuration is theirs, and holds the `safe.directory` that lets git work at all in many containers.
const KEPT = ['HOME', 'XDG_CONFIG_HOME', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'SystemRoot', 'windir'] as const;

const FIXED = {
  LC_ALL: 'C',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
} as const;

// Reading the index asks the fsmonitor hook whenever the index carries its extension; empty means off in every git.
const CONFIG = ['core.fsmonitor=', 'safe.bareRepository=explicit'];

// A git that says nothing for this long is waiting on something it should never have opened, a FIFO say.
const SILENCE_MS = 5000;

/** The settings that go before the name of any git command. */
export const QUIET_SETTINGS: readonly string[] = CONFIG.flatMap((setting) => ['-c', setting]);

/** What git is given of the environment when it is asked about somebody's repository. */
export function quietEnvironment({ gitProgram, env }: GitProcessOptions): Readonly<Record<string, string>> {
  const environment: Record<string, string> = { ...FIXED, PATH: dirname(gitProgram) };
  for (const name of KEPT) {
    const value = env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

/** Binds a git program and what is kept of the environment. */
export function createCatFile({ gitProgram, env }: GitProcessOptions): CatFile {
  const environment = quietEnvironment({ gitProgram, env });
  return async (cwd, args, input) => {
    // Loaded at the first question: a folder without git never asks one.
    const { simpleGit } = await import('simple-git');
    const git = simpleGit({
      baseDir: cwd,
      binary: gitProgram,
      config: CONFIG,
      allowEnvironment: Object.keys(FIXED),
      // Both are ours: the program's path may hold spaces, and fsmonitor is named only to switch it off.
      unsafe: { allowUnsafeCustomBinary: true, allowUnsafeFsMonitor: true },
      completion: { onClose: true, onExit: 500 },
      timeout: { block: SILENCE_MS },
      input: () => input,
    }).env({ ...environment });
    const output: unknown = await git.binaryCatFile([...args]);
    if (!Buffer.isBuffer(output)) throw new TypeError('git answered with something other than bytes');
    return output;
  };
}
