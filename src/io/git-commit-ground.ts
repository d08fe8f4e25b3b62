/**
 * What has to be known of a repository before anything is committed in it: where it is, what HEAD is, what is under way.
 * Asks git only, in the user's own environment, because the commit that follows is the user's own too. Changes nothing.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { failure } from '../model/failure.ts';
import { isInside } from '../model/inside.ts';
import { textIfThere } from './kept-files.ts';
import { realFolder } from './worktree.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { nearRepository } from './near-repository.ts';
import { captureOutput, type CapturedRun } from './process.ts';

/** Runs one git command in a folder, with variables laid over the environment, and returns what it printed. */
export type AskGit = (
  folder: string,
  args: readonly string[],
  variables?: Readonly<Record<string, string>>,
) => Promise<CapturedRun>;

export interface Signer {
  readonly format: 'openpgp' | 'x509' | 'ssh';
  /** As the user names it. */
  readonly program: string;
}

export interface CommitGround {
  /** Real path of the worktree, which may be above the root. */
  readonly worktree: string;
  /** The folder of git of this worktree. */
  readonly gitFolder: string;
  /** From the worktree to the root, with a `/` at the end; empty where they are the same. */
  readonly prefix: string;
  /** Where git looks for hooks, as a path from the worktree. */
  readonly hooksFolder: string;
  /** Commit that HEAD is; null on a branch without one. */
  readonly head: string | null;
  /** Name without `refs/heads/`; null for a detached HEAD. */
  readonly branch: string | null;
  /** What waits to be continued or given up, in git's words for it; null where nothing does. */
  readonly operation: string | null;
  readonly unmerged: readonly string[];
  /** The worktree that this one is a submodule of; null for any other. */
  readonly superproject: string | null;
  /** What signs every commit; null where nothing does. */
  readonly signer: Signer | null;
}

// A filter or a signer may take long; a question never does.
const QUESTION_MS = 60_000;
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

/** What sends git to another repository, index or set of objects (`git rev-parse --local-env-vars`), or changes what a path means. */
const MOVES_GIT =
  /^GIT_(ALTERNATE_OBJECT_DIRECTORIES|CONFIG|CONFIG_PARAMETERS|OBJECT_DIRECTORY|DIR|WORK_TREE|IMPLICIT_WORK_TREE|GRAFT_FILE|INDEX_FILE|NO_REPLACE_OBJECTS|REPLACE_REF_BASE|PREFIX|SHALLOW_FILE|COMMON_DIR|NAMESPACE|(LITERAL|GLOB|NOGLOB|ICASE)_PATHSPECS)$/u;

/** Takes from the user's environment what would make git work somewhere else; the rest is theirs, and hooks and signers need it. */
export function commitEnvironment(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !MOVES_GIT.test(name)) kept[name] = value;
  }
  return { ...kept, GIT_TERMINAL_PROMPT: '0' };
}

/** Binds a git program and an environment. The line feed that ends an answer is left out. */
export function gitAsker(gitProgram: string, env: Readonly<Record<string, string>>): AskGit {
  return async (folder, args, variables = {}) => {
    const run = await captureOutput([gitProgram, '-C', folder, ...args], {
      env: { ...env, GIT_OPTIONAL_LOCKS: '0', ...variables },
      timeoutMs: QUESTION_MS,
      most: MOST_ANSWER_BYTES,
    });
    return { ...run, stdout: run.stdout.replace(/\n$/u, '') };
  };
}

const OPERATIONS = [
  ['MERGE_HEAD', 'a merge'],
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase or git am'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['sequencer', 'a cherry-pick or revert of several commits'],
  ['BISECT_LOG', 'a bisect'],
] as const;

/** What waits to be continued or given up in a worktree, by its folder of git; null where nothing does. */
export function operationIn(gitFolder: string): string | null {
  return OPERATIONS.find(([name]) => existsSync(join(gitFolder, name)))?.[1] ?? null;
}

/** Looks at the repository of a root. Refuses `NOT_A_REPOSITORY`, and `COMMIT_REFUSED` in git's own words. */
export async function findGround(root: string, ask: AskGit): Promise<Result<CommitGround>> {
  if (nearRepository(root) === null) {
    return fail(failure('NOT_A_REPOSITORY', 'The root is in no git repository.'));
  }
  const found = await ask(root, ['rev-parse', '--show-toplevel', '--absolute-git-dir']);
  const [worktree, gitFolder, rest] = found.stdout.split('\n');
  if (!found.succeeded || worktree === undefined || gitFolder === undefined) {
    return fail(failure('NOT_A_REPOSITORY', `git does not work here: ${wordsOf(found)}`));
  }
  if (rest !== undefined || !isInside(worktree, root)) {
    return fail(failure('NOT_A_REPOSITORY', 'The worktree of this repository is not the folder around the root.'));
  }
  if (!(await isAtHome(worktree, gitFolder, ask))) {
    const message = `${join(worktree, '.git')} leads to ${gitFolder}, which knows nothing of this worktree.`;
    const hint = `If it belongs there, say so with \`git --git-dir=${gitFolder} config core.worktree ${worktree}\`.`;
    return fail(failure('NOT_A_REPOSITORY', message, { hint }));
  }
  const [hooks, above, symbolic, head, unmerged, signer] = await Promise.all([
    ask(worktree, ['rev-parse', '--git-path', 'hooks']),
    ask(worktree, ['rev-parse', '--show-superproject-working-tree']),
    ask(worktree, ['symbolic-ref', '-q', 'HEAD']),
    ask(worktree, ['rev-parse', '-q', '--verify', 'HEAD^{commit}']),
    ask(worktree, ['ls-files', '--unmerged', '-z']),
    findSigner(worktree, ask),
  ]);
  for (const needed of [hooks, unmerged]) if (!needed.succeeded) return fail(refusedBy(needed));
  const below = relative(worktree, root).split(sep).join('/');
  return ok({
    worktree,
    gitFolder,
    prefix: below === '' ? '' : `${below}/`,
    hooksFolder: hooks.stdout,
    head: head.succeeded ? head.stdout : null,
    branch: symbolic.succeeded ? symbolic.stdout.replace(/^refs\/heads\//u, '') : null,
    operation: operationIn(gitFolder),
    unmerged: [...new Set(unmerged.stdout.split('\0').flatMap((line) => line.split('\t').slice(1).join('\t') || []))],
    superproject: above.stdout === '' ? null : above.stdout,
    signer,
  });
}

/**
 * A `.git` that is a file can name any repository of the machine, so the folder that it leads to has to name the worktree
 * back: a linked worktree does by its `gitdir`, a submodule by `core.worktree`.
 */
async function isAtHome(worktree: string, gitFolder: string, ask: AskGit): Promise<boolean> {
  if (isInside(worktree, gitFolder)) return true;
  const back = textIfThere(join(gitFolder, 'gitdir'))?.trim() ?? '';
  if (back !== '' && realFolder(dirname(back))?.path === realFolder(worktree)?.path) return true;
  const named = await ask(worktree, ['config', '--local', 'core.worktree']);
  return named.succeeded && named.stdout !== '';
}

const SIGNERS = { openpgp: 'gpg', x509: 'gpgsm', ssh: 'ssh-keygen' } as const;

async function findSigner(worktree: string, ask: AskGit): Promise<Signer | null> {
  const signs = await ask(worktree, ['config', '--type=bool', 'commit.gpgSign']);
  if (signs.stdout !== 'true') return null;
  const named = await ask(worktree, ['config', 'gpg.format']);
  const format = named.stdout === 'ssh' || named.stdout === 'x509' ? named.stdout : 'openpgp';
  // For OpenPGP the setting has an older name as well; as everywhere, the last one counts.
  const names = format === 'openpgp' ? '^gpg\\.(openpgp\\.)?program$' : `^gpg\\.${format}\\.program$`;
  const programs = await ask(worktree, ['config', '-z', '--get-regexp', names]);
  const last = programs.stdout.split('\0').at(-2);
  return { format, program: last?.slice(last.indexOf('\n') + 1) ?? SIGNERS[format] };
}

/** What git said, without the part that only advises. */
function wordsOf({ stderr, stdout }: CapturedRun): string {
  const said = stderr.trim() === '' ? stdout.trim() : stderr.trim();
  const lines = said.split('\n').filter((line) => !line.startsWith('hint:'));
  return lines.join('\n').slice(0, 2000) || 'git said nothing';
}

/** The failure for a question that git would not answer. */
export function refusedBy(run: CapturedRun) {
  return failure('COMMIT_REFUSED', `git refused: ${wordsOf(run)}`);
}
