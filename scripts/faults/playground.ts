/** A place with a driver process at work in it: one trial after another, each from the same start. */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Answer, Job } from './job.ts';
import { makePlace, type Place } from './place.ts';
import type { Scenario } from './scenario.ts';
import { createSubject, type Done } from './subject.ts';
import { linkedPaths, stepsIn, tookStep, type Step } from './trace.ts';
import type { Picture } from './tree.ts';

const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), 'index.js');

export interface Fault {
  /** What is done, in strace's own words. */
  readonly deed: string;
  /** The step of the clean run that it is done at. */
  readonly step: Step;
  /** Done at every later call of the same name too. */
  readonly isLasting: boolean;
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
  const isNarrow = (options.inject ?? []).length === 0;
  const files = new Set<string>();
  const links = new Set<string>();
  let usual = 0;
  return {
    ...place,
    run: async (kind, fault, from = place.start, meanwhile) => {
      place.putUp(from);
      options.beforeRun?.();
      const through = fault === null || !isNarrow ? null : fault.step.through;
      const words = fault === null ? [] : [wordsOf(fault, through?.nth)];
      const done = await subject.run(jobs[kind], {
        inject: [...lasting, ...words],
        paths: through === null ? [] : [...files, ...links],
        ...(meanwhile === undefined ? {} : { meanwhile }),
      });
      const steps = stepsIn(done.log, place.folder);
      if (fault === null) {
        for (const { through: seen } of steps) if (seen !== null) files.add(seen.path);
        if (scenario.isLinkless) for (const path of linkedPaths(steps)) links.add(path);
      }
      // A process that was killed has been started anew, so there is nothing to compare with.
      const leaked = usual === 0 || done.line === null ? 0 : done.descriptors - usual;
      usual = done.descriptors;
      return {
        answer: done.line === null ? null : (JSON.parse(done.line) as Answer),
        steps,
        wasStruck: fault === null || (through === null ? tookStep(steps, fault.step) : didStrike(fault, done)),
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

/** Tells from the log of one file's calls whether the fault struck. */
function didStrike({ deed, step }: Fault, { line, log, wasTimedOut }: Done): boolean {
  if (deed === 'signal=KILL') return line === null && !wasTimedOut;
  if (deed === 'signal=STOP') return log.includes('stopped by SIGSTOP');
  return new RegExp(`^${step.call}\\(.*\\(INJECTED\\)`, 'mu').test(log);
}

/** The fault that kills the process as it is about to take a step. */
export function killAt(step: Step): Fault {
  return { deed: 'signal=KILL', step, isLasting: false };
}

/** The fault that stops the process once it has taken a step. */
export function stopAfter(step: Step): Fault {
  return { deed: 'signal=STOP', step, isLasting: false };
}

/** The fault that makes a step fail, and with `isLasting` every later call of the same name too. */
export function failAt(step: Step, errno: string, isLasting: boolean): Fault {
  return { deed: `error=${errno}`, step, isLasting };
}

/** The fault of a disk that says it wrote `count` bytes and wrote none. */
export function lieAt(step: Step, count: number): Fault {
  return { deed: `retval=${count}`, step, isLasting: false };
}

/** The fault in strace's words, at the nth call of its name. */
export function wordsOf({ deed, step, isLasting }: Fault, nth = step.nth): string {
  return `${step.call}:${deed}:when=${nth}${isLasting ? '+' : ''}`;
}
