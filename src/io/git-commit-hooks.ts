/**
 * Stands between git and the user's hooks for one commit: runs each of them as git would, notes how it ended, and refuses
 * the commit where it would not hold exactly what was asked for. Must never leave a hook of the user's out.
 */
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { CommitGround } from './git-commit-ground.ts';

export interface HookFolder {
  readonly path: string;
  /** Settings that lead git through what is in the folder. */
  readonly settings: readonly string[];
  /** What became of the hooks so far. */
  readonly read: () => HookLog;
}

export interface HookLog {
  /** Hooks of the user's, in the order in which they began. */
  readonly ran: readonly { readonly name: string; readonly status: number | null }[];
  /** Whether git came as far as its hooks. */
  readonly began: boolean;
  /** Whether the commit was let through, so that what failed then is the signer or the repository. */
  readonly passed: boolean;
  /** Before any hook: the files were no longer those that were looked at. */
  readonly moved: boolean;
  /** What the signer said; git keeps it to itself. */
  readonly signer: string;
  /** Where the hooks changed something for which the commit was refused: `index`, `worktree`; empty where it was not. */
  readonly rewritten: readonly string[];
}

export interface HookOrder {
  /** The tree that the commit must have. */
  readonly tree: string;
  readonly gitProgram: string;
  /** File with the named paths, each ended by a NUL. */
  readonly pathsFile: string;
  readonly allowChanges: boolean;
}

/** Ours come first in the one and last in the other, so they are there whether or not the user has such a hook. */
const FIRST = 'pre-commit';
const LAST = 'commit-msg';

/** Makes the folder that `core.hooksPath` is to name. Refuses `STATE_UNAVAILABLE` where git would not run what is in it. */
export function makeHookFolder(scratch: string, ground: CommitGround, order: HookOrder): Result<HookFolder> {
  const path = join(scratch, 'hooks');
  const log = join(scratch, 'hooks.log');
  const signerLog = join(scratch, 'signer.log');
  mkdirSync(path, { mode: 0o700 });
  writeFileSync(log, '', { mode: 0o600 });
  for (const name of new Set([FIRST, LAST, ...usersHooks(ground)])) {
    const script = scriptOf(name, `${ground.hooksFolder}/${name}`, log, order);
    writeFileSync(join(path, name), script, { flag: 'wx', mode: 0o700 });
    if (!isRunnable(join(path, name))) {
      const message = 'Programs in the state folder may not be run (noexec), so git would leave out the hooks.';
      return fail(failure('STATE_UNAVAILABLE', message));
    }
  }
  const settings = [`core.hooksPath=${path}`];
  // ssh-keygen's words are shown by git, and it is told apart by its name.
  if (ground.signer !== null && ground.signer.format !== 'ssh') {
    const wrapper = join(scratch, 'signer');
    writeFileSync(signerLog, '', { mode: 0o600 });
    writeFileSync(wrapper, signerScript(ground.signer.program, signerLog), { flag: 'wx', mode: 0o700 });
    settings.push(`gpg.${ground.signer.format}.program=${wrapper}`);
  }
  return ok({
    path,
    settings,
    read: () => ({
      ...readLog(readFileSync(log, 'utf8')),
      signer: existsSync(signerLog) ? readFileSync(signerLog, 'utf8') : '',
    }),
  });
}

/** Names of the hooks that git would run; it leaves out what is not executable, and says so itself. */
function usersHooks({ worktree, hooksFolder }: CommitGround): readonly string[] {
  const folder = resolve(worktree, hooksFolder);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => /^[a-z-]+$/u.test(name) && isRunnable(join(folder, name)));
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// Settings of the call reach hooks through this variable, and a hook may ask git where hooks are.
const FORGET_OUR_SETTINGS = 'unset GIT_CONFIG_PARAMETERS';

function scriptOf(name: string, hook: string, log: string, order: HookOrder): string {
  const note = (words: string): string => `printf '${words}\\n' >> ${quoted(log)}`;
  const refuse = (word: string): string => `{ ${note(word)}; exit 1; }`;
  const git = quoted(order.gitProgram);
  const sameTree = `[ "$(${git} write-tree)" = ${quoted(order.tree)} ]`;
  const changed = `GIT_OPTIONAL_LOCKS=0 xargs -0 ${git} --literal-pathspecs diff --quiet --no-ext-diff --no-textconv --`;
  return [
    '#!/bin/sh',
    FORGET_OUR_SETTINGS,
    ...(name === FIRST ? [note('began'), `${sameTree} || ${refuse('moved')}`] : []),
    `if [ -x ${quoted(hook)} ]; then`,
    `  ${note(`begin ${name}`)}`,
    `  ${quoted(hook)} "$@"`,
    '  status=$?',
    `  printf 'end ${name} %s\\n' "$status" >> ${quoted(log)}`,
    '  [ "$status" -eq 0 ] || exit "$status"',
    'fi',
    ...(name === LAST && !order.allowChanges
      ? [
          `${sameTree} || ${refuse('rewritten index')}`,
          `${changed} < ${quoted(order.pathsFile)} || ${refuse('rewritten worktree')}`,
        ]
      : []),
    ...(name === LAST ? [note('passed')] : []),
    'exit 0',
    '',
  ].join('\n');
}

/** Runs the user's signer with its status on stderr, as git wants it, and keeps a copy of that. */
function signerScript(program: string, log: string): string {
  const copy = quoted(log);
  return `#!/bin/sh\n${FORGET_OUR_SETTINGS}\n${quoted(program)} "$@" 2> ${copy}\nstatus=$?\ncat ${copy} >&2\nexit "$status"\n`;
}

/** One word of a shell, whatever it holds. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function readLog(text: string): Omit<HookLog, 'signer'> {
  const lines = text.split('\n').map((line) => line.split(' '));
  const named = (word: string) => lines.filter(([first]) => first === word);
  const statuses = new Map(named('end').map(([, name = '', status]) => [name, Number(status)]));
  return {
    ran: named('begin').map(([, name = '']) => ({ name, status: statuses.get(name) ?? null })),
    began: named('began').length > 0,
    passed: named('passed').length > 0,
    moved: named('moved').length > 0,
    rewritten: named('rewritten').map(([, where = '']) => where),
  };
}
