import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRunner, type Runner } from '../../../src/io/runner.ts';
import { createShadows, type Shadows } from '../../../src/io/shadow/shadows.ts';
import type { RunOutcome } from '../../../src/model/run.ts';
import type { ShadowTree, ShadowTier } from '../../../src/model/shadow.ts';
import { temporaryFolder } from '../../support/git-repo.ts';

let folder: ReturnType<typeof temporaryFolder>;
let root: string;
let shadows: Shadows;
let runner: Runner;
const open: ShadowTree[] = [];
let runs = 0;

beforeEach(() => {
  folder = temporaryFolder();
  root = join(folder.path, 'project');
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'src/app.txt'), 'before\n', { mode: 0o640 });
  writeFileSync(join(root, 'other.txt'), 'other\n');
  mkdirSync(join(folder.path, 'state'));
  shadows = createShadows(() => join(folder.path, 'state'));
  runner = createRunner();
});
afterEach(async () => {
  await runner.stopAll(0);
  for (const tree of open.splice(0)) await tree.dispose();
  folder.dispose();
});

async function openTree(forced: ShadowTier, text = 'after\n'): Promise<ShadowTree> {
  const files = [{ path: 'src/app.txt', bytes: Buffer.from(text), mode: null }];
  const opened = await shadows.open({ root, files, forced });
  if (!opened.ok) throw new Error(opened.failure.message);
  open.push(opened.value);
  return opened.value;
}

function shell(tree: ShadowTree, line: string, more: object = {}): Promise<RunOutcome> {
  return runner.run({
    command: ['/bin/sh', '-c', line],
    cwd: tree.root,
    env: { PATH: '/usr/bin:/bin' },
    outputPath: join(folder.path, `output-${runs++}`),
    wrapper: tree.wrapper ?? undefined,
    ...more,
  });
}

const probed = await createShadows(() => null).probe();
const tiers: ShadowTier[] = probed.overlay === null ? ['copy'] : ['overlay', 'copy'];

describe.each(tiers)('a shadow tree of tier %s', (tier) => {
  it('shows the proposed file among the real ones, and never changes these', async () => {
    const tree = await openTree(tier);
    const outcome = await shell(
      tree,
      'cat src/app.txt other.txt; echo mine > other.txt; echo new > src/new.txt; exit 3',
    );
    expect(outcome).toMatchObject({ ending: 'exited', exitCode: 3, output: 'after\nother\n', survivors: [] });
    expect([readFileSync(join(root, 'src/app.txt'), 'utf8'), readFileSync(join(root, 'other.txt'), 'utf8')]).toEqual([
      'before\n',
      'other\n',
    ]);
    expect(readdirSync(join(root, 'src'))).toEqual(['app.txt']);
  });

  it('keeps the mode of a changed file and the times of the folder above it', async () => {
    const tree = await openTree(tier);
    const outcome = await shell(tree, 'stat -c "%a %Y" src/app.txt src');
    const [, folderTime] = outcome.output.trim().split('\n');
    expect(outcome.output.split(' ')[0]).toBe('640');
    expect(folderTime).toBe(`755 ${Math.floor(statSync(join(root, 'src')).mtimeMs / 1000)}`);
  });

  it('keeps what a run leaves for the next run, and shows nothing of it to another tree', async () => {
    const [one, two] = [await openTree(tier), await openTree(tier, 'second\n')];
    await shell(one, 'echo left > left.txt');
    const [again, apart] = [await shell(one, 'cat left.txt'), await shell(two, 'ls; cat src/app.txt')];
    expect([again.output, apart.output]).toEqual(['left\n', 'other.txt\nsrc\nsecond\n']);
  });

  it('takes a new version of a changed file between runs, and reads it as the suite left it', async () => {
    const tree = await openTree(tier);
    tree.write('src/app.txt', Buffer.from('probed\n'));
    const outcome = await shell(tree, 'stat -c %a src/app.txt; cat src/app.txt; echo more >> src/app.txt');
    expect([outcome.output, tree.read('src/app.txt')?.toString()]).toEqual(['640\nprobed\n', 'probed\nmore\n']);
    await shell(tree, 'rm src/app.txt');
    expect(tree.read('src/app.txt')).toBeNull();
    tree.write('src/app.txt', Buffer.from('back\n'));
    expect((await shell(tree, 'cat src/app.txt')).output).toBe('back\n');
  });

  it('gives a folder for the results of runs that lies outside the tree', async () => {
    const tree = await openTree(tier);
    await shell(tree, `echo result > '${tree.runFolder}/result'`);
    expect(readFileSync(join(tree.runFolder, 'result'), 'utf8')).toBe('result\n');
  });

  it('leaves nothing behind, whatever modes a suite gave to its files, and may be disposed of twice', async () => {
    const tree = await openTree(tier);
    await shell(tree, 'mkdir -p a/b && touch a/b/c && chmod 000 a/b a src other.txt');
    await Promise.all([tree.dispose(), tree.dispose()]);
    await tree.dispose();
    expect(lstatSync(tree.runFolder, { throwIfNoEntry: false })).toBeUndefined();
    expect(readdirSync(join(folder.path, 'state/shadows'))).toEqual([]);
  });
});
