/** What a run of the test command asks and answers. Says nothing of whether the answer is good: that is judged elsewhere. */
import type { Isolation } from './isolation.ts';

/** Where a program was found; the last two are folders of the project itself and are named in the result. */
export type ProgramOrigin = 'path' | 'virtual_environment' | 'node_modules' | 'operator';

export interface FoundProgram {
  /** Absolute, as found: a link is not resolved, because a virtual environment is recognised by its link. */
  readonly path: string;
  readonly origin: ProgramOrigin;
}

/** What goes around a command so that nothing of it outlives the run, and what that is, in words. */
export interface RunWrapper {
  readonly kind: 'pid_namespace' | 'process_group';
  /** What goes in front of the command. */
  readonly prefix: readonly string[];
  readonly probe: string;
}

export interface RunRequest {
  /** The absolute program, then its arguments exactly as they are to arrive. */
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment; nothing is added to it but the id of the run. */
  readonly env: Readonly<Record<string, string>>;
  /** A file that must not exist yet; it receives everything the command prints, and stays. */
  readonly outputPath: string;
  /** How long the run may take, its end by force included; 120,000 when absent. */
  readonly timeoutMs?: number | undefined;
  /** The size of the output, in bytes, at which the run is ended; 8 GiB when absent. */
  readonly outputLimitBytes?: number | undefined;
  /** How long a cancelled command may tidy up before it is killed; 2,000 when absent. */
  readonly graceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Where the command runs in a shadow tree: that tree's wrapper, instead of the runner's own. */
  readonly wrapper?: RunWrapper | undefined;
}

/** `exited` is the command's own end, by exit code or signal; all others are ours, or a start that failed. */
export type RunEnding = 'exited' | 'timed_out' | 'cancelled' | 'output_limit' | 'not_started';

export interface RunOutcome {
  readonly ending: RunEnding;
  /** Null when a signal ended the command, or nothing started. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  /** Why nothing started, in words; null otherwise. */
  readonly startError: string | null;
  /** The first and last part of the output, with a line between them that says how much is left out. */
  readonly output: string;
  readonly outputBytes: number;
  readonly outputTruncated: boolean;
  readonly outputPath: string;
  readonly isolation: Isolation;
  /** Ids of processes that outlived every attempt to end them; anything but empty is a broken machine. */
  readonly survivors: readonly number[];
}
