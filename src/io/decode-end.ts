/** Reads how a command ended from what its wrapper reported. Pure; must never turn a missing report into an exit code. */
import { constants } from 'node:os';

export interface CommandEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/**
 * Decodes the report of the first process of a namespace, `<number>\n`; null when it is not one. A shell adds 128 to the signal
 * that ended its child, so a command that itself exits with such a number is told as ended by that signal.
 */
export function decodeReport(status: string): CommandEnd | null {
  if (!/^\d{1,3}\n$/.test(status)) return null;
  const code = Number(status);
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  return signal === undefined ? { exitCode: code, signal: null } : { exitCode: null, signal: signal[0] };
}
