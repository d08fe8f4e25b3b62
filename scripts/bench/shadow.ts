/** Shadow trees of a large repository: ready and gone again, beside `cp -a` and `rm -rf`; and the digest of the tree. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRunner } from '../../src/io/runner.ts';
import { createShadows } from '../../src/io/shadow/shadows.ts';
import { treeDigest } from '../../src/io/tree-digest.ts';
import type { ShadowTier } from '../../src/model/shadow.ts';
import { commitAll } from './repository.ts';
import type { Rig } from './rig.ts';
import type { Section } from './section.ts';
import { interleaved, median, percentile } from './statistics.ts';
import { showMs, showRatio, table } from './table.ts';

const SOURCES = 20_000;
const DEPENDENCIES = 30_000;
const CHEAP = 5;

interface Span {
  readonly readyMs: number;
  /** Until every link of the tree has been looked at and a suite may run. */
  readonly linksMs: number;
  readonly runMs: number;
  readonly goneMs: number;
}

/** Measures `rounds` copies of each kind, and five times as many overlays. */
export async function measureShadows(rig: Rig, rounds: number): Promise<Section> {
  const root = makeLargeRepository(rig);
  const copies = rig.folder('plain-copies');
  const state = rig.folder('shadow-state');
  const shadows = createShadows(() => state);
  const runner = createRunner();
  let runs = 0;
  const tree = async (forced: ShadowTier, of = shadows): Promise<Span> => {
    const started = performance.now();
    const files = [{ path: 'src/part-0/file-0.py', bytes: Buffer.from('changed = True\n'), mode: null }];
    const opened = await of.open({ root, files, forced });
    if (!opened.ok) throw new Error(opened.failure.message);
    const ready = performance.now();
    const wrapper = await opened.value.suiteWrapper();
    if (!wrapper.ok) throw new Error(wrapper.failure.message);
    const closed = performance.now();
    const { ending, exitCode } = await runner.run({
      command: ['/bin/sh', '-c', 'grep -q changed src/part-0/file-0.py && echo x >> src/part-1/file-20.py'],
      cwd: opened.value.root,
      env: { PATH: '/usr/bin:/bin' },
      outputPath: join(rig.scratch, `shadow-output-${String(runs++)}`),
      wrapper: wrapper.value ?? undefined,
    });
    if (ending !== 'exited' || exitCode !== 0) throw new Error(`the run in the ${forced} failed`);
    const ran = performance.now();
    await opened.value.dispose();
    return { readyMs: ready - started, linksMs: closed - ready, runMs: ran - closed, goneMs: performance.now() - ran };
  };
  const firstTree = async (): Promise<Span> => {
    const fresh = createShadows(() => state);
    await fresh.probe();
    return tree('overlay', fresh);
  };
  const plain = (): Promise<Span> => {
    const started = performance.now();
    execFileSync('cp', ['-a', root, join(copies, 'copy')]);
    const ready = performance.now();
    execFileSync('rm', ['-rf', join(copies, 'copy')]);
    return Promise.resolve({
      readyMs: ready - started,
      linksMs: Number.NaN,
      runMs: Number.NaN,
      goneMs: performance.now() - ready,
    });
  };
  const probing = performance.now();
  const { found } = await shadows.probe();
  const probeMs = performance.now() - probing;
  const [firsts = [], overlays = []] = await interleaved(rounds * CHEAP, [firstTree, () => tree('overlay')]);
  const [copied = [], byCp = []] = await interleaved(rounds, [() => tree('copy'), plain]);
  const digests = await interleaved(rounds, [() => timeDigest(rig, root)]);
  rmSync(copies, { recursive: true });

  const ready = (spans: readonly Span[]) => spans.map(({ readyMs }) => readyMs);
  const cp = median(ready(byCp));
  const row = (name: string, spans: readonly Span[]): readonly string[] => [
    name,
    ...[
      ready(spans),
      spans.map(({ linksMs }) => linksMs),
      spans.map(({ runMs }) => runMs),
      spans.map(({ goneMs }) => goneMs),
    ].flatMap((ms) => [showMs(median(ms)), showMs(percentile(ms, 95))]),
    showRatio(median(ready(spans)), cp),
  ];
  const digestMs = digests[0] ?? [];
  return {
    title: `Shadow trees of ${String(SOURCES)} sources and ${String(DEPENDENCIES)} files of dependencies`,
    body: [
      table(
        [
          'tree',
          'ready p50',
          'p95',
          'links p50',
          'p95',
          'a short run p50',
          'p95',
          'gone p50',
          'p95',
          'ready, of cp -a',
        ],
        [
          row('overlay, first in a process', firsts),
          row('overlay, later', overlays),
          row('copy', copied),
          row('cp -a, rm -rf', byCp),
        ],
      ),
      `The first probe took ${showMs(probeMs)} and found ${found}. The digest of the tree: ${showMs(median(digestMs))}.`,
    ],
    targets: [
      { what: 'first overlay: ready, p95', value: percentile(ready(firsts), 95), most: 60, show: showMs },
      { what: 'later overlay: ready, p95', value: percentile(ready(overlays), 95), most: 60, show: showMs },
      {
        what: 'copy: ready, median, of cp -a',
        value: median(ready(copied)) / cp,
        most: 1.6,
        show: (value) => `${value.toFixed(2)}x`,
      },
      { what: 'digest of the tree, median', value: median(digestMs), most: 300, show: showMs },
    ],
  };
}

async function timeDigest(rig: Rig, root: string): Promise<number> {
  const started = performance.now();
  const { entries } = await treeDigest(root, { gitProgram: gitProgram(), env: rig.env, base: rig.folder('digest') });
  if (entries.size < SOURCES) throw new Error('the digest did not take in all sources');
  return performance.now() - started;
}

function gitProgram(): string {
  return execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
}

/** About 70 MB of sources, committed, and 200 MB of dependencies that git ignores. */
function makeLargeRepository(rig: Rig): string {
  const root = rig.folder('large-repository');
  const fill = (below: string, count: number, bytes: number, perFolder: number): void => {
    for (let number = 0; number < count; number += 1) {
      const folder = join(root, below, `part-${String(Math.floor(number / perFolder))}`);
      if (number % perFolder === 0) mkdirSync(folder, { recursive: true });
      const line = `value_${String(number)} = ${String(number)}\n`;
      writeFileSync(join(folder, `file-${String(number)}.py`), line.repeat(Math.ceil(bytes / line.length)));
    }
  };
  fill('src', SOURCES, 3_600, 20);
  writeFileSync(join(root, '.gitignore'), 'node_modules\n');
  commitAll(root, rig.env);
  fill('node_modules', DEPENDENCIES, 6_600, 8);
  return root;
}
