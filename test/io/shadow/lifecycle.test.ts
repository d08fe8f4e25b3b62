/** What is left of trees and runs that did not end by themselves: nothing. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRunner } from '../../../src/io/runner.ts';
import { makeShadowFolder, sweepShadowFolders } from '../../../src/io/shadow/shadow-folder.ts';
import { createShadows } from '../../../src/io/shadow/shadows.ts';
import type { ShadowTier } from '../../../src/model/shadow.ts';
import { temporaryFolder } from '../../support/git-repo.ts';
import { runDriver } from '../../support/run-driver.ts';
import { countAlive, uniqueSleep, waitForAlive } from '../../support/run-rig.ts';

let folder: ReturnType<typeof temporaryFolder>;
let root: string;
let state: string;
let base: string;

beforeEach(() => {
  folder = temporaryFolder();
  root = join(folder.path, 'project');
  state = join(folder.path, 'state');
  base = join(state, 'shadows');
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(base, { recursive: true });
  writeFileSync(join(root, 'src/app.txt'), 'before\n');
});
afterEach(() => {
  folder.dispose();
});

const files = [{ path: 'src/app.txt', bytes: Buffer.from('after\n'), mode: null }];
const mounts = (): number => readFileSync('/proc/self/mountinfo', 'utf8').split(folder.path).length - 1;
const probed = await createShadows(() => null).probe();
const tiers: ShadowTier[] = ['overlay', 'copy'];

const { processes } = await createRunner().isolation();
/** Without a namespace a process that hides its origin cannot be found. */
const HIDDEN =
  processes === 'pid_namespace' ? (mark: string) => `(env -i /usr/bin/setsid ${mark} >/dev/null 2>&1 &);` : () => '';

describe.each(tiers)('of a tree of tier %s', (tier) => {
  beforeEach(({ skip }) => {
    const isMissing = tier === 'overlay' && probed.overlay === null;
    skip(isMissing, `no overlay can be mounted here: ${probed.reason ?? ''}`);
  });

  it('a hundred runs that are cancelled, timed out or killed leave no process, no mount and no folder', async () => {
    const shadows = createShadows(() => state);
    const mark = uniqueSleep();
    const endings: string[] = [];
    const line = `echo x > left-$$; (setsid ${mark} &); ${HIDDEN(mark)} ${mark}`;
    const worker = async (name: number): Promise<void> => {
      for (let round = 0; round < 25; round += 1) {
        const opened = await shadows.open({ root, files, forced: tier });
        if (!opened.ok) throw new Error(opened.failure.message);
        const { suiteWrapper, root: cwd, dispose } = opened.value;
        const wrapper = await suiteWrapper();
        if (!wrapper.ok) throw new Error(wrapper.failure.message);
        const runner = createRunner();
        const controller = new AbortController();
        const running = runner.run({
          command: ['/bin/sh', '-c', line],
          cwd,
          env: { PATH: '/usr/bin:/bin' },
          outputPath: join(folder.path, `output-${name}-${round}`),
          wrapper: wrapper.value ?? undefined,
          signal: controller.signal,
          graceMs: 0,
          timeoutMs: round % 3 === 0 ? 60 : 60_000,
        });
        // Later or earlier in the life of the run, down to before its mounts are made.
        await delay(round * 4);
        if (round % 3 === 1) controller.abort();
        if (round % 3 === 2) await runner.stopAll(0);
        endings.push((await running).ending);
        await dispose();
      }
    };
    await Promise.all([0, 1, 2, 3].map(worker));
    expect({
      runs: endings.length,
      endings: [...new Set(endings)].sort(),
      alive: countAlive(mark),
      mounts: mounts(),
      left: readdirSync(base),
      real: [readdirSync(root), readFileSync(join(root, 'src/app.txt'), 'utf8')],
    }).toEqual({
      runs: 100,
      endings: ['cancelled', 'timed_out'],
      alive: 0,
      mounts: 0,
      left: [],
      real: [['src'], 'before\n'],
    });
  }, 120_000);

  it('a server that is killed in the middle of a run leaves a folder alone, which the next sweep removes', async () => {
    const driver = runDriver();
    const mark = uniqueSleep();
    const script = `
      import { createRunner } from './io/runner.js';
      import { createShadows } from './io/shadow/shadows.js';
      const files = [{ path: 'src/app.txt', bytes: Buffer.from('after'), mode: null }];
      const opened = await createShadows(() => '${state}').open({ root: '${root}', files, forced: '${tier}' });
      const wrapper = await opened.value.suiteWrapper();
      await createRunner().run({
        command: ['/bin/sh', '-c', 'echo x > left; (setsid ${mark} &); ${mark}'],
        cwd: opened.value.root,
        env: { PATH: '/usr/bin:/bin' },
        outputPath: '${folder.path}/output',
        wrapper: wrapper.value ?? undefined,
      });`;
    const server = driver.start(script);
    await waitForAlive(mark, 2);
    expect(await sweepShadowFolders([base])).toEqual([]);
    server.kill('SIGKILL');
    await once(server, 'exit');
    await waitForAlive(mark, 0);
    const left = readdirSync(base).map((name) => join(base, name));
    expect([left.length, mounts(), await sweepShadowFolders([base]), readdirSync(base)]).toEqual([1, 0, left, []]);
    driver.remove();
  });
});

describe('a sweep', () => {
  const owner = {
    pid: 1,
    start: 'never',
    host: 'elsewhere',
    boot: 'other',
    namespace: 'other',
  };
  const planted = (name: string, content: string): string => {
    mkdirSync(join(base, name));
    writeFileSync(join(base, name, 'owner.json'), content);
    return join(base, name);
  };

  it('leaves everything that it does not know for certain to be the tree of a process that died', async () => {
    const own = await makeShadowFolder(base);
    const mine = JSON.parse(readFileSync(join(own.path, 'owner.json'), 'utf8')) as object;
    const kept = [
      own.path,
      planted('surepatch-shadow-of-another-machine', JSON.stringify(owner)),
      planted(
        'surepatch-shadow-of-another-namespace',
        JSON.stringify({ ...mine, namespace: 'pid:[1]', pid: 999_999_999 }),
      ),
      planted('surepatch-shadow-not-json', '{"pid": 1'),
      planted('surepatch-shadow-of-no-process', JSON.stringify({ ...mine, pid: -1 })),
      planted('surepatch-shadow-without-start', JSON.stringify({ ...mine, start: undefined })),
      planted('somebody-elses', JSON.stringify({ ...mine, pid: 999_999_999 })),
    ];
    expect([await sweepShadowFolders([base, join(base, 'missing')]), kept.filter((path) => !existsSync(path))]).toEqual(
      [[], []],
    );
    await own.dispose();
  });

  it('removes the tree of a process that ended, whose number another has now, or that ran before the machine started', async () => {
    const own = await makeShadowFolder(base);
    const mine = JSON.parse(readFileSync(join(own.path, 'owner.json'), 'utf8')) as object;
    const dead = [
      planted('surepatch-shadow-a', JSON.stringify({ ...mine, pid: 999_999_999 })),
      planted('surepatch-shadow-b', JSON.stringify({ ...mine, start: '1' })),
      planted('surepatch-shadow-c', JSON.stringify({ ...mine, boot: 'an earlier one' })),
    ];
    expect([(await sweepShadowFolders([base])).toSorted(), existsSync(own.path)]).toEqual([dead, true]);
    await own.dispose();
  });
});
