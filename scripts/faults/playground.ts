/** A place with a driver process at work in it: one trial after another, each from the same start. */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Answer, Job } from './job.ts';
import { makePlace, type Place } from './place.ts';
import type { Scenario } from './scenario.ts';
import { createSubject } from './subject.ts';
import { stepsIn, tookStep, type Step } from './trace.ts';
import type { Picture } from './tree.ts';

const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), 'index.js');

export interface Fault {
  /** strace's own words. */
  readonly inject: readonly string[];
  /** The step of the clean run that it is meant for. */
  readonly step: Step;
}

/** Looks at the log of a run under way, until it returns true. */
export type Meanwhile = (log: string, pid: number) => boolean;

export interface Run {
  /** Null when the process died before it could answer. */
  readonly answer: Answer | null;
  readonly steps: readonly Step[];
  /** The process came to the step that the fault was set for. */
  readonly wasStruck: boolean;
  readonly wasTimedOut: boolean;
  /** Descriptors more than before the job that the process still has open. */
  readonly leaked: number;
}

export interface Playground extends Place {
  /** Runs the driver from the picture given (from the start where none is). */
  run(kind: Job['kind'], fault: Fault | null, from?: Picture, meanwhile?: Meanwhile): Promise<Run>;
  close(): Promise<void>;
}

export interface PlaygroundOptions {
  /** Folder for the files of all playgrounds. */
  readonly base: string;
  readonly env: Readonly<Record<string, string>>;
  /** Faults of the whole scenario, in strace's words. */
  readonly inject?: readonly string[];
  /** Folder of the place, where that is to be on another file system. */
  readonly folder?: string;
  /** Program and words that the driver is started through. */
  readonly through?: readonly string[];
  /** Called when the files of a trial are in place, before it starts. */
  readonly beforeRun?: () => void;
}

/** Makes the files of a scenario in `<base>/<scenario>`. */
export function makePlayground(scenario: Scenario, options: PlaygroundOptions): Playground {
  mkdirSync(join(options.base, scenario.name), { recursive: true });
  const home = realpathSync(join(options.base, scenario.name));
  const place = makePlace(scenario, options.folder ?? join(home, 'play'));
  const linkless = scenario.isLinkless ? ['link,linkat:error=EPERM'] : [];
  const lasting = [...linkless, ...(options.inject ?? [])];
  const jobs = writeJobs(place, home);
  const command = [...(options.through ?? []), process.execPath, '--single-threaded', PROGRAM, 'drive'];
  const subject = createSubject(command, options.env, join(home, 'trace'));
  let usual = 0;
  return {
    ...place,
    run: async (kind, fault, from = place.start, meanwhile) => {
      place.putUp(from);
      options.beforeRun?.();
      const inject = [...lasting, ...(fault?.inject ?? [])];
      const done = await subject.run(jobs[kind], { inject, ...(meanwhile === undefined ? {} : { meanwhile }) });
      const steps = stepsIn(done.log, place.folder);
      // A process that was killed has been started anew, so there is nothing to compare with.
      const leaked = usual === 0 || done.line === null ? 0 : done.descriptors - usual;
      usual = done.descriptors;
      return {
        answer: done.line === null ? null : (JSON.parse(done.line) as Answer),
        steps,
        wasStruck: fault === null || tookStep(steps, fault.step),
        wasTimedOut: done.wasTimedOut,
        leaked,
      };
    },
    close: () => subject.close(),
  };
}

function writeJobs({ scenario, root, stateHome, images }: Place, home: string): Readonly<Record<Job['kind'], string>> {
  const postimage = join(home, 'postimage');
  writeFileSync(postimage, images.postimage);
  const jobs = { write: join(home, 'write.json'), recover: join(home, 'recover.json') };
  for (const kind of ['write', 'recover'] as const) {
    const job: Job = { kind, scenario, root, stateHome, folder: ['src'], name: 'app.txt', postimage };
    writeFileSync(jobs[kind], JSON.stringify(job));
  }
  return jobs;
}

/** The fault that kills the process as it is about to take a step. */
export function killAt(step: Step): Fault {
  return { inject: [`${step.call}:signal=KILL:when=${step.nth}`], step };
}

/** The fault that stops the process once it has taken a step. */
export function stopAfter(step: Step): Fault {
  return { inject: [`${step.call}:signal=STOP:when=${step.nth}`], step };
}

/** The fault that makes a step fail, and with `persistent` every later call of the same name too. */
export function failAt(step: Step, errno: string, persistent: boolean): Fault {
  return { inject: [`${step.call}:error=${errno}:when=${step.nth}${persistent ? '+' : ''}`], step };
}

/** The fault of a disk that says it wrote `count` bytes and wrote none. */
export function lieAt(step: Step, count: number): Fault {
  return { inject: [`${step.call}:retval=${count}:when=${step.nth}`], step };
}
