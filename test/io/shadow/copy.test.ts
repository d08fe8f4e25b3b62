import { chmodSync, lstatSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCopy } from '../../../src/io/shadow/copy.ts';
import { linksOut } from '../../../src/io/shadow/links-out.ts';
import type { ShadowTree } from '../../../src/model/shadow.ts';
import { gitRepo, temporaryFolder } from '../../support/git-repo.ts';

let folder: ReturnType<typeof temporaryFolder>;
let root: string;
let opened: ShadowTree | null;

beforeEach(() => {
  opened = null;
  folder = temporaryFolder();
  root = join(realpathSync(folder.path), 'tides');
  for (const name of ['tides', 'base']) mkdirSync(join(folder.path, name));
});
afterEach(async () => {
  await opened?.dispose();
  folder.dispose();
});

/** A program beside the repository, and a link of the repository to it. */
function program(name: string, link: string): string {
  const path = join(dirname(root), name);
  gitRepo(dirname(root), false).file(name, `#!/bin/sh\necho ${name}\n`);
  chmodSync(path, 0o755);
  mkdirSync(dirname(join(root, link)), { recursive: true });
  symlinkSync(path, join(root, link));
  return path;
}

async function open(): Promise<ShadowTree> {
  const base = join(dirname(root), 'base');
  const request = { root, files: [], tools: null, base, kept: [], links: linksOut(root), reason: 'for a test' };
  const tree = await openCopy(request);
  if (!tree.ok) throw new Error(tree.failure.message);
  opened = tree.value;
  return tree.value;
}

const NO_MOUNT = (): string =>
  `Nothing keeps the tests from writing to ${root} by its absolute path: no mount can be made here.`;

it('takes a copy of a program that links lead to where nothing keeps it from the tests', async () => {
  const target = program('chart-tool', 'bin/chart');
  const { root: tree, notes } = await open();
  expect({
    isLink: lstatSync(join(tree, 'bin/chart')).isSymbolicLink(),
    mode: lstatSync(join(tree, 'bin/chart')).mode & 0o777,
    text: readFileSync(join(tree, 'bin/chart'), 'utf8'),
    notes,
  }).toEqual({
    isLink: false,
    mode: 0o755,
    text: '#!/bin/sh\necho chart-tool\n',
    notes: [NO_MOUNT(), `bin/chart is a copy of the program ${target}, which may look for its files beside itself.`],
  });
});

it('leaves the interpreter of a virtual environment where it lies, and says that nothing keeps it from the tests', async () => {
  const target = program('python3.11', '.venv/bin/python');
  gitRepo(root, false).file('.venv/pyvenv.cfg', `home = ${dirname(target)}\n`);
  const { root: tree, notes } = await open();
  expect({ target: realpathSync(join(tree, '.venv/bin/python')), notes }).toEqual({
    target,
    notes: [NO_MOUNT(), `A link leads to the interpreter ${target}, which nothing keeps from the tests.`],
  });
});
