/** The demo's project: a copy of a fixture in a temporary folder, under git, with a file beside it that is not its own. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dirSync, setGracefulCleanup } from 'tmp';
import { copyFixture } from '../fixture-project.ts';

export interface DemoProject {
  readonly root: string;
  /** Where the server keeps its state, beside the project and as temporary as it is. */
  readonly stateHome: string;
  /** Digest of every file of the project, git's own left out, and of the letter beside it. */
  digests(): ReadonlyMap<string, string>;
  /** `git status --porcelain`, a line each. */
  gitStatus(): readonly string[];
  remove(): void;
}

/** Text of the file outside the root, which no answer may reveal. */
export const LETTER = 'Dear harbour master, the price is our secret.\n';

/** Lays the project out; nothing of it lies outside one temporary folder. */
export function layOutProject(): DemoProject {
  setGracefulCleanup();
  const folder = dirSync({ prefix: 'surepatch-demo', unsafeCleanup: true });
  const root = join(folder.name, 'tide-tables');
  const letter = join(folder.name, 'letter.txt');
  copyFixture('node-tide-tables', root);
  writeFileSync(letter, LETTER);
  git(root, 'init', '--quiet', '--initial-branch=main');
  git(root, 'add', '--all');
  git(root, '-c', 'user.name=Demo', '-c', 'user.email=demo@example.invalid', 'commit', '--quiet', '--message=Start');
  return {
    root,
    stateHome: join(folder.name, 'state'),
    digests: () => new Map([letter, ...filesBelow(root)].map((path) => [path, digestOf(path)])),
    gitStatus: () => git(root, 'status', '--porcelain').split('\n').filter(Boolean),
    remove: folder.removeCallback,
  };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === '.git') return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

function git(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env['PATH'], HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
  return execFileSync('git', args, { cwd, env, encoding: 'utf8' });
}
