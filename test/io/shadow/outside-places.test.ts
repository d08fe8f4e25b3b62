import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { linksOut } from '../../../src/io/shadow/links-out.ts';
import { outsidePlaces } from '../../../src/io/shadow/outside-places.ts';
import { gitRepo, temporaryFolder } from '../../support/git-repo.ts';

let folder: ReturnType<typeof temporaryFolder>;
let root: string;

beforeEach(() => {
  folder = temporaryFolder();
  root = join(folder.path, 'project');
  mkdirSync(root);
});
afterEach(() => {
  folder.dispose();
});

const beside = (name: string): string => join(folder.path, name);

async function placesOf(folderOfRoot: string, kept: readonly string[] = []) {
  return outsidePlaces(folderOfRoot, kept, (await linksOut(folderOfRoot)).links);
}

function link(name: string, target: string): void {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

it('names where links of the tree end, and leaves the folders of the system out', async () => {
  for (const name of ['venv', 'store/a', 'store/b', 'deep']) mkdirSync(beside(name), { recursive: true });
  symlinkSync(beside('venv'), beside('venv-by-another-name'));
  writeFileSync(beside('settings.json'), '');
  link('.venv', '../venv-by-another-name');
  link('node_modules/a', beside('store/a'));
  link('node_modules/@scope/b', beside('store/b'));
  link('packages/one/deep', beside('deep'));
  link('settings.json', '../settings.json');
  link('dangling', '../nothing');
  link('inside', 'packages');
  link('system', '/usr');
  expect(await placesOf(root)).toEqual({
    folders: [beside('deep'), beside('store/a'), beside('store/b'), beside('venv')],
    files: [beside('settings.json')],
    links: [
      { path: '.venv', target: beside('venv') },
      { path: 'node_modules/@scope/b', target: beside('store/b') },
      { path: 'node_modules/a', target: beside('store/a') },
      { path: 'packages/one/deep', target: beside('deep') },
      { path: 'settings.json', target: beside('settings.json') },
    ],
    mounts: [],
    tooBroad: [],
  });
});

it('names a folder once that holds another, and leaves one that holds the root or a folder that is kept', async () => {
  mkdirSync(beside('shared/inner'), { recursive: true });
  mkdirSync(beside('state/shadows'), { recursive: true });
  link('one', beside('shared'));
  link('two', beside('shared/inner'));
  link('above', '..');
  link('state', beside('state'));
  const { folders, tooBroad } = await placesOf(root, [beside('state/shadows')]);
  expect({ folders, tooBroad }).toEqual({ folders: [beside('shared')], tooBroad: [folder.path, beside('state')] });
});

it('takes the packages of a store together where there are more than a handful', async () => {
  for (let number = 0; number < 40; number += 1) {
    mkdirSync(beside(`store/v1/p${number}/node_modules/p`), { recursive: true });
    link(`node_modules/p${number}`, beside(`store/v1/p${number}/node_modules/p`));
  }
  const { folders, tooBroad } = await placesOf(root);
  expect({ folders, tooBroad }).toEqual({ folders: [beside('store/v1')], tooBroad: [] });
});

it('finds the folder of git of a linked worktree, of a submodule and of a repository around the root', async () => {
  const main = gitRepo(beside('main'));
  main.file('a', '');
  main.commit();
  main.git('worktree', 'add', '-q', beside('linked'));
  mkdirSync(beside('main/packages'));
  const outer = gitRepo(beside('outer'));
  outer.git('submodule', 'add', '-q', beside('main'), 'inner');
  const gitFolders = await Promise.all(
    ['linked', 'main/packages', 'outer/inner', 'main'].map(async (name) => (await placesOf(beside(name))).folders),
  );
  expect(gitFolders).toEqual([[beside('main/.git')], [beside('main/.git')], [beside('outer/.git/modules/inner')], []]);
});
