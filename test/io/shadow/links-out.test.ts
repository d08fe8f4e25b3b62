import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { linksOut, upperLinksOut } from '../../../src/io/shadow/links-out.ts';
import { temporaryFolder } from '../../support/git-repo.ts';

let folder: ReturnType<typeof temporaryFolder>;
let root: string;

beforeEach(() => {
  folder = temporaryFolder();
  root = join(folder.path, 'project');
  mkdirSync(root);
  mkdirSync(beside('store/package'), { recursive: true });
  writeFileSync(beside('settings.ini'), '');
});
afterEach(() => {
  folder.dispose();
});

const beside = (name: string): string => join(folder.path, name);

function link(name: string, target: string | Buffer): void {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

it('finds links that lead out at any depth and in ignored folders, whichever way they are written', async () => {
  link('.venv/lib/python3/site-packages/package', beside('store/package'));
  link('node_modules/.pnpm/p@1/node_modules/p', '../../../../../store/package');
  link('a/b/c/d/e/settings.ini', '../../../../../../settings.ini');
  link('a/roundabout', './b/../../../settings.ini');
  link('system', '/usr');
  const { links, notes } = await linksOut(root);
  expect({ links: links.toSorted((one, other) => (one.path < other.path ? -1 : 1)), notes }).toEqual({
    links: [
      { path: '.venv/lib/python3/site-packages/package', target: beside('store/package') },
      { path: 'a/b/c/d/e/settings.ini', target: beside('settings.ini') },
      { path: 'a/roundabout', target: beside('settings.ini') },
      { path: 'node_modules/.pnpm/p@1/node_modules/p', target: beside('store/package') },
      { path: 'system', target: '/usr' },
    ],
    notes: [],
  });
});

it('names none that stays inside, leads nowhere or to something that is no file, and follows none in circles', async () => {
  link('a/b/up', '../..');
  link('a/self', 'self');
  link('a/..odd/name', '../b/up');
  link('a/absolute', join(root, 'a/b'));
  link('dangling', '../nothing');
  link('device', '/dev/null');
  expect(await linksOut(root)).toEqual({ links: [], notes: [] });
});

it('finds the links of folders whose names are not UTF-8', async () => {
  const odd = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xe9])]);
  mkdirSync(odd);
  symlinkSync('../../settings.ini', Buffer.concat([odd, Buffer.from('/link')]));
  expect(await linksOut(root)).toEqual({ links: [{ path: 'é/link', target: beside('settings.ini') }], notes: [] });
});

it('says that a link leads to a name which cannot be said to a program', async () => {
  const odd = Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from([0xe9])]);
  mkdirSync(odd);
  link('a/odd', odd);
  expect(await linksOut(root)).toEqual({
    links: [],
    notes: [`A link leads to ${beside('\uFFFD')}, whose name cannot be said to the system.`],
  });
});

it('says that a tree holds more than it looks at', async () => {
  for (const name of ['a', 'b', 'c']) writeFileSync(join(root, name), '');
  expect(await linksOut(root, 2)).toEqual({
    links: [],
    notes: ['The repository holds more than 2 entries; links beyond them were not looked at.'],
  });
});

it.skipIf(process.geteuid?.() === 0)('says that a folder cannot be listed', async () => {
  mkdirSync(join(root, 'closed'));
  chmodSync(join(root, 'closed'), 0o311);
  expect(await linksOut(root)).toEqual({
    links: [],
    notes: [`${join(root, 'closed')} cannot be listed; links in it were not looked at.`],
  });
});

it('finds the links of the two upper levels and of the scopes of node_modules alone where these are asked for', async () => {
  const names = ['.venv', 'packages/one', 'packages/one/deep', 'node_modules/a', 'node_modules/@scope/b', 'src/@x/c'];
  for (const name of names) link(name === 'packages/one' ? 'packages/two' : name, beside('settings.ini'));
  const { links } = await upperLinksOut(root);
  expect(links.map(({ path }) => path).sort()).toEqual([
    '.venv',
    'node_modules/@scope/b',
    'node_modules/a',
    'packages/two',
  ]);
});
