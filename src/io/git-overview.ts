/**
 * What a person reads off `git status`, asked so that nothing the repository says is run: where it is and what HEAD is
 * from git as the user has it set up, the state of the files in a private folder of git, without its filters, hooks and
 * fsmonitor. Changes nothing. See docs/decisions/0004.
 */
import { statSync, utimesSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { isInside } from '../model/inside.ts';
import { MOST_CHANGED_SHOWN, type ChangedPath, type GitOverview } from '../model/overview.ts';
import { errnoOf } from './disk-error.ts';
import { operationIn } from './git-commit-ground.ts';
import { makePrivate, PRIVATE_SETTINGS, privateEnvironment, type GitFolders } from './git-listing.ts';
import { QUIET_SETTINGS, quietEnvironment } from './git-process.ts';
import { carriedSettings } from './git-settings.ts';
import { readStatus, type StatusEntry } from './git-status.ts';
import { nearRepository } from './near-repository.ts';
import { captureOutput, type CapturedRun } from './process.ts';
import { makeShadowFolder } from './shadow/shadow-folder.ts';
import { nameOf, type DigestSettings } from './tree-digest.ts';

export interface GitLook {
  readonly git: GitOverview;
  /** Names of the files that are tracked or untracked and not ignored, relative to the root. */
  readonly files: readonly string[];
  readonly notes: readonly string[];
}

/** What could not be asked, in a sentence; null where no repository is near. */
export type GitSilence = { readonly because: string } | null;

interface Ground {
  readonly worktree: string;
  readonly folders: GitFolders;
  readonly head: string | null;
  readonly branch: string | null;
}

type Ask = (args: readonly string[], timeoutMs?: number) => Promise<CapturedRun>;

const QUESTION_MS = 10_000;
const STATUS_MS = 120_000;
/** Counting commits is worth no more than this. */
const COUNTING_MS = 1_000;
const MOST_BYTES = 256 * 1024 * 1024;

/** Looks at the repository of a root, of which only what lies below the root is told. */
export async function lookAtGit(root: string, settings: DigestSettings): Promise<GitLook | GitSilence> {
  const { gitProgram, env, base } = settings;
  if (nearRepository(root) === null) return null;
  if (gitProgram === null) return { because: 'There is a repository, and git was not found.' };
  const quiet = quietEnvironment({ gitProgram, env });
  const ask: Ask = (args, timeoutMs = QUESTION_MS) =>
    captureOutput([gitProgram, '-C', root, ...QUIET_SETTINGS, ...args], { env: quiet, timeoutMs });
  const [ground, carried] = await Promise.all([findGround(root, ask), carriedSettings(ask, env)]);
  if ('because' in ground) return ground;
  const scratch = await makeShadowFolder(base);
  try {
    const { runFolder } = scratch;
    if (!makePrivate(runFolder, ground.folders, ground.head)) return { because: 'The index of git could not be read.' };
    keepIndexTime(ground.folders.own, runFolder);
    const settingsOf = [...PRIVATE_SETTINGS, ...carried.settings.flatMap((setting) => ['-c', setting])];
    const environment = privateEnvironment({ gitProgram, scratch: runFolder, ...ground });
    const askPrivately: Ask = (args, timeoutMs = STATUS_MS) =>
      captureOutput([gitProgram, '-C', root, ...settingsOf, ...args], {
        env: environment,
        timeoutMs,
        most: MOST_BYTES,
        encoding: 'latin1',
      });
    const [status, tracked, distance] = await Promise.all([
      askPrivately([...STATUS, '--', '.']),
      askPrivately(['ls-files', '-z', '--cached']),
      distanceOf(ground.branch, ask),
    ]);
    if (!status.succeeded || !tracked.succeeded) {
      const said = (status.succeeded ? tracked : status).stderr.trim().split('\n', 1)[0] ?? '';
      return {
        because: `git could not tell the state of the files: ${said.slice(0, 200) || 'it did not answer in time'}`,
      };
    }
    const below = relative(ground.worktree, root).split(sep).join('/');
    const entries = readStatus(status.stdout, Buffer.from(below === '' ? '' : `${below}/`).toString('latin1'));
    return {
      git: { ...stateOf(ground), ...distance, ...countsOf(entries) },
      files: filesOf(tracked.stdout, entries),
      notes: carried.filters.length === 0 ? [] : [noteOf(carried.filters)],
    };
  } finally {
    await scratch.dispose();
  }
}

// A submodule is looked at from outside: git inside it would follow its own settings.
const STATUS = [
  'status',
  '--porcelain=v2',
  '-z',
  '--untracked-files=all',
  '--no-renames',
  '--ignore-submodules=dirty',
] as const;

async function findGround(root: string, ask: Ask): Promise<Ground | { readonly because: string }> {
  const places = ['rev-parse', '--show-toplevel', '--absolute-git-dir', '--git-common-dir'];
  const found = await ask([...places, 'HEAD', '--symbolic-full-name', 'HEAD']);
  const [worktree, own, common, head, name] = found.stdout.split('\n');
  if (worktree === undefined || own === undefined || common === undefined) {
    return { because: `git does not work here: ${found.stderr.trim().split('\n', 1)[0]?.slice(0, 200) ?? ''}` };
  }
  if (!isInside(worktree, root))
    return { because: 'The worktree of this repository is not the folder around the root.' };
  const folders = { own, common: resolve(root, common) };
  if (found.succeeded && head !== undefined && name !== undefined) {
    return { worktree, folders, head, branch: branchOf(name) };
  }
  const unborn = await ask(['symbolic-ref', '-q', 'HEAD']);
  return { worktree, folders, head: null, branch: unborn.succeeded ? branchOf(unborn.stdout.trimEnd()) : null };
}

function branchOf(name: string): string | null {
  return name === 'HEAD' ? null : name.replace(/^refs\/heads\//u, '');
}

function stateOf({ folders, head, branch }: Ground) {
  return { branch, head, detached: branch === null, operation: operationIn(folders.own) };
}

/** git tells by the time of its index whether a file may have been written since within one tick of the clock. */
function keepIndexTime(own: string, scratch: string): void {
  try {
    const { atimeMs, mtimeMs } = statSync(join(own, 'index'));
    // A little earlier, for a copied time is cut off: git then reads more, and never less.
    utimesSync(join(scratch, 'index'), atimeMs / 1000, mtimeMs / 1000 - 0.001);
  } catch (error) {
    // Before the first `git add` there is no index.
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

async function distanceOf(
  branch: string | null,
  ask: Ask,
): Promise<Pick<GitOverview, 'upstream' | 'ahead' | 'behind'>> {
  if (branch === null) return { upstream: null, ahead: null, behind: null };
  const of = (format: string) => ask(['for-each-ref', `--format=${format}`, `refs/heads/${branch}`], COUNTING_MS);
  const [named, counted] = await Promise.all([of('%(upstream:short)'), of('%(upstream:track,nobracket)')]);
  const upstream = named.stdout.trim();
  if (upstream === '') return { upstream: null, ahead: null, behind: null };
  if (!counted.succeeded || counted.stdout.trim() === 'gone') return { upstream, ahead: null, behind: null };
  const figure = (word: string): number => Number(new RegExp(`${word} (\\d+)`, 'u').exec(counted.stdout)?.[1] ?? 0);
  return { upstream, ahead: figure('ahead'), behind: figure('behind') };
}

function countsOf(entries: readonly StatusEntry[]) {
  const count = (is: (status: string) => boolean): number => entries.filter(({ status }) => is(status)).length;
  const isUntracked = (status: string): boolean => status === '??';
  const unmerged = entries.filter(({ isUnmerged }) => isUnmerged).length;
  const merged = entries.filter(({ isUnmerged, status }) => !isUnmerged && !isUntracked(status));
  return {
    staged_count: merged.filter(({ status }) => status[0] !== '.').length,
    modified_count: merged.filter(({ status }) => status[1] !== '.').length,
    untracked_count: count(isUntracked),
    unmerged_count: unmerged,
    change_count: entries.length,
    changes: entries
      .slice(0, MOST_CHANGED_SHOWN)
      .map(({ latin1, status }): ChangedPath => ({ path: nameOf(latin1), status })),
  };
}

function filesOf(tracked: string, entries: readonly StatusEntry[]): readonly string[] {
  const gone = new Set(entries.filter(({ status }) => status.endsWith('D')).map(({ latin1 }) => latin1));
  const untracked = entries.filter(({ status }) => status === '??').map(({ latin1 }) => latin1);
  // An unmerged file is listed once a side.
  const names = new Set(tracked.split('\0').filter((name) => name !== '' && !gone.has(name)));
  return [...names, ...untracked].map(nameOf);
}

function noteOf(filters: readonly string[]): string {
  return (
    `Filters of git are not run for this answer (${filters.join(', ')}): ` +
    'a file that only its filter makes equal may be counted as modified.'
  );
}
