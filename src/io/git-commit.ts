/** Everything of git that a commit of named files needs, gathered for the use-case, which decides about the order. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommittedFile } from '../model/commit-facts.ts';
import type { Result } from '../model/result.ts';
import type { RunOutcome, RunRequest } from '../model/run.ts';
import { digestOnDisk, lookAtFiles, type FileToCommit } from './git-commit-files.ts';
import { commitEnvironment, findGround, gitAsker, type CommitGround } from './git-commit-ground.ts';
import { makeHookFolder, type HookFolder, type HookOrder } from './git-commit-hooks.ts';
import { intendToAdd, runCommit, takeBackIntent, waitForIndex, type CommitRun } from './git-commit-run.ts';
import { changesSince, isCommittedSince, readHead, treeToCommit, type CommitRead } from './git-commit-tree.ts';

export type { CommitGround, CommitRead, FileToCommit };

export interface Scratch {
  readonly path: string;
  /** Writes a file of the commit and returns its path. */
  readonly write: (name: string, content: string) => string;
  readonly dispose: () => void;
}

export type Committer = ReturnType<typeof createCommitter>;

export interface CommitterOptions {
  readonly gitProgram: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly run: (request: RunRequest) => Promise<RunOutcome>;
  readonly now: () => number;
}

/** Binds git as the user has it. */
export function createCommitter({ gitProgram, env, run, now }: CommitterOptions) {
  const environment = commitEnvironment(env);
  const ask = gitAsker(gitProgram, environment);
  return {
    findGround: (root: string): Promise<Result<CommitGround>> => findGround(root, ask),
    lookAtFiles: (ground: CommitGround, paths: readonly string[]) => lookAtFiles(ground, paths, ask),
    digestOnDisk: ({ worktree }: CommitGround, path: string) => digestOnDisk(join(worktree, path)),
    treeToCommit: (ground: CommitGround, paths: readonly string[], { path }: Scratch) =>
      treeToCommit(ground, paths, path, ask),
    changesSince: (ground: CommitGround, tree: string): Promise<Result<readonly CommittedFile[]>> =>
      changesSince(ground, tree, ask),
    isCommittedSince: (ground: CommitGround, path: string, atMs: number) => isCommittedSince(ground, path, atMs, ask),
    readHead: (ground: CommitGround) => readHead(ground, ask),
    /** Null when git knows who commits, else what it says. */
    missingIdentity: async ({ worktree }: CommitGround): Promise<string | null> => {
      for (const name of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
        const asked = await ask(worktree, ['var', name]);
        if (!asked.succeeded) return asked.stderr.trim();
      }
      return null;
    },
    waitForIndex: (ground: CommitGround) => waitForIndex(ground, now),
    intendToAdd: (ground: CommitGround, paths: readonly string[]) => intendToAdd(ground, paths, ask, now),
    takeBackIntent: (ground: CommitGround, paths: readonly string[]) => takeBackIntent(ground, paths, ask, now),
    makeHookFolder: (
      { path }: Scratch,
      ground: CommitGround,
      order: Omit<HookOrder, 'gitProgram'>,
    ): Result<HookFolder> => makeHookFolder(path, ground, { ...order, gitProgram }),
    runCommit: (ground: CommitGround, order: Omit<CommitRun, 'gitProgram' | 'env'>) =>
      runCommit(ground, { ...order, gitProgram, env: environment }, run, now),
  };
}

/** Long enough for a git that outlived us, which still needs its hooks. */
const ABANDONED_MS = 24 * 3600 * 1000;

/** A folder for one commit below the root's own; whoever opens it disposes of it. */
export function openScratch(rootFolder: string): Scratch {
  const parent = join(rootFolder, 'commits');
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(parent)) {
    const left = join(parent, name);
    const { mtimeMs = Infinity } = statSync(left, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > ABANDONED_MS) rmSync(left, { recursive: true, force: true });
  }
  const path = mkdtempSync(join(parent, 'commit-'));
  return {
    path,
    write: (name, content) => {
      writeFileSync(join(path, name), content, { flag: 'wx', mode: 0o600 });
      return join(path, name);
    },
    dispose: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}
