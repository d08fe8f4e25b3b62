/**
 * Power loss, as far as a file system image can show it: the process is killed at a step, the image behind the loop
 * mount is copied without any sync, and the copy is mounted, recovered and judged. Needs root and loop devices.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { killSteps } from './io-suite.ts';
import type { Answer } from './job.ts';
import { judge, settle } from './judge.ts';
import { killAt, makePlayground, type Playground, type PlaygroundOptions } from './playground.ts';
import type { Scenario } from './scenario.ts';
import type { Step } from './trace.ts';
import type { Suite, Trial, Verdict } from './trial.ts';

/** No flush but those that were asked for: neither by renaming nor by time. */
const MOUNT_OPTIONS = 'loop,noauto_da_alloc,commit=300';
const SIZE = '24M';

/** What the controls leave out; the third fsync of a write is that of the new file. */
const UNSYNCED: Readonly<Record<string, readonly string[]>> = {
  unsynced: ['fsync,fdatasync:retval=0'],
  'unsynced-file': ['fsync:retval=0:when=3'],
};

interface Disk {
  readonly image: string;
  readonly copy: string;
  readonly mount: string;
}

/** The suite of a scenario; with the writer `unsynced` it must find violations. */
export function powerLossSuite(scenario: Scenario, options: PlaygroundOptions): Suite {
  const name = `power/${scenario.name}`;
  const base = join(options.base, 'power', scenario.name);
  const disk: Disk = { image: join(base, 'image'), copy: join(base, 'copy'), mount: join(base, 'mount') };
  let playground: Playground | undefined;
  return {
    name,
    isControl: scenario.writer !== 'surepatch',
    plan: async () => {
      mkdirSync(disk.mount, { recursive: true });
      const why = makeDisk(disk);
      if (why !== null) {
        process.stderr.write(`${name}: no loop mount here (${why}), nothing is shown about power loss\n`);
        return [];
      }
      const beforeRun = (): void => {
        must('sync', ['-f', disk.mount]);
      };
      const inject = UNSYNCED[scenario.writer] ?? [];
      const ground = makePlayground(scenario, {
        ...options,
        base,
        inject,
        folder: join(disk.mount, 'play'),
        beforeRun,
      });
      playground = ground;
      const { steps } = await ground.run('write', null);
      const isThere = steps.some(({ line }) => line.startsWith('fsync(') && /\.tmp>\) += 0 \(INJECTED/u.test(line));
      if (scenario.writer !== 'surepatch' && !isThere) throw new Error('the control leaves out another fsync');
      const trials = killSteps(steps).map((step): Trial => ({
        id: `${name}/loss@${step.index}-${step.call}`,
        fault: 'power loss',
        run: () => lose(ground, disk, step),
      }));
      return [...trials, { id: `${name}/loss@end`, fault: 'power loss', run: () => lose(ground, disk, null) }];
    },
    close: async () => {
      await playground?.close();
      if (existsSync(disk.image)) spawnSync('umount', [disk.mount]);
    },
  };
}

function makeDisk({ image, mount }: Disk): string | null {
  return (
    run('truncate', ['-s', SIZE, image]) ??
    run('mkfs.ext4', ['-q', '-F', image]) ??
    run('mount', ['-o', MOUNT_OPTIONS, image, mount])
  );
}

/** Kills at the step (or lets the write end), and goes on with what the disk alone would have kept. */
async function lose(playground: Playground, disk: Disk, step: Step | null): Promise<Verdict> {
  const done = await playground.run('write', step === null ? null : killAt(step));
  if (!done.wasStruck) return { violations: [], isMissed: true };
  rmSync(disk.copy, { force: true });
  must('cp', ['--sparse=always', disk.image, disk.copy]);
  must('umount', [disk.mount]);
  must('mount', ['-o', MOUNT_OPTIONS, disk.copy, disk.mount]);
  const violations = judgeCopy(playground, done.answer);
  must('umount', [disk.mount]);
  must('mount', ['-o', MOUNT_OPTIONS, disk.image, disk.mount]);
  return { violations };
}

function judgeCopy(playground: Playground, answer: Answer | null): readonly string[] {
  try {
    // An answer says nothing about tidiness after a power loss, so only what it promised of the file is judged.
    return judge(playground, settle(playground, answer)).filter((line) => !line.startsWith('I4 when answered'));
  } catch (error) {
    return [`after the power loss the files cannot be read: ${error instanceof Error ? error.message : 'no reason'}`];
  }
}

/** Runs a command; null when it succeeded, else why not. */
function run(program: string, words: readonly string[]): string | null {
  const { status, stderr, error } = spawnSync(program, words, { encoding: 'utf8' });
  if (status === 0) return null;
  return error?.message ?? `${program}: ${stderr.trim()}`;
}

function must(program: string, words: readonly string[]): void {
  const why = run(program, words);
  if (why !== null) throw new Error(`the rig of the power loss broke: ${why}`);
}
