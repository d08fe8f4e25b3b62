import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRunner, type Runner } from '../../../src/io/runner.ts';
import { createShadows, type Shadows } from '../../../src/io/shadow/shadows.ts';
import type { RunOutcome } from '../../../src/model/run.ts';
import type { ShadowTree, ShadowTier } from '../../../src/model/shadow.ts';
import { temporaryFolder } from '../../support/git-repo.ts';
import { runDriver } from '../../support/run-driver.ts';

const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;
const canBeReached =
  isRoot && spawnSync('/usr/bin/test', ['-r', import.meta.filename], { uid: NOBODY, gid: NOBODY }).status === 0;

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
  for (const path of ['src', '.']) utimesSync(join(root, path), new Date(1e12), new Date(1.1e12));
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

async function shell(tree: ShadowTree, line: string, more: object = {}): Promise<RunOutcome> {
  const wrapper = await tree.suiteWrapper();
  if (!wrapper.ok) throw new Error(wrapper.failure.message);
  return runner.run({
    command: ['/bin/sh', '-c', line],
    cwd: tree.root,
    env: { PATH: '/usr/bin:/bin' },
    outputPath: join(folder.path, `output-${runs++}`),
    wrapper: wrapper.value ?? undefined,
    ...more,
  });
}

const probed = await createShadows(() => null).probe();
const tiers: ShadowTier[] = probed.overlay === null ? ['copy'] : ['overlay', 'copy'];

describe.each(tiers)('a shadow tree of tier %s', (tier) => {
  it('lacks a file that the change takes away, and the real one stays', async () => {
    const files = [{ path: 'src/app.txt', bytes: null, mode: null }];
    const opened = await shadows.open({ root, files, forced: tier });
    if (!opened.ok) throw new Error(opened.failure.message);
    open.push(opened.value);
    const outputs = [
      await shell(opened.value, 'ls src; echo again > src/app.txt'),
      await shell(opened.value, 'ls src'),
    ];
    const second = tier === 'overlay' ? '' : 'app.txt\n';
    expect([outputs.map(({ output }) => output), readFileSync(join(root, 'src/app.txt'), 'utf8')]).toEqual([
      ['', second],
      'before\n',
    ]);
  });

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

  it('keeps the mode of a changed file and the looks of the folders above it', async () => {
    const tree = await openTree(tier);
    tree.write('src/app.txt', Buffer.from('again\n'));
    const outcome = await shell(tree, 'stat -c "%a %Y" src/app.txt src .');
    const [file = '', ...folders] = outcome.output.trim().split('\n');
    expect([file.split(' ')[0], folders]).toEqual(['640', ['755 1100000000', '755 1100000000']]);
  });

  it('follows no link that a suite put in the place of a folder, neither to write nor to read', async () => {
    const elsewhere = join(folder.path, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'app.txt'), 'secret\n');
    const tree = await openTree(tier);
    await shell(tree, `rm -r src && ln -s ${elsewhere} src`);
    expect(tree.read('src/app.txt')).toBeNull();
    tree.write('src/app.txt', Buffer.from('written\n'));
    const outcome = await shell(tree, 'cat src/app.txt');
    expect([outcome.output, readFileSync(join(elsewhere, 'app.txt'), 'utf8')]).toEqual(['written\n', 'secret\n']);
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

  it('takes new files, given modes, and names that lead through a link of the root', async () => {
    symlinkSync('src', join(root, 'link'));
    const files = [
      { path: 'new/deep/made.sh', bytes: Buffer.from('made\n'), mode: 0o750 },
      { path: 'link/app.txt', bytes: Buffer.from('linked\n'), mode: 0o600 },
    ];
    const opened = await shadows.open({ root, files, forced: tier });
    if (!opened.ok) throw new Error(opened.failure.message);
    open.push(opened.value);
    const outcome = await shell(
      opened.value,
      'cat new/deep/made.sh src/app.txt; stat -c %a new/deep/made.sh src/app.txt',
    );
    expect([outcome.output, opened.value.read('link/app.txt')?.toString(), readdirSync(root).sort()]).toEqual([
      'made\nlinked\n750\n600\n',
      'linked\n',
      ['link', 'other.txt', 'src'],
    ]);
  });

  it.each(['outside/app.txt', '../app.txt', '/etc/passwd', 'src//app.txt'])(
    'refuses the name %s, which leads out of the root or is not plain, and leaves nothing',
    async (path) => {
      mkdirSync(join(folder.path, 'elsewhere'));
      symlinkSync('../elsewhere', join(root, 'outside'));
      const opened = await shadows.open({ root, files: [{ path, bytes: Buffer.from(''), mode: null }], forced: tier });
      expect([opened.ok, opened.ok || opened.failure.code, readdirSync(join(folder.path, 'state/shadows'))]).toEqual([
        false,
        'PATH_OUTSIDE_REPO',
        [],
      ]);
    },
  );
});

describe.skipIf(probed.overlay === null)('the best tier', () => {
  it('keeps an overlay in memory where nothing else lies outside the root, and never a copy', async () => {
    const inside = join(folder.path, 'inside');
    mkdirSync(inside);
    vi.stubEnv('TMPDIR', inside);
    const crowded = createShadows(() => join(folder.path, 'state'));
    const file = { path: 'project/src/app.txt', bytes: Buffer.from('after\n'), mode: null };
    const [overlay, copy] = await Promise.all(
      tiers.map((forced) => crowded.open({ root: folder.path, files: [file], forced })),
    );
    vi.unstubAllEnvs();
    if (overlay?.ok === true) open.push(overlay.value);
    expect([overlay?.ok === true && overlay.value.runFolder.startsWith('/dev/shm/'), copy]).toEqual([
      true,
      {
        ok: false,
        failure: {
          code: 'SHADOW_UNAVAILABLE',
          message: 'There is no folder outside the repository in which the tree could be kept.',
          hint: expect.any(String) as string,
          details: {},
        },
      },
    ]);
  });

  it.skipIf(!isRoot)('gives what is mounted inside the root a layer of its own', async () => {
    const volume = join(root, 'node_modules');
    mkdirSync(volume);
    execFileSync('mount', ['-t', 'tmpfs', 'surepatch', volume]);
    try {
      writeFileSync(join(volume, 'dependency.js'), 'original\n');
      const tree = await openTree('overlay');
      const outcome = await shell(tree, 'echo changed > node_modules/dependency.js && cat node_modules/* src/app.txt');
      expect([outcome.output, readFileSync(join(volume, 'dependency.js'), 'utf8')]).toEqual([
        'changed\nafter\n',
        'original\n',
      ]);
    } finally {
      execFileSync('umount', [volume]);
    }
  });

  it.skipIf(!canBeReached)(
    'copies for an ordinary user where files are of a group that a user namespace lacks',
    async () => {
      const driver = runDriver();
      execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder.path]);
      execFileSync('chown', [`${NOBODY}:0`, join(root, 'other.txt')]);
      const script = `
      import { createShadows } from './io/shadow/shadows.js';
      const shadows = createShadows(() => '${folder.path}/state');
      const files = [{ path: 'src/app.txt', bytes: Buffer.from('after'), mode: null }];
      const { tier } = await shadows.probe();
      const opened = await shadows.open({ root: '${root}', files, forced: null });
      console.log(JSON.stringify({ machine: tier, tier: opened.value.tier, reason: opened.value.reason }));
      await opened.value.dispose();`;
      const child = driver.start(script, NOBODY);
      const answer = child.stdout === null ? '' : await text(child.stdout);
      driver.remove();
      expect(JSON.parse(answer)).toEqual({
        machine: 'overlay',
        tier: 'copy',
        reason: 'Files here belong to users or groups that a user namespace does not know, and cannot be written.',
      });
    },
  );
});
