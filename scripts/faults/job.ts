/** What the harness hands to a driver process and what comes back; and the paths that mark its trace. */
import type { Scenario } from './scenario.ts';

export interface Job {
  readonly kind: 'write' | 'recover';
  readonly scenario: Scenario;
  /** Real path of the root. */
  readonly root: string;
  readonly stateHome: string;
  readonly folder: readonly string[];
  readonly name: string;
  /** Path of a file with the bytes to write. */
  readonly postimage: string;
}

export interface Answer {
  /**
   * `kept`: success was answered. `put_back`: the tests failed and the file is as before. `refused`: a failure, and
   * the file is as before. `failed`: a failure that leaves the file to the next start. `conflict`: somebody else's
   * bytes are in the file. `recovered`: the answer of a recovery.
   */
  readonly outcome: 'kept' | 'put_back' | 'refused' | 'failed' | 'conflict' | 'recovered';
  /** Everything that a caller would read. */
  readonly words: string;
}

/** A driver looks these up; they do not exist, but the trace shows where the part to inject into starts and ends. */
export const MARKS = { begin: '/surepatch-mark-begin', read: '/surepatch-mark-read', end: '/surepatch-mark-end' };
