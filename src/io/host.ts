/** Gathers everything the use-cases may do to the outside world into one value; a test replaces single functions of it. */
import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ok, type Result } from '../model/result.ts';
import { readAllowlist, readAllowlists } from './allowlists.ts';
import { openChanges, type ChangeStore } from './change-store.ts';
import { createCaptures } from './capture.ts';
import { changedPaths } from './changed-paths.ts';
import { openDirectory, type DirectoryHandle } from './directory-handle.ts';
import { diskFailure } from './disk-error.ts';
import { dependencyPrint } from './dependency-print.ts';
import { buildEnvironment, pathOf } from './environment.ts';
import { excludeBackups } from './exclude-file.ts';
import { findProgram } from './find-program.ts';
import { blobId, createGit } from './git.ts';
import { createCommitter, openScratch, type Committer, type Scratch } from './git-commit.ts';
import { headOfRoot } from './git-head.ts';
import { openHistory, type HistoryStore } from './history-store.ts';
import { openJournal } from './journal.ts';
import { createLocks, type Locks } from './lock.ts';
import { lookAtFiles } from './look-at-files.ts';
import { openOutputs, type Outputs } from './outputs.ts';
import { pathState } from './path-state.ts';
import { unsettledWrites } from './pending-roots.ts';
import { listProjectFolder, readProjectFile } from './project-files.ts';
import { recover } from './recover.ts';
import { openBaselines, type BaselineStore } from './baseline-store.ts';
import { readExamination } from './examination-file.ts';
import { makeRunFolder, readLastLine, readRunFiles, writeOnly, writeRequest } from './run-files.ts';
import { createRunner } from './runner.ts';
import { createShadows } from './shadow/shadows.ts';
import { openRootFolder, openStateFolder, type StateFolder } from './state-folder.ts';
import { changedAfter, changedSince, treeDigest } from './tree-digest.ts';
import { readSavedFile, realSavedPath } from './saved-file.ts';
import { readTarget, sha256 } from './target-file.ts';
import { openVerifications, type VerificationStore } from './verification-store.ts';
import { watchTree } from './watcher.ts';
import { followLinks, isInGitFolder, isNothingAt, outsideRoot, realFolder, type RealFolder } from './worktree.ts';
import { beginWrite } from './write-transaction.ts';

export interface HostSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where relative paths of a caller start. */
  readonly workingFolder: string;
  /** Folder that holds, or will hold, Surepatch's state folder. */
  readonly stateHome: string;
  /** Folder of the files that Surepatch brings for the languages' runtimes. */
  readonly runtimeFolder: string;
  /** Names of variables that the operator lets through to test commands. */
  readonly extraEnvironment: readonly string[];
}

interface State {
  readonly folder: StateFolder;
  readonly locks: Locks;
  readonly outputs: Outputs;
}

export type Host = ReturnType<typeof createHost>;

/** Makes the host of one process. Touches nothing until a function of it is called. */
export function createHost(settings: HostSettings) {
  const runner = createRunner();
  const path = pathOf(settings.env, process.platform === 'win32');
  const findGit = (root: string) => findProgram('git', { root, path, pathOnly: true });
  let opened: State | undefined;
  const state = (): Result<State> => {
    if (opened === undefined) {
      const folder = openStateFolder(settings.stateHome);
      if (!folder.ok) return folder;
      const { path: stateFolder } = folder.value;
      opened = { folder: folder.value, locks: createLocks({ stateFolder }), outputs: openOutputs(stateFolder) };
    }
    return ok(opened);
  };
  const captureState = createCaptures();
  const digestSettings = (root: string) => {
    const known = state();
    const program = findGit(root);
    return {
      gitProgram: program.ok ? program.value.path : null,
      env: settings.env,
      base: known.ok ? join(known.value.folder.path, 'shadows') : tmpdir(),
    };
  };
  return {
    settings,
    realFolder,
    followLinks,
    isInGitFolder,
    isNothingAt,
    outsideRoot,
    openDirectory,
    readTarget,
    readSavedFile,
    realSavedPath,
    readProjectFile,
    listProjectFolder,
    sha256,
    changedPaths,
    excludeBackups,
    openRootFolder,
    openJournal,
    recover,
    beginWrite,
    state,
    unsettledWrites,
    readAllowlists,
    readAllowlist,
    diskFailure,
    runner,
    makeRunFolder,
    readRunFiles,
    readLastLine,
    writeRequest,
    writeOnly,
    readExamination,
    /** Folder of the files that Surepatch brings for the languages' runtimes. */
    runtimeFolder: settings.runtimeFolder,
    /** The program that runs Surepatch itself, for its own examiners. */
    nodeProgram: process.execPath,
    shadows: createShadows(() => {
      const opened = state();
      return opened.ok ? opened.value.folder.path : null;
    }),
    findGit,
    git: (root: string) => {
      const program = findGit(root);
      return createGit({ gitProgram: program.ok ? program.value.path : null, env: settings.env });
    },
    /** What commits in the repository of a root, as its user would. */
    committer: (root: string): Result<Committer> => {
      const program = findGit(root);
      if (!program.ok) return program;
      const gitProgram = program.value.path;
      return ok(
        createCommitter({
          gitProgram,
          env: settings.env,
          run: (...call) => runner.run(...call),
          now: () => Date.now(),
        }),
      );
    },
    /** A folder for one commit, in the state folder of its root. */
    openScratch: (root: RealFolder): Result<Scratch> => {
      const known = state();
      if (!known.ok) return known;
      const folder = openRootFolder(known.value.folder, root);
      return folder.ok ? ok(openScratch(folder.value)) : folder;
    },
    changedSince,
    changedAfter,
    dependencyPrint,
    /** What the tree below a root is now, by what the file system says of its files. */
    treeDigest: (root: string) => treeDigest(root, digestSettings(root)),
    /** The files of a root, and what git says of them. */
    lookAtFiles: (root: string) => lookAtFiles(root, digestSettings(root)),
    /** The same by content, with paths that were declared although they are ignored. */
    captureState: (root: string, declared: readonly string[]) => captureState(root, declared, digestSettings(root)),
    pathState,
    watchTree,
    /** Whose rules for names hold here. */
    pathHost: process.platform === 'win32' ? ('windows' as const) : ('posix' as const),
    findProgram: (name: string, root: string, operatorNamed: boolean) =>
      findProgram(name, { root, path, pathExtensions: settings.env['PATHEXT'], operatorNamed }),
    buildEnvironment,
    /** Free bytes for this user on the file system of an open folder. */
    freeBytes: (folder: DirectoryHandle): bigint => {
      const { bavail, bsize } = statfsSync(folder.at('.'), { bigint: true });
      return bavail * bsize;
    },
    /** The verifications of a root that may still be written. */
    openVerificationStore: (root: RealFolder): Result<VerificationStore> => {
      const known = state();
      if (!known.ok) return known;
      const folder = openRootFolder(known.value.folder, root);
      return folder.ok ? ok(openVerifications(folder.value, known.value.folder.key)) : folder;
    },
    /** Earlier runs of the suite of a root without any change. */
    openBaselineStore: (root: RealFolder): Result<BaselineStore> => {
      const known = state();
      if (!known.ok) return known;
      const folder = openRootFolder(known.value.folder, root);
      return folder.ok ? ok(openBaselines(folder.value, known.value.folder.key)) : folder;
    },
    /** What is remembered of a root; appended to under its own lock. */
    openHistory: (root: RealFolder): Result<HistoryStore> => {
      const known = state();
      if (!known.ok) return known;
      const folder = openRootFolder(known.value.folder, root);
      return folder.ok ? ok(openHistory(folder.value, known.value.folder.key)) : folder;
    },
    /** The patch texts of the writes of a root. */
    openChanges: (root: RealFolder): Result<ChangeStore> => {
      const known = state();
      if (!known.ok) return known;
      const folder = openRootFolder(known.value.folder, root);
      return folder.ok ? ok(openChanges(folder.value)) : folder;
    },
    blobId,
    /** What HEAD holds below a root. */
    headOfRoot: (root: string, isWanted: (folder: string) => boolean) => {
      const { gitProgram } = digestSettings(root);
      return headOfRoot(root, isWanted, { gitProgram, env: settings.env });
    },
    /** Milliseconds since 1970. */
    now: () => Date.now(),
    /** 128 random bits, hexadecimal. */
    newId: () => randomBytes(16).toString('hex'),
  };
}
