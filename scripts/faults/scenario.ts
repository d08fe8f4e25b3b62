/** What is written in a trial and how it ends; every scenario is met by every kind of fault. */
import { randomBytes } from 'node:crypto';

export interface Scenario {
  readonly name: string;
  /** A test command judges the write; `passes` is what it says. */
  readonly tested: boolean;
  readonly passes: boolean;
  /** False when git holds the preimage, so that no backup is kept. */
  readonly keepBackup: boolean;
  /** The file system has no hard links. */
  readonly isLinkless: boolean;
  /** Nothing of the state folder is there yet. */
  readonly isFirstUse: boolean;
  /** Both images are larger than one block of a write. */
  readonly isLarge: boolean;
  /**
   * `naive` copies and overwrites. `unsynced` is Surepatch where fsync does nothing, `unsynced-file` where it does
   * nothing for the new file only. Each of these must be caught.
   */
  readonly writer: 'surepatch' | 'naive' | 'unsynced' | 'unsynced-file';
}

const PLAIN: Omit<Scenario, 'name'> = {
  tested: false,
  passes: true,
  keepBackup: false,
  isLinkless: false,
  isFirstUse: false,
  isLarge: false,
  writer: 'surepatch',
};

export const SCENARIOS: readonly Scenario[] = [
  { ...PLAIN, name: 'untested-clean' },
  { ...PLAIN, name: 'untested-keep', keepBackup: true },
  { ...PLAIN, name: 'passing-clean', tested: true },
  { ...PLAIN, name: 'passing-keep', tested: true, keepBackup: true },
  { ...PLAIN, name: 'failing-clean', tested: true, passes: false },
  { ...PLAIN, name: 'failing-keep', tested: true, passes: false, keepBackup: true },
  { ...PLAIN, name: 'linkless-untested', isLinkless: true, keepBackup: true },
  { ...PLAIN, name: 'linkless-failing', isLinkless: true, tested: true, passes: false },
  { ...PLAIN, name: 'first-use-failing', isFirstUse: true, tested: true, passes: false },
  { ...PLAIN, name: 'large-failing', isLarge: true, tested: true, passes: false },
];

/** The scenarios that the whole product goes through: each way for a write to end, with git and without. */
export const CLI_SCENARIOS: readonly Scenario[] = SCENARIOS.filter(({ name }) =>
  ['untested-keep', 'passing-clean', 'failing-clean', 'failing-keep'].includes(name),
);

export const NAIVE_SCENARIOS: readonly Scenario[] = [
  { ...PLAIN, name: 'naive-untested', writer: 'naive', keepBackup: true },
  { ...PLAIN, name: 'naive-failing', writer: 'naive', tested: true, passes: false },
];

/** The scenarios of the power loss rig; the last two must be caught. */
export const POWER_LOSS_SCENARIOS: readonly Scenario[] = [
  { ...PLAIN, name: 'untested-keep', keepBackup: true },
  { ...PLAIN, name: 'passing-clean', tested: true },
  { ...PLAIN, name: 'failing-clean', tested: true, passes: false },
  { ...PLAIN, name: 'first-use-failing', isFirstUse: true, tested: true, passes: false },
  { ...PLAIN, name: 'unsynced-keep', writer: 'unsynced', keepBackup: true },
  { ...PLAIN, name: 'unsynced-file-keep', writer: 'unsynced-file', keepBackup: true },
];

/** Name of the one write of a trial: also that of its temporary file. */
export const WRITE_ID = '5eed'.repeat(8);

export interface Images {
  readonly preimage: Buffer;
  readonly postimage: Buffer;
}

/** The bytes before and after: line endings mixed, no final newline, bytes that are no UTF-8. */
export function imagesOf({ isLarge }: Scenario): Images {
  const lines = ['first line\r\n', 'second line\n', 'third line\r', '\u00e9\u4e16\n', 'no newline at the end'];
  const preimage = Buffer.concat([Buffer.from(lines.join('')), Buffer.from([0xff, 0xfe, 0x00])]);
  const postimage = Buffer.concat([Buffer.from('first line, changed\r\n'), preimage.subarray(12), Buffer.from('!')]);
  if (!isLarge) return { preimage, postimage };
  const filler = randomBytes(1_300_000);
  return {
    preimage: Buffer.concat([preimage, filler, filler]),
    postimage: Buffer.concat([postimage, filler, preimage]),
  };
}
