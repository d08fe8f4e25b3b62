/** A real, throw-away git repository for tests: write a file, run git, commit. Ignores the user's own configuration. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Absolute path of the git program, as `command -v` finds it. */
export const GIT_PROGRAM = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();

export interface GitRepo {
  readonly path: string;
  /** Writes a file and returns its absolute path; folders in between are made. */
  file(name: string, content: string | Uint8Array): string;
  git(...args: string[]): string;
  /** Stages everything and commits it. */
  commit(message?: string): void;
}

/** Makes a folder that is removed by `dispose`, as a real path. */
export function temporaryFolder(): { path: string; dispose: () => void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'surepatch-test-')));
  return {
    path,
    dispose: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Opens a folder as a repository, making it one unless `init` is false. */
export function gitRepo(path: string, init: readonly string[] | false = []): GitRepo {
  mkdirSync(path, { recursive: true });
  const git = (...args: string[]): string => runGit(path, args);
  if (init !== false) git('init', '-q', '-b', 'main', ...init);
  return {
    path,
    git,
    file: (name, content) => {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    commit: (message = 'change') => {
      git('add', '-A');
      git('commit', '-q', '-m', message);
    },
  };
}

function runGit(cwd: string, args: readonly string[]): string {
  const identity = [
    '-c',
    'user.name=Tester',
    '-c',
    'user.email=tester@example.invalid',
    '-c',
    'protocol.file.allow=always',
  ];
  return execFileSync(GIT_PROGRAM, [...identity, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' },
  });
}
