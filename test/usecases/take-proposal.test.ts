/** Proposals that get no verdict: each is refused through verifyChange before a shadow tree is made, and nothing changes. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProposedFile, VerifyRequest } from '../../src/model/proposal.ts';
import { locateRoot } from '../../src/usecases/locate-target.ts';
import { takeProposal } from '../../src/usecases/take-proposal.ts';
import { verifyChange } from '../../src/usecases/verify-change.ts';
import { lineDiff, testProduct, treeOf, type TestProduct } from '../support/product.ts';

const BEFORE = 'low\nrising\nhigh\n';
const AFTER = 'low\nfalling\nhigh\n';

let made: TestProduct;
beforeEach(() => {
  made = testProduct();
  made.repo.file('tide.txt', BEFORE);
  made.repo.file('src/moon.txt', 'new\n');
  made.repo.commit();
});
afterEach(() => {
  made.dispose();
});

const edit = (path: string, newContent = AFTER) => ({ path, newContent });

/** The refusal as the wire shows it; a verdict is none. */
async function refusal(request: VerifyRequest): Promise<readonly [code: string, message: string]> {
  const before = treeOf(made.root);
  const call = { signal: new AbortController().signal, progress: () => undefined };
  const answer = await verifyChange(made.product, { repoRoot: made.root, ...request }, call);
  expect(treeOf(made.root)).toEqual(before);
  if (answer.ok) throw new Error(`judged ${answer.value.verdict}`);
  return [answer.failure.code, answer.failure.message];
}

/** What a proposal is taken for; throws where it is refused. */
function taken(request: VerifyRequest): readonly Partial<ProposedFile>[] {
  const root = locateRoot(made.product, made.root);
  if (!root.ok) throw new Error(root.failure.message);
  const files = takeProposal(made.product, root.value, request);
  if (!files.ok) throw new Error(`${files.failure.code}: ${files.failure.message}`);
  return files.value.map(({ path, before, after, mode }) => ({
    path,
    before: before === null ? null : Buffer.from(before),
    after: Buffer.from(after),
    mode,
  }));
}

describe('the form', () => {
  test.each<[what: string, request: VerifyRequest]>([
    ['no form', {}],
    ['an empty list of edits', { edits: [] }],
  ])('%s is refused in the sentence of the contract', async (_what, request) => {
    expect(await refusal(request)).toEqual([
      'NOTHING_TO_VERIFY',
      'verifyDiff: no edits provided (pass `edits` or `unifiedDiff`)',
    ]);
  });

  test('both forms at once are refused', async () => {
    expect(await refusal({ edits: [edit('tide.txt')], unifiedDiff: lineDiff('rising', 'falling') })).toEqual([
      'AMBIGUOUS_FORM',
      'Both `edits` and `unifiedDiff` were passed.',
    ]);
  });
});

describe('the root', () => {
  test.each(['nope', './nope', '../repo'])('%s is relative, and refused as the contract says', async (repoRoot) => {
    expect(await refusal({ repoRoot, edits: [edit('tide.txt')] })).toEqual([
      'ROOT_REFUSED',
      `ENOENT: no such file or directory, scandir '${repoRoot}'`,
    ]);
  });

  test('that does not exist inside the boundary is refused as the contract says', async () => {
    const repoRoot = join(made.root, 'nope');
    expect(await refusal({ repoRoot, edits: [edit('tide.txt')] })).toEqual([
      'ROOT_REFUSED',
      `ENOENT: no such file or directory, scandir '${repoRoot}'`,
    ]);
  });

  test('that does not exist is refused as the contract says where there is no boundary', async () => {
    made.dispose();
    made = testProduct({ settings: { roots: [] } });
    expect(await refusal({ repoRoot: '/nope/does/not/exist', edits: [edit('tide.txt')] })).toEqual([
      'ROOT_REFUSED',
      "ENOENT: no such file or directory, scandir '/nope/does/not/exist'",
    ]);
  });

  test.each(['..', '../missing'])(
    'outside the boundary (%s) is refused alike, whether or not it is there',
    async (to) => {
      expect(await refusal({ repoRoot: join(made.root, to), edits: [edit('tide.txt')] })).toEqual([
        'ROOT_REFUSED',
        'repoRoot is not inside a folder that the server was started with.',
      ]);
    },
  );
});

describe('edits', () => {
  test('hold the whole new contents; a new file may stand in a new folder', () => {
    const edits = [edit('tide.txt'), edit('src/new/deep/sun.txt', 'up\n'), edit('empty.txt', '')];
    expect(taken({ edits })).toEqual([
      { path: 'tide.txt', before: Buffer.from(BEFORE), after: Buffer.from(AFTER), mode: null },
      { path: 'src/new/deep/sun.txt', before: null, after: Buffer.from('up\n'), mode: 0o644 },
      { path: 'empty.txt', before: null, after: Buffer.alloc(0), mode: 0o644 },
    ]);
  });

  test('through a link that stays inside are for the file behind it', () => {
    symlinkSync('src', join(made.root, 'alias'));
    expect(taken({ edits: [edit('alias/moon.txt'), edit('alias/sun.txt')] }).map(({ path }) => path)).toEqual([
      'src/moon.txt',
      'src/sun.txt',
    ]);
  });

  test.each<[what: string, path: string, code: string, message: string | RegExp]>([
    ['a path outside', '../other.txt', 'BAD_PATH', 'edits[0] ("../other.txt") has ".." as a component.'],
    ['the root itself', '.', 'PATH_OUTSIDE_REPO', 'The path does not lead to a file inside the root.'],
    [
      'an absolute path',
      '/tide.txt',
      'BAD_PATH',
      'edits[0] ("/tide.txt") is absolute, and paths start at the root of the repository.',
    ],
    ['a folder', 'src', 'NOT_A_FILE', /src/u],
    ['a folder by its slash', 'new/', 'NOT_A_FILE', 'new/ names a folder.'],
    ['a file as a folder', 'tide.txt/new', 'NOT_A_FILE', 'tide.txt is not a folder.'],
    ['git’s folder', '.git/config', 'PATH_PROTECTED', '.git/config belongs to git, which alone may write there.'],
    [
      'a new file of git',
      '.git/hooks/new',
      'PATH_PROTECTED',
      '.git/hooks/new belongs to git, which alone may write there.',
    ],
    ['git’s folder in other letters', 'src/.GIT/new', 'PATH_PROTECTED', /belongs to git/u],
    ['a path with NUL', 'a\0b', 'BAD_PATH', 'edits[0] ("a\\u0000b") holds a NUL character.'],
  ])('for %s are refused', async (_what, path, code, message) => {
    const expected: unknown = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(await refusal({ edits: [edit(path)] })).toEqual([code, expected]);
  });

  test.each<[what: string, target: string, path: string, code: string]>([
    ['a new file through a link that leaves the root', '..', 'link/new.txt', 'PATH_OUTSIDE_REPO'],
    ['a new file through a link to nothing', 'nowhere', 'link/new.txt', 'NOT_A_FILE'],
    ['a new file at a link to nothing', 'nowhere', 'link', 'NOT_A_FILE'],
    ['a file behind a link that leaves the root', '../outside.txt', 'link', 'PATH_OUTSIDE_REPO'],
    ['a new file through a link into git’s folder', '.git', 'link/new', 'PATH_PROTECTED'],
  ])('for %s are refused', async (_what, target, path, code) => {
    writeFileSync(join(made.root, '../outside.txt'), 'theirs\n');
    symlinkSync(target, join(made.root, 'link'));
    expect((await refusal({ edits: [edit(path)] }))[0]).toBe(code);
  });

  test('for a new file of a bare repository are refused', async () => {
    for (const folder of ['objects', 'refs', 'hooks']) mkdirSync(join(made.root, 'bare', folder), { recursive: true });
    writeFileSync(join(made.root, 'bare/HEAD'), 'ref: refs/heads/main\n');
    expect(await refusal({ edits: [edit('bare/hooks/pre-commit')] })).toEqual([
      'PATH_PROTECTED',
      'bare/hooks/pre-commit lies in a folder where git alone may write.',
    ]);
  });

  test('that name a file twice, by a link too, are refused', async () => {
    symlinkSync('src', join(made.root, 'alias'));
    const twice = ['DUPLICATE_PATH', 'src/moon.txt is named twice.'];
    expect(await refusal({ edits: [edit('src/moon.txt'), edit('src/./moon.txt', 'x')] })).toEqual(twice);
    expect(await refusal({ edits: [edit('src/moon.txt'), edit('alias/moon.txt', 'x')] })).toEqual(twice);
  });

  test('that make a path a file and a folder are refused', async () => {
    expect(await refusal({ edits: [edit('new/sun.txt'), edit('new')] })).toEqual([
      'INPUT_INVALID',
      'new would be a file and a folder.',
    ]);
  });

  test('that change nothing are refused', async () => {
    expect(await refusal({ edits: [edit('tide.txt', BEFORE)] })).toEqual([
      'ALREADY_APPLIED',
      'tide.txt already holds exactly these contents.',
    ]);
  });

  test('are refused whole when one of them is', async () => {
    expect((await refusal({ edits: [edit('tide.txt'), edit('../other.txt')] }))[0]).toBe('BAD_PATH');
  });

  test('with half of a letter are refused', async () => {
    expect(await refusal({ edits: [edit('tide.txt', '\ud800')] })).toEqual([
      'INPUT_INVALID',
      'newContent of tide.txt holds half of a surrogate pair.',
    ]);
  });

  test('of more than 64 MiB are refused', async () => {
    expect(await refusal({ edits: [edit('tide.txt', 'x'.repeat(64 * 1024 * 1024 + 1))] })).toEqual([
      'FILE_TOO_LARGE',
      'The new contents of tide.txt have more than 64 MiB.',
    ]);
  });
});

describe('a diff', () => {
  const create = (path: string, mode: string, rest: string): string =>
    `diff --git a/${path} b/${path}\nnew file mode ${mode}\nindex 0000000..e69de29\n${rest}`;

  test('is applied to the files as they are on disk', () => {
    made.repo.file('tide.txt', `dawn\n${BEFORE}`);
    const diff = '--- a/tide.txt\n+++ b/tide.txt\n@@ -2,2 +2,2 @@\n low\n-rising\n+falling\n';
    expect(taken({ unifiedDiff: diff })).toEqual([
      { path: 'tide.txt', before: Buffer.from(`dawn\n${BEFORE}`), after: Buffer.from(`dawn\n${AFTER}`), mode: null },
    ]);
  });

  test('may create files, empty ones and programs too', () => {
    const content = '--- /dev/null\n+++ b/bin/run\n@@ -0,0 +1 @@\n+go\n';
    expect(taken({ unifiedDiff: create('bin/run', '100755', content) + create('empty', '100644', '') })).toEqual([
      { path: 'bin/run', before: null, after: Buffer.from('go\n'), mode: 0o755 },
      { path: 'empty', before: null, after: Buffer.alloc(0), mode: 0o644 },
    ]);
  });

  test.each<[what: string, diff: string, code: string, message: RegExp]>([
    [
      'is stale',
      lineDiff('sinking', 'falling'),
      'PATCH_CONFLICT',
      /^diff did not apply to tide\.txt \(stale base\?\)/u,
    ],
    [
      'is written already',
      lineDiff('steady', 'rising'),
      'ALREADY_APPLIED',
      /^diff did not apply to tide\.txt \(stale base\?\)/u,
    ],
    [
      'edits a missing file',
      lineDiff('a', 'b').replaceAll('tide', 'ebb'),
      'FILE_NOT_FOUND',
      /^diff did not apply to ebb\.txt \(stale base\?\): there is no such file\.$/u,
    ],
    [
      'creates a file that is there',
      create('tide.txt', '100644', '--- /dev/null\n+++ b/tide.txt\n@@ -0,0 +1 @@\n+x\n'),
      'PATCH_CONFLICT',
      /^diff did not apply to tide\.txt \(stale base\?\): it creates the file, which is there already\.$/u,
    ],
    [
      'creates an empty file that is there',
      create('tide.txt', '100644', ''),
      'PATCH_CONFLICT',
      /it creates the file, which is there already/u,
    ],
    ['changes nothing', lineDiff('rising', 'rising'), 'PATCH_EMPTY', /^tide\.txt: /u],
    [
      'leaves the root',
      lineDiff('rising', 'falling').replaceAll('/tide', '/../tide'),
      'PATH_OUTSIDE_REPO',
      /inside the root/u,
    ],
    [
      'is for git’s folder',
      lineDiff('rising', 'falling').replaceAll('tide.txt', '.git/config'),
      'PATH_PROTECTED',
      /belongs to git/u,
    ],
    [
      'has an absolute name',
      lineDiff('rising', 'falling').replaceAll('/tide', '//tide'),
      'INPUT_INVALID',
      /is absolute/u,
    ],
    ['is no diff', 'make the tide fall', 'PATCH_EMPTY', /no hunk/u],
  ])('that %s is refused', async (_what, unifiedDiff, code, message) => {
    expect(await refusal({ unifiedDiff })).toEqual([code, expect.stringMatching(message)]);
  });

  test('that creates an empty file where one stands is refused', async () => {
    made.repo.file('empty', '');
    expect(await refusal({ unifiedDiff: create('empty', '100644', '') })).toEqual([
      'ALREADY_APPLIED',
      'empty is there already, and empty.',
    ]);
  });

  test('that deletes a file beside an edit is refused whole', async () => {
    const gone =
      'diff --git a/src/moon.txt b/src/moon.txt\ndeleted file mode 100644\n--- a/src/moon.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-new\n';
    expect(await refusal({ unifiedDiff: lineDiff('rising', 'falling') + gone })).toEqual([
      'PATCH_UNSUPPORTED',
      'diff deletes src/moon.txt; file deletions are not supported yet, verify that change manually',
    ]);
  });
});
