/** The words of the plan: a trial is one fault at one step; a suite is all trials of one playground. */

export interface Verdict {
  readonly violations: readonly string[];
  /** The fault did not strike where it was meant to: the trial shows nothing. */
  readonly isMissed?: boolean;
  /** A foreign replacement in the one window that is documented as open. */
  readonly isResidual?: boolean;
  /** A foreign edit in place in that same window, which was kept. */
  readonly isKeptInWindow?: boolean;
}

export interface Trial {
  /** `npm run faults -- --only <id>` runs exactly this one. */
  readonly id: string;
  /** Column of the table. */
  readonly fault: string;
  run(): Promise<Verdict>;
}

export interface Suite {
  /** Row of the table; also the start of the ids of its trials. */
  readonly name: string;
  /** What must be found, because the suite writes in a way that is known to be unsafe. */
  readonly isControl: boolean;
  /** Looks at a clean run and lists the trials. */
  plan(): Promise<readonly Trial[]>;
  /** Lets go of what the suite holds outside its folder. */
  close(): Promise<void>;
}
