/**
 * Lists the files of a worktree as git sees them, tracked and untracked but not ignored, without anything that the
 * repository says: git gets a folder of our own with a copied index, no configuration, no hooks and no filters. Changes
 * nothing. See docs/decisions/0004.
 */
import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { errnoOf } from './disk-error.ts';
import { nearRepository } from './near-repository.ts';
import { captureOutput } from './process.ts';

export interface ListedFile {
  /** Relative to the root; each byte of the name a character, for names need not be UTF-8. */
  readonly latin1: string;
  readonly isTracked: boolean;
}

const ENVIRONMENT = {
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
} as const;
const LIMIT_MS = 30_000;
const MOST_BYTES = 256 * 1024 * 1024;

/** Lists what is below `root`; null where no repository is near or git cannot make anything of it. `scratch` is empty and ours. */
export async function listWorktree(
  root: string,
  { gitProgram, scratch }: { readonly gitProgram: string; readonly scratch: string },
): Promise<readonly ListedFile[] | null> {
  const worktree = nearRepository(root);
  if (worktree === null) return null;
  const folders = gitFolders(worktree);
  if (folders === null || !makePrivate(scratch, folders)) return null;
  const env = privateEnvironment({ gitProgram, scratch, worktree, folders });
  const command = ['ls-files', '-z', '-t', '--cached', '--others', '--exclude-standard'];
  const { succeeded, stdout } = await captureOutput([gitProgram, '-C', root, ...PRIVATE_SETTINGS, ...command], {
    env,
    timeoutMs: LIMIT_MS,
    most: MOST_BYTES,
    encoding: 'latin1',
  });
  if (!succeeded) return null;
  // A letter that tells how git knows the file, a blank, the name.
  const lines = stdout.split('\0').filter((line) => line !== '');
  return lines.map((line) => ({ latin1: line.slice(2), isTracked: !line.startsWith('?') }));
}

/** The settings of every command in a private folder. */
export const PRIVATE_SETTINGS = ['-c', 'core.fsmonitor=', '-c', 'core.untrackedCache=false'] as const;

/** Sends git to a private folder, with the files and the objects of somebody's worktree. */
export function privateEnvironment({
  gitProgram,
  scratch,
  worktree,
  folders,
}: {
  readonly gitProgram: string;
  readonly scratch: string;
  readonly worktree: string;
  readonly folders: GitFolders;
}): Readonly<Record<string, string>> {
  return {
    ...ENVIRONMENT,
    PATH: dirname(gitProgram),
    GIT_DIR: scratch,
    GIT_WORK_TREE: worktree,
    GIT_OBJECT_DIRECTORY: join(folders.common, 'objects'),
    GIT_INDEX_FILE: join(scratch, 'index'),
  };
}

export interface GitFolders {
  /** Of this worktree: HEAD and index. */
  readonly own: string;
  /** Of all worktrees of the repository: objects and configuration. */
  readonly common: string;
}

/** Where git keeps what belongs to this worktree; null where there is no repository. */
export function gitFolders(worktree: string): GitFolders | null {
  const entry = join(worktree, '.git');
  if (lstatSync(entry).isDirectory()) return { own: entry, common: entry };
  const named = /^gitdir: (.+)$/mu.exec(textOf(entry))?.[1];
  const own = named === undefined ? entry : resolve(worktree, named.trim());
  const common = textOf(join(own, 'commondir')).trim();
  return existsSync(join(own, 'HEAD')) ? { own, common: common === '' ? own : resolve(own, common) } : null;
}

/** Makes `scratch` a folder of git that holds an index and what is ignored, and points to nothing else but a commit as HEAD. */
export function makePrivate(scratch: string, { own, common }: GitFolders, head: string | null = null): boolean {
  const isSha256 = /^\s*objectformat\s*=\s*sha256\s*$/imu.test(textOf(join(common, 'config')));
  const format = isSha256 ? '1\n[extensions]\n\tobjectFormat = sha256' : '0';
  mkdirSync(join(scratch, 'refs'));
  mkdirSync(join(scratch, 'info'));
  writeFileSync(join(scratch, 'config'), `[core]\n\trepositoryformatversion = ${format}\n`);
  writeFileSync(join(scratch, 'HEAD'), head === null ? 'ref: refs/heads/none\n' : `${head}\n`);
  try {
    for (const name of ['info/exclude', 'info/attributes']) {
      if (existsSync(join(common, name))) copyFileSync(join(common, name), join(scratch, name));
    }
    // A split index keeps most of itself in a second file.
    const names = readdirSync(own).filter((name) => name === 'index' || name.startsWith('sharedindex.'));
    for (const name of names) copyFileSync(join(own, name), join(scratch, name));
    return true;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return false;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return '';
  }
}
