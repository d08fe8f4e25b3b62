/** Keeps every console method off stdout, which belongs to the protocol; code we did not write may print. */
import { Console } from 'node:console';
import type { Writable } from 'node:stream';

/** Points the process's console, all of its methods, at the given stream. */
export function keepConsoleOffStdout(stderr: Writable): void {
  globalThis.console = new Console(stderr, stderr);
}
