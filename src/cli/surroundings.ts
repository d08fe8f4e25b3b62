/** What the process gives the command line: read in main.ts and nowhere else. */
import type { Readable, Writable } from 'node:stream';
import type { StopEvents } from '../stdio/serve.ts';

export interface Surroundings {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  /** Root of the installed package. */
  readonly packageFolder: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly process: StopEvents;
  /** Ends the process at once, whatever still runs in it. */
  readonly exit: (code: number) => void;
}
