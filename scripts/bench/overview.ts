/** repo_overview of a repository of 20,000 files, beside `git status` of the same: the first call, and warm ones. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from './client.ts';
import { commitAll } from './repository.ts';
import type { Rig } from './rig.ts';
import type { Section } from './section.ts';
import { interleaved, median, percentile } from './statistics.ts';
import { showMs, showRatio, table } from './table.ts';

const FILES = 20_000;
const PER_FOLDER = 100;
const SUFFIXES = ['py', 'ts', 'js', 'md'];

/** Measures `rounds` warm calls of each kind, through a client, on one server. */
export async function measureOverview(rig: Rig, rounds: number): Promise<Section> {
  const root = makeRepository(rig);
  const status = (): Promise<number> => {
    const started = performance.now();
    execFileSync('git', ['status', '--porcelain=v2', '--branch', '-uall'], { cwd: root, env: rig.env });
    return Promise.resolve(performance.now() - started);
  };
  await status();
  const { client, call } = await serve(rig, [rig.main, 'serve', '--root', root]);
  const overview = (given: Readonly<Record<string, unknown>>) => () => call('repo_overview', given);
  const first = await overview({})();
  const whole = await overview({ consistency: 'wait_until_indexed' })();
  const [byGit = [], latest = [], waited = []] = await interleaved(rounds, [
    status,
    overview({}),
    overview({ consistency: 'wait_until_indexed' }),
  ]);
  await client.close();

  const git = median(byGit);
  const row = (name: string, ms: readonly number[]): readonly string[] => [
    name,
    showMs(median(ms)),
    showMs(percentile(ms, 95)),
    showRatio(median(ms), git),
  ];
  return {
    title: `repo_overview of ${String(FILES)} files`,
    body: [
      table(
        ['call', 'p50', 'p95', 'of git status'],
        [
          row('git status', byGit),
          row('repo_overview, latest_available', latest),
          row('repo_overview, wait_until_indexed', waited),
        ],
      ),
      `The first call of the server was answered after ${showMs(first)}, a whole look was there ${showMs(whole)} later.`,
    ],
    targets: [
      { what: 'overview of 20,000 files, warm, median', value: median(waited), most: 300, show: showMs },
      {
        what: 'overview of 20,000 files, latest_available, p95',
        value: percentile(latest, 95),
        most: 300,
        show: showMs,
      },
    ],
  };
}

function makeRepository(rig: Rig): string {
  const root = rig.folder('overview-repository');
  for (let number = 0; number < FILES; number += 1) {
    const folder = join(root, `src/part-${String(Math.floor(number / PER_FOLDER))}`);
    if (number % PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    const suffix = SUFFIXES[number % SUFFIXES.length] ?? '';
    writeFileSync(join(folder, `file-${String(number)}.${suffix}`), `value ${String(number)}\n`);
  }
  commitAll(root, rig.env);
  return root;
}
