/** Every way known to us in which a repository or an environment makes git run something; none may fire. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGit } from '../../src/io/git.ts';
import { lookAtFiles } from '../../src/io/look-at-files.ts';
import { treeDigest } from '../../src/io/tree-digest.ts';
import { GIT_PROGRAM, gitRepo, temporaryFolder } from '../support/git-repo.ts';
import type { GitRepo } from '../support/git-repo.ts';
import { recordOf } from '../support/hostile-ground.ts';

const HELLO_ID = 'ce013625030ba8dba906f756967f9e9ca394464a';
const HOOKS = [
  'post-index-change',
  'pre-commit',
  'post-checkout',
  'reference-transaction',
  'fsmonitor-watchman',
  'pre-auto-gc',
];

let folder: ReturnType<typeof temporaryFolder>;
let markers: string;
let repo: GitRepo;

/** Writes a program that leaves a marker named after it; a filter then passes its input on. */
function trap(name: string, at = join(folder.path, 'traps', name)): string {
  mkdirSync(join(at, '..'), { recursive: true });
  writeFileSync(at, `#!/bin/sh\n: > '${join(markers, name)}'\n${/clean|smudge/.test(name) ? 'cat' : 'exit 0'}\n`);
  chmodSync(at, 0o755);
  return at;
}

function fired(): string[] {
  return readdirSync(markers).sort();
}

beforeEach(() => {
  folder = temporaryFolder();
  markers = join(folder.path, 'markers');
  mkdirSync(markers);
  repo = gitRepo(join(folder.path, 'project'));
  repo.file('.gitattributes', '* filter=trap diff=trap merge=trap\n');
  repo.file('hello.txt', 'hello\n');
  repo.file('lost.txt', 'lost\n');
  repo.commit();
  setTraps();
});
afterEach(() => {
  vi.unstubAllEnvs();
  folder.dispose();
});

function setTraps(): void {
  const settings: Record<string, string> = {
    'core.sshCommand': trap('sshCommand'),
    'core.pager': trap('pager'),
    'pager.cat-file': trap('pager-cat-file'),
    'core.editor': trap('editor'),
    'core.askPass': trap('askPass'),
    'core.gitProxy': trap('gitProxy'),
    'core.alternateRefsCommand': trap('alternateRefs'),
    'diff.external': trap('diff-external'),
    'diff.trap.textconv': trap('textconv'),
    'diff.trap.command': trap('diff-command'),
    'filter.trap.clean': trap('clean'),
    'filter.trap.smudge': trap('smudge'),
    'merge.trap.driver': trap('merge'),
    'gpg.program': trap('gpg'),
    'credential.helper': trap('credential'),
    'alias.cat-file': `!${trap('alias')}`,
    'alias.blob': `!${trap('alias-blob')}`,
    'uploadpack.packObjectsHook': trap('packObjects'),
    'remote.origin.url': 'ssh://git@example.invalid/nothing.git',
    'remote.origin.promisor': 'true',
    'remote.origin.partialclonefilter': 'blob:none',
    'remote.origin.uploadpack': trap('uploadpack'),
    'extensions.partialClone': 'origin',
    'core.repositoryformatversion': '1',
  };
  for (const [key, value] of Object.entries(settings)) repo.git('config', key, value);
  const hooks = join(folder.path, 'hooks');
  for (const hook of HOOKS) {
    trap(`hook-${hook}`, join(hooks, hook));
    trap(`own-hook-${hook}`, join(repo.path, '.git/hooks', hook));
  }
  repo.git('config', 'core.hooksPath', hooks);
  repo.git('update-index', '--fsmonitor');
  // Last, for git itself would fire it: the index now carries the extension that makes every reader ask the hook.
  const included = join(repo.path, 'included.config');
  writeFileSync(included, `[core]\n\tfsmonitor = ${trap('fsmonitor')}\n`);
  writeFileSync(
    join(repo.path, '.git/config'),
    `${readFileSync(join(repo.path, '.git/config'), 'utf8')}[include]\n\tpath = ../included.config\n`,
  );
  unlinkSync(join(repo.path, '.git/objects', lostId().slice(0, 2), lostId().slice(2)));
  for (const marker of fired()) rmSync(join(markers, marker));
}

function lostId(): string {
  return 'a50bcb6003fee24cd0dcb7d7da23c9150cd95457';
}

function environmentTraps(): Record<string, string> {
  const decoy = gitRepo(join(folder.path, 'decoy'));
  decoy.file('hello.txt', 'hello\n');
  decoy.commit();
  return {
    GIT_DIR: join(decoy.path, '.git'),
    GIT_WORK_TREE: decoy.path,
    GIT_INDEX_FILE: join(decoy.path, '.git/index'),
    GIT_OBJECT_DIRECTORY: join(decoy.path, '.git/objects'),
    GIT_COMMON_DIR: join(decoy.path, '.git'),
    GIT_CEILING_DIRECTORIES: folder.path,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.fsmonitor',
    GIT_CONFIG_VALUE_0: trap('env-fsmonitor'),
    GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${trap('env-parameters')}'`,
    GIT_EXTERNAL_DIFF: trap('env-external-diff'),
    GIT_SSH_COMMAND: trap('env-ssh'),
    GIT_PAGER: trap('env-pager'),
    GIT_ASKPASS: trap('env-askpass'),
    GIT_EXEC_PATH: join(trap('env-exec/git-cat-file', join(folder.path, 'exec/git-cat-file')), '..'),
    GIT_TRACE: join(markers, 'env-trace'),
    GIT_TRACE2: join(markers, 'env-trace2'),
    PAGER: trap('env-plain-pager'),
    EDITOR: trap('env-editor'),
    SSH_ASKPASS: trap('env-ssh-askpass'),
    LD_PRELOAD: join(folder.path, 'nothing.so'),
  };
}

describe.skipIf(process.platform === 'win32')('a repository full of traps', () => {
  it('fires none of them, whatever the file and the environment', async () => {
    trap('repository-local-git', join(repo.path, 'git'));
    const hostile = { HOME: folder.path, ...environmentTraps(), PATH: `.:${repo.path}:${process.env['PATH'] ?? ''}` };
    for (const [name, value] of Object.entries(hostile)) if (name !== 'LD_PRELOAD') vi.stubEnv(name, value);
    for (const marker of fired()) rmSync(join(markers, marker));
    const git = createGit({ gitProgram: GIT_PROGRAM, env: hostile });
    const ask = async (relativePath: string) =>
      git.inspectFile({ root: repo.path, relativePath, bytes: readFileSync(join(repo.path, relativePath)) });

    const answers = [await ask('hello.txt'), await ask('lost.txt'), await ask('included.config')];
    repo.file('hello.txt', 'hallo\n');
    answers.push(await ask('hello.txt'));
    const blob = await git.readBlob(repo.path, HELLO_ID, 'hello.txt');
    const lost = await git.readBlob(repo.path, lostId(), 'lost.txt');

    expect({ fired: fired(), answers, blob, lost }).toEqual({
      fired: [],
      answers: [
        { state: 'clean', blob: HELLO_ID },
        { state: 'untracked', blob: null },
        { state: 'untracked', blob: null },
        { state: 'modified', blob: null },
      ],
      blob: Buffer.from('hello\n'),
      lost: null,
    });
  });
});

describe.skipIf(process.platform === 'win32')('the digest of a tree full of traps', () => {
  it('fires none of them, and changes nothing of git', async () => {
    const hostile = { HOME: folder.path, ...environmentTraps(), PATH: `.:${repo.path}:${process.env['PATH'] ?? ''}` };
    for (const [name, value] of Object.entries(hostile)) if (name !== 'LD_PRELOAD') vi.stubEnv(name, value);
    for (const marker of fired()) rmSync(join(markers, marker));
    const before = recordOf(join(repo.path, '.git'));
    const base = join(folder.path, 'scratch');
    const { entries, head } = await treeDigest(repo.path, { gitProgram: GIT_PROGRAM, env: hostile, base });

    expect({
      fired: fired(),
      paths: [...entries.keys()].sort(),
      isHead: head !== null,
      left: readdirSync(base),
    }).toEqual({
      fired: [],
      paths: ['.gitattributes', 'hello.txt', 'included.config', 'lost.txt'],
      isHead: true,
      left: [],
    });
    expect(recordOf(join(repo.path, '.git'))).toEqual(before);
  });
});

describe.skipIf(process.platform === 'win32')('an overview of a tree full of traps', () => {
  it('fires none of them, and changes nothing of git', async () => {
    const hostile = { HOME: folder.path, ...environmentTraps(), PATH: `.:${repo.path}:${process.env['PATH'] ?? ''}` };
    for (const [name, value] of Object.entries(hostile)) if (name !== 'LD_PRELOAD') vi.stubEnv(name, value);
    repo.file('hello.txt', 'hallo\n');
    for (const marker of fired()) rmSync(join(markers, marker));
    const before = recordOf(join(repo.path, '.git'));
    const base = join(folder.path, 'scratch');
    const { git, notes } = await lookAtFiles(repo.path, { gitProgram: GIT_PROGRAM, env: hostile, base });

    expect({ fired: fired(), changed: git?.changes, notes: notes.length, left: readdirSync(base) }).toEqual({
      fired: [],
      changed: [
        { path: 'hello.txt', status: '.M' },
        { path: 'included.config', status: '??' },
      ],
      notes: 1,
      left: [],
    });
    expect(recordOf(join(repo.path, '.git'))).toEqual(before);
  });
});

describe.skipIf(process.platform === 'win32')('the traps themselves (control)', () => {
  /** Runs git as a naive caller would. */
  function naive(args: readonly string[], extra: Record<string, string> = {}, input = ''): void {
    spawnSync('git', args, {
      cwd: repo.path,
      input,
      timeout: 5000,
      env: { PATH: process.env['PATH'], HOME: folder.path, ...extra },
    });
  }

  const controls: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['status', ['status'], ['clean', 'fsmonitor']],
    ['diff', ['diff'], ['clean', 'diff-command', 'fsmonitor', 'smudge']],
    ['ls-files', ['ls-files', '-s'], ['fsmonitor']],
    ['reading a missing object', ['cat-file', 'blob', 'HEAD:lost.txt'], ['sshCommand']],
    ['show', ['show', '--textconv', 'HEAD:hello.txt'], ['textconv']],
    ['checkout', ['checkout', '-f', '--', 'hello.txt'], ['smudge']],
  ];
  it.each(controls)('naive %s fires them', (_name, args, expected) => {
    repo.file('hello.txt', 'hallo\n');
    for (const marker of fired()) rmSync(join(markers, marker));
    naive(args);
    expect(fired()).toEqual(expect.arrayContaining([...expected]));
  });

  it('the very question we ask fires fsmonitor when it is put without our settings', () => {
    naive(['cat-file', '--batch-check'], {}, ':0:./hello.txt\n');
    expect(fired()).toEqual(['fsmonitor']);
  });

  it('the environment redirects a naive caller', () => {
    const extra = environmentTraps();
    delete extra['LD_PRELOAD'];
    naive(['diff'], extra);
    expect(fired()).toEqual(expect.arrayContaining(['env-trace']));
  });

  it('a git in the repository is found first by a naive caller', () => {
    trap('repository-local-git', join(repo.path, 'git'));
    spawnSync('git', ['status'], {
      cwd: repo.path,
      timeout: 5000,
      env: { PATH: `${repo.path}:${process.env['PATH'] ?? ''}` },
    });
    expect(fired()).toEqual(['repository-local-git']);
  });
});
