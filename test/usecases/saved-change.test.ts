/** What is saved and differs from HEAD: nothing that a scope names is dropped in silence. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Product } from '../../src/usecases/product.ts';
import { takeSavedChange } from '../../src/usecases/saved-change.ts';
import { gitRepo, temporaryFolder } from '../support/git-repo.ts';
import { testProduct, type TestProduct } from '../support/product.ts';

let ground: TestProduct;
beforeEach(() => {
  ground = testProduct();
  ground.repo.file('.gitignore', 'dist\n');
  ground.repo.file('src/tide.txt', 'low\n');
  ground.repo.commit();
});
afterEach(() => {
  ground.dispose();
});

async function change(scope: readonly string[], product: Product = ground.product) {
  const state = await product.host.captureState(ground.root, scope);
  const { files, unjudged, caveats } = await takeSavedChange(product, ground.root, scope, state);
  const texts = files.map(({ path, before, after }) => [path, before?.toString() ?? null, after?.toString() ?? null]);
  return { files: texts, unjudged, caveats };
}

test('files of an ignored folder are not judged, and one that is named is', async () => {
  ground.repo.file('dist/app.js', 'built\n');
  const why = 'git ignores files below it (dist/app.js), of which HEAD knows nothing; name those that were saved';
  expect([await change(['dist']), await change(['dist/app.js']), await change(['.'])]).toEqual([
    { files: [], unjudged: [{ path: 'dist', why }], caveats: [] },
    { files: [['dist/app.js', null, 'built\n']], unjudged: [], caveats: [] },
    { files: [], unjudged: [], caveats: [] },
  ]);
});

test('a file that is named through a linked folder is compared with what HEAD has at its real place', async () => {
  symlinkSync('src', join(ground.root, 'alias'));
  ground.repo.commit('alias');
  ground.repo.file('src/tide.txt', 'high\n');
  expect([await change(['alias/tide.txt']), await change(['alias'])]).toEqual([
    { files: [['src/tide.txt', 'low\n', 'high\n']], unjudged: [], caveats: [] },
    { files: [], unjudged: [{ path: 'alias', why: 'it is a link; name what it leads to' }], caveats: [] },
  ]);
});

test('a path behind a link that leaves the root is named and not read', async () => {
  symlinkSync('..', join(ground.root, 'out'));
  const why = 'it lies behind a link that leaves the root';
  expect(await change(['out/a.txt'])).toEqual({ files: [], unjudged: [{ path: 'out/a.txt', why }], caveats: [] });
});

test('another repository is a caveat while it is as HEAD has it, and is not judged once it moved', async () => {
  const other = temporaryFolder();
  try {
    const tides = gitRepo(join(other.path, 'tides'));
    tides.file('a.txt', 'one\n');
    tides.commit();
    ground.repo.git('submodule', '--quiet', 'add', tides.path, 'tides');
    ground.repo.commit('tides');
    const still = await change(['.']);
    ground.repo.file('tides/a.txt', 'two\n');
    const edited = await change(['.']);
    const named = await change(['tides/a.txt']);
    const inside = gitRepo(join(ground.root, 'tides'), false);
    inside.commit('moved');
    const moved = await change(['.']);
    const unjudged = [{ path: 'tides', why: 'it is another repository, whose files are not judged' }];
    const isUnjudged = { files: [], unjudged, caveats: [] };
    const caveats = ['tides is another repository; its files are not judged.'];
    expect([still, edited, named, moved]).toEqual([
      { files: [], unjudged: [], caveats },
      isUnjudged,
      isUnjudged,
      isUnjudged,
    ]);
  } finally {
    other.dispose();
  }
});

test('others have their turn while a large scope is read', async () => {
  mkdirSync(join(ground.root, 'many'));
  for (let number = 0; number < 200; number += 1) writeFileSync(join(ground.root, 'many', `${number}.txt`), 'x');
  const { host } = ground.product;
  const turns = new Set<number>();
  let turn = 0;
  let isOver = false;
  const tick = (): void => {
    turn += 1;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const readSavedFile: typeof host.readSavedFile = (...asked) => {
    turns.add(turn);
    return host.readSavedFile(...asked);
  };
  await change(['many'], { ...ground.product, host: { ...host, readSavedFile } });
  isOver = true;
  expect(turns.size).toBeGreaterThanOrEqual(4);
});
