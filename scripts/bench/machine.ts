/** What the figures were measured on: nothing that names the machine or its owner. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';

export interface Machine {
  /** One line. */
  readonly facts: string;
  /** Processes that wanted to run, mean of the last minute. */
  readonly load: number;
  readonly cores: number;
}

/** Describes this machine at this moment; `folder` tells the file system. */
export function describeMachine(folder: string): Machine {
  const processors = cpus();
  const load = loadavg()[0] ?? Number.NaN;
  const facts = [
    `${processors[0]?.model.trim() ?? 'unknown CPU'}, ${String(processors.length)} cores`,
    `${(totalmem() / 2 ** 30).toFixed(0)} GiB memory`,
    `${platform()} ${release().split('-')[0] ?? ''} (${arch()})`,
    fileSystemOf(folder),
    `Node ${process.versions.node}`,
    said('git', ['--version']),
    said('patch', ['--version']),
    `load ${load.toFixed(1)} at the start`,
    new Date().toISOString().slice(0, 10),
  ];
  return { facts: `${facts.filter((fact) => fact !== '').join('; ')}.`, load, cores: processors.length };
}

/** The type of the mount that the folder lies in: the longest mount point that leads to it. */
function fileSystemOf(folder: string): string {
  try {
    const mounts = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '));
    const over = mounts
      .filter(([, point = '-']) => folder === point || folder.startsWith(point.endsWith('/') ? point : `${point}/`))
      .sort(([, one = ''], [, other = '']) => other.length - one.length);
    return over[0]?.[2] ?? '';
  } catch {
    return '';
  }
}

function said(program: string, argv: readonly string[]): string {
  try {
    return execFileSync(program, argv, { encoding: 'utf8' }).split('\n', 1)[0]?.trim() ?? '';
  } catch {
    return `no ${program}`;
  }
}
