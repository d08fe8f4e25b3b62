/** How a test run was confined, in the field names of the wire. */

/** What kept the test command in; `none` means that it could do whatever the user can. */
export interface Isolation {
  readonly level: 'none';
  /** How the run's processes are held together and ended. */
  readonly processes: 'pid_namespace' | 'process_group';
  readonly network: 'host';
  /** What the start-up probe found, in words. */
  readonly probe: string;
}
