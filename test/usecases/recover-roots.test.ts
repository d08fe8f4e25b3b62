import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recoverRoots } from '../../src/usecases/recover-roots.ts';
import { lineDiff, testProduct, treeOf, type TestProduct } from '../support/product.ts';

const BEFORE = 'low\nrising\nhigh\n';
const CALL = { signal: new AbortController().signal, progress: () => undefined };

let tides: TestProduct;
beforeEach(() => {
  tides = testProduct();
  tides.repo.file('tide.txt', BEFORE);
});
afterEach(() => {
  tides.dispose();
});

/** Leaves a write behind as a process does that dies while its tests run. */
async function dieWhileTesting(folderComponents: readonly string[] = []): Promise<void> {
  const { root, product } = tides;
  const { host } = product;
  const state = host.state();
  const real = host.realFolder(root);
  if (!state.ok || real === null) throw new Error('no state folder');
  const rootFolder = host.openRootFolder(state.value.folder, real);
  if (!rootFolder.ok) throw new Error(rootFolder.failure.message);
  const journal = host.openJournal(rootFolder.value, state.value.folder.key);
  const folder = host.openDirectory(root, folderComponents);
  const preimage = host.readTarget(folder, 'tide.txt', 1000);
  if (!preimage.ok) throw new Error(preimage.failure.message);
  const pieces = [Buffer.from('low\nfalling\nhigh\n')];
  const begun = host.beginWrite(
    {
      id: host.newId(),
      root,
      folderComponents,
      folder,
      name: 'tide.txt',
      preimage: preimage.value,
      pieces,
      sha256After: host.sha256(pieces),
      keepBackup: true,
      tested: true,
    },
    journal,
  );
  expect(begun.ok).toBe(true);
  folder.close();
  journal.close();
  return Promise.resolve();
}

test('a write whose process died while its tests ran is taken back at the next start', async () => {
  await dieWhileTesting();
  expect(readFileSync(join(tides.root, 'tide.txt'), 'utf8')).toBe('low\nfalling\nhigh\n');
  const sentences = await recoverRoots(tides.product, CALL);
  expect(sentences).toEqual([expect.stringMatching(/^The unfinished write [0-9a-f]{32} of tide\.txt was taken back/u)]);
  expect(treeOf(tides.root)).toEqual({ 'tide.txt': BEFORE });
  expect(await recoverRoots(tides.product, CALL)).toEqual([]);
});

test('the next call for the root takes it back too, and says so', async () => {
  await dieWhileTesting();
  const report = await tides.write({ diff: lineDiff('rising', 'slack'), filePath: 'tide.txt' });
  expect([report.success, report.notes[0]]).toEqual([true, expect.stringMatching(/was taken back/u)]);
  expect(readFileSync(join(tides.root, 'tide.txt'), 'utf8')).toBe('low\nslack\nhigh\n');
});

test('a write through a folder inside the root settles it first, whichever root it was left in', async () => {
  tides.repo.file('sub/tide.txt', BEFORE);
  await dieWhileTesting(['sub']);
  const report = await tides.write({
    diff: '@@ -1,3 +1,3 @@\n low\n-rising\n+slack\n high\n',
    filePath: 'sub/tide.txt',
    repoRoot: join(tides.root, 'sub'),
  });
  expect([report.success, report.notes[0]]).toEqual([true, expect.stringMatching(/was taken back/u)]);
  expect(readFileSync(join(tides.root, 'sub/tide.txt'), 'utf8')).toBe('low\nslack\nhigh\n');
});

test('a refusal, too, says what was taken back before it', async () => {
  await dieWhileTesting();
  const report = await tides.write({ diff: lineDiff('ebbing', 'slack'), filePath: 'tide.txt' });
  expect([report.error_code, report.notes]).toEqual(['PATCH_CONFLICT', [expect.stringMatching(/was taken back/u)]]);
});

test('a file that somebody changed after the crash is left alone, named, and refused until somebody decides', async () => {
  await dieWhileTesting();
  tides.repo.file('tide.txt', 'mine\n');
  const [sentence] = await recoverRoots(tides.product, CALL);
  expect(sentence).toContain('tide.txt.reforge-bak');
  const report = await tides.write({ diff: '@@ -1 +1 @@\n-mine\n+yours\n', filePath: 'tide.txt' });
  expect([report.success, report.error_code]).toEqual([false, 'RECOVERY_PENDING']);
  expect(treeOf(tides.root)).toEqual({ 'tide.txt': 'mine\n', 'tide.txt.reforge-bak': BEFORE });
});

test('a root outside this server’s boundary is left to a server that may work there', async () => {
  await dieWhileTesting();
  const elsewhere = { ...tides.product, rootPolicy: { boundaries: ['/srv/elsewhere'], home: null } };
  expect(await recoverRoots(elsewhere, CALL)).toEqual([]);
  expect(readFileSync(join(tides.root, 'tide.txt'), 'utf8')).toBe('low\nfalling\nhigh\n');
});
