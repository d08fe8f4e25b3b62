/** A repository with a history of one commit, hooks and signers as scripts, and what of it must stay as it is. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { commitReportOfFailure, type CommitReport, type CommitRequest } from '../../src/model/commit.ts';
import { commitFiles } from '../../src/usecases/commit-files.ts';
import { testProduct, type TestProduct, type TestProductOptions } from './product.ts';

export interface CommitGround extends TestProduct {
  readonly home: string;
  /** The report that both faces show, whether or not it is a failure. */
  readonly commit: (request: Partial<CommitRequest>, options?: CommitOptions) => Promise<CommitReport>;
  /** Writes an executable hook into the repository's own folder. */
  readonly hook: (name: string, script: string) => void;
  /** Message, and changed paths with their letter, of HEAD. */
  readonly head: () => { readonly message: string; readonly changes: string };
}

export interface CommitOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** Makes the ground; `tide.txt`, `moon.txt` and `wind.txt` are committed. The user's configuration names who commits. */
export function commitGround(options: TestProductOptions & { readonly identity?: boolean } = {}): CommitGround {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'surepatch-home-')));
  const identity = options.identity === false ? '' : '[user]\n\tname = Keeper\n\temail = keeper@example.invalid\n';
  writeFileSync(join(home, '.gitconfig'), identity);
  const env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
  const made = testProduct({ env, ...options });
  const { root, repo, product } = made;
  if (options.git !== false) {
    for (const name of ['tide.txt', 'moon.txt', 'wind.txt']) repo.file(name, `${name}\n`);
    repo.commit('start');
  }
  return {
    ...made,
    home,
    commit: async (request, { signal = new AbortController().signal, timeoutMs } = {}) => {
      const call = { signal, progress: () => undefined };
      const answer = await commitFiles(product, { message: 'change', ...request }, call, timeoutMs);
      return answer.ok ? answer.value : commitReportOfFailure(answer.failure);
    },
    hook: (name, script) => {
      const path = join(root, repo.git('rev-parse', '--git-path', `hooks/${name}`).trim());
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, script);
      chmodSync(path, 0o755);
    },
    head: () => ({
      message: repo.git('log', '-1', '--format=%B').trimEnd(),
      changes: repo
        .git('diff-tree', '--root', '--no-commit-id', '-r', '--name-status', '--no-renames', 'HEAD')
        .trimEnd(),
    }),
    dispose: () => {
      made.dispose();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** What a commit must leave as it was: index entries, stashes, and bytes and mode of each file that is not named. */
export function bystanders({ root, repo }: TestProduct, paths: readonly string[]): Record<string, string> {
  const entries = repo.git('ls-files', '-s', '-z', '--', ...paths);
  const debug = repo.git('diff', '--cached', '--raw', '--no-abbrev', '--', ...paths);
  const files = paths.map((path): [string, string] => {
    const found = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (found === undefined) return [path, 'nothing'];
    return [path, `${found.mode.toString(8)} ${found.mtimeMs} ${readFileSync(join(root, path), 'latin1')}`];
  });
  return { entries, debug, stashes: repo.git('stash', 'list', '--format=%H %s'), ...Object.fromEntries(files) };
}
