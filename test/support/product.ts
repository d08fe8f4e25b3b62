/** A product over a throw-away repository and state folder, as the command line opens it, for tests of the use-cases. */
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryFolder } from '../../scripts/fixture-project.ts';
import { createHost, type Host } from '../../src/io/host.ts';
import type { Result } from '../../src/model/result.ts';
import { reportOfFailure, type WriteFixReport, type WriteFixRequest } from '../../src/model/write-report.ts';
import { openProduct, type OperatorSettings } from '../../src/usecases/open-product.ts';
import type { Product } from '../../src/usecases/product.ts';
import { writeFix } from '../../src/usecases/write-fix.ts';
import { gitRepo, type GitRepo } from './git-repo.ts';

const PACKAGE = repositoryFolder();

export interface TestProduct {
  readonly root: string;
  readonly stateHome: string;
  readonly repo: GitRepo;
  readonly product: Product;
  /** The report that both faces show, whether or not it is a failure. */
  readonly write: (request: Partial<WriteFixRequest>, signal?: AbortSignal) => Promise<WriteFixReport>;
  readonly dispose: () => void;
}

export interface TestProductOptions {
  /** A folder whose files the repository starts with. */
  readonly from?: string;
  /** False for a plain folder without git. */
  readonly git?: boolean;
  /** The environment that the product lives in; that of the tests where none is given. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly settings?: Partial<OperatorSettings>;
  readonly change?: (host: Host) => Host;
}

/** Makes the repository `repo` in a folder of its own, next to the state folder. */
export function testProduct(options: TestProductOptions = {}): TestProduct {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'surepatch-product-')));
  const root = join(folder, 'repo');
  const stateHome = join(folder, 'state');
  const repo = gitRepo(root, options.git === false ? false : []);
  if (options.from !== undefined) cpSync(options.from, root, { recursive: true });
  const host = createHost({
    env: options.env ?? process.env,
    workingFolder: root,
    stateHome,
    extraEnvironment: [],
    runtimeFolder: join(PACKAGE, 'runtime'),
  });
  const product = unwrap(
    openProduct(options.change?.(host) ?? host, {
      roots: [root],
      home: null,
      allowlistFolder: join(PACKAGE, 'allowlists'),
      allowlistFiles: [],
      allowedPrefixes: [],
      isAllowlistLocked: false,
      testTimeoutMs: 20_000,
      shadowTier: null,
      ...options.settings,
    }),
  );
  return {
    root,
    stateHome,
    repo,
    product,
    write: async (request, signal = new AbortController().signal) => {
      const full = { diff: '', filePath: '', ...request };
      const answer = await writeFix(product, full, { signal, progress: () => undefined });
      return answer.ok ? answer.value : reportOfFailure(answer.failure);
    },
    dispose: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Everything below a folder but git's own, name to content, links as their target; for comparing whole trees. */
export function treeOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.startsWith(join(folder, '.git')))
      .sort()
      .map((path) => [path.slice(folder.length + 1), contentOf(path)]),
  );
}

/** Writes a suite of node:test that passes while `tide.txt` holds the given text. */
export function writeSuite(repo: GitRepo, expected: string): void {
  repo.file(
    'tide.test.js',
    `const test = require('node:test');
const assert = require('node:assert');
const { readFileSync } = require('node:fs');
test('the tide is as the table says', () => {
  assert.strictEqual(readFileSync(__dirname + '/tide.txt', 'utf8'), ${JSON.stringify(expected)});
});
`,
  );
}

/** A diff of one line in a file of three. */
export function lineDiff(before: string, after: string): string {
  return `--- a/tide.txt\n+++ b/tide.txt\n@@ -1,3 +1,3 @@\n low\n-${before}\n+${after}\n high\n`;
}

/** Puts a program into the repository's virtual environment, where the command policy lets a suite come from. */
export function writeProgram(repo: GitRepo, name: string, script: string): void {
  repo.file('.venv/pyvenv.cfg', '');
  chmodSync(repo.file(`.venv/bin/${name}`, script), 0o755);
}

function contentOf(path: string): string {
  const stat = lstatSync(path);
  return stat.isSymbolicLink() ? `-> ${readlinkSync(path)}` : readFileSync(path, 'latin1');
}

function unwrap<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  throw new Error(result.failure.message);
}
