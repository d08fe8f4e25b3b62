/** Disks that are really full: a small tmpfs without room or without inodes, and a limit on the size of files. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judge, settle } from './judge.ts';
import { makePlayground, stopAfter, type Playground, type PlaygroundOptions } from './playground.ts';
import type { Scenario } from './scenario.ts';
import type { Suite, Trial, Verdict } from './trial.ts';

const PAGE = 4096;
const SIZE = '2m';
const INODES = 60;
const MOST_FREE_PAGES = 12;
const LIMITS = [0, 1, 100, 520, 700, 1500, PAGE, 1 << 20, 1_300_100, 2_000_000];

/** Writes and rollbacks on a tmpfs that is full before, or gets full after each step. Needs the right to mount. */
export function fullDiskSuite(scenario: Scenario, options: PlaygroundOptions): Suite {
  const name = `full/${scenario.name}`;
  const mount = join(options.base, `full-${scenario.name}`);
  let playground: Playground | undefined;
  return {
    name,
    isControl: false,
    plan: async () => {
      mkdirSync(mount);
      const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},nr_inodes=${INODES}`, 'surepatch', mount]);
      if (made.status !== 0) {
        process.stderr.write(`${name}: no mount here, nothing is shown about a full disk\n`);
        return [];
      }
      const ground = makePlayground(scenario, { ...options, base: `${mount}-files`, folder: join(mount, 'play') });
      playground = ground;
      const { steps } = await ground.run('write', null);
      const before: Trial[] = Array.from({ length: MOST_FREE_PAGES }, (_, pages) => ({
        id: `${name}/free@${pages}-pages`,
        fault: 'full before',
        run: () => fillBefore(ground, mount, pages),
      }));
      const between = steps.flatMap((step): Trial[] =>
        (['room', 'inodes'] as const).map((what) => ({
          id: `${name}/no-${what}@${step.index}-${step.call}`,
          fault: 'full in between',
          run: async () => {
            emptyOf(mount);
            const run = await ground.run('write', stopAfter(step), ground.start, (log, pid) => {
              if (!log.includes('stopped by SIGSTOP')) return false;
              if (what === 'room') fillUp(mount, 0);
              else useInodes(mount);
              process.kill(pid, 'SIGCONT');
              return true;
            });
            return run.wasStruck ? verdictOf(ground, run.answer, mount) : { violations: [], isMissed: true };
          },
        })),
      );
      return [...before, ...between];
    },
    close: async () => {
      await playground?.close();
      if (playground !== undefined) spawnSync('umount', [mount]);
    },
  };
}

async function fillBefore(playground: Playground, mount: string, pages: number): Promise<Verdict> {
  emptyOf(mount);
  playground.putUp(playground.start);
  fillUp(mount, pages);
  const { answer } = await playground.run('write', null, playground.now());
  return verdictOf(playground, answer, mount);
}

/** Recovery has to manage on the full disk too, unless there is not even a state folder yet. */
function verdictOf(playground: Playground, answer: Parameters<typeof settle>[1], mount: string): Verdict {
  const left = playground.now();
  if (playground.scenario.isFirstUse) emptyOf(mount);
  const violations = judge(playground, { ...settle(playground, answer), left });
  emptyOf(mount);
  return { violations };
}

function fillUp(mount: string, freePages: number): void {
  const { bavail, bsize } = statfsSync(mount);
  const bytes = bavail * bsize - freePages * PAGE;
  if (bytes > 0) writeFileSync(join(mount, 'ballast'), Buffer.alloc(bytes));
}

function useInodes(mount: string): void {
  const folder = mkdtempSync(join(mount, 'inodes-'));
  for (let left = statfsSync(mount).ffree; left > 0; left -= 1) writeFileSync(join(folder, String(left)), '');
}

function emptyOf(mount: string): void {
  rmSync(join(mount, 'ballast'), { force: true });
  spawnSync('find', [mount, '-maxdepth', '1', '-name', 'inodes-*', '-exec', 'rm', '-rf', '{}', '+']);
}

/** Writes of a process that may not make a file larger than so many bytes: real short writes, then EFBIG. */
export function limitSuite(scenario: Scenario, options: PlaygroundOptions): Suite {
  const name = `limit/${scenario.name}`;
  return {
    name,
    isControl: false,
    plan: () =>
      Promise.resolve(
        LIMITS.map((limit) => ({
          id: `${name}/fsize@${limit}`,
          fault: 'RLIMIT_FSIZE',
          run: async () => {
            const base = join(options.base, 'limit', String(limit));
            const through = ['prlimit', `--fsize=${limit}`];
            const playground = makePlayground(scenario, { ...options, base, through });
            const { answer } = await playground.run('write', null);
            await playground.close();
            const isSilent = answer === null ? ['the process died of the limit'] : [];
            return { violations: [...isSilent, ...judge(playground, settle(playground, answer))] };
          },
        })),
      ),
    close: () => Promise.resolve(),
  };
}
