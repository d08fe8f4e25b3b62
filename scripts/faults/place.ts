/** The files of a trial: a root with one target and neighbours, and a state folder; looked at and put back as wanted. */
import { chmodSync, chownSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recover, type Recovery } from '../../src/io/recover.ts';
import { openHistory, type HistoryStore } from '../../src/io/history-store.ts';
import type { History } from '../../src/model/history.ts';
import { rememberRecovered } from '../../src/usecases/with-root.ts';
import { openRootJournal, rootState } from './driver.ts';
import { imagesOf, type Images, type Scenario } from './scenario.ts';
import { picture, putUp, type Picture } from './tree.ts';

const MODE = 0o640;
const OTHER_USER = 4321;
const TARGET = 'root/src/app.txt';

export interface Place {
  readonly scenario: Scenario;
  /** Holds `root` and `state`. */
  readonly folder: string;
  readonly root: string;
  readonly stateHome: string;
  /** The target, relative to `folder`, and its absolute path. */
  readonly target: string;
  readonly targetPath: string;
  readonly images: Images;
  /** What a trial starts from. */
  readonly start: Picture;
  /** Recovers in this process, without faults. */
  recover(): Recovery;
  /** What is remembered now. */
  history(): History;
  now(): Picture;
  putUp(wanted: Picture): void;
}

/** Makes the files of a scenario in a folder; `prepare` adds to the root what the scenario needs besides. */
export function makePlace(
  scenario: Scenario,
  folderPath: string,
  images: Images = imagesOf(scenario),
  prepare: (root: string) => void = () => undefined,
): Place {
  mkdirSync(join(folderPath, 'root', 'src'), { recursive: true });
  const folder = realpathSync(folderPath);
  const [root, stateHome] = [join(folder, 'root'), join(folder, 'state')];
  fill(folder, images);
  prepare(root);
  mkdirSync(stateHome, { mode: 0o700 });
  if (!scenario.isFirstUse) openRootJournal(stateHome, root).close();
  return {
    scenario,
    folder,
    root,
    stateHome,
    target: TARGET,
    targetPath: join(folder, TARGET),
    images,
    start: picture(folder),
    recover: () => {
      const journal = openRootJournal(stateHome, root);
      try {
        const store = historyOf(stateHome, root);
        store.tidy();
        return recover(root, journal, (intent, ending) => {
          rememberRecovered(store, intent, ending, Date.now());
        });
      } finally {
        journal.close();
      }
    },
    history: () => historyOf(stateHome, root).read(),
    now: () => picture(folder),
    putUp: (wanted) => {
      putUp(folder, wanted);
    },
  };
}

function historyOf(stateHome: string, root: string): HistoryStore {
  const { folder, key } = rootState(stateHome, root);
  return openHistory(folder, key);
}

function fill(folder: string, { preimage }: Images): void {
  const files: readonly [string, string | Buffer][] = [
    ['root/README', 'a neighbour\n'],
    [TARGET, preimage],
    ['root/src/other.txt', 'another neighbour\n'],
    // A backup of an earlier write: never ours to touch.
    [`${TARGET}.reforge-bak`, 'an older backup\n'],
  ];
  for (const [path, bytes] of files) writeFileSync(join(folder, path), bytes);
  chmodSync(join(folder, TARGET), MODE);
  if (process.geteuid?.() === 0) chownSync(join(folder, TARGET), OTHER_USER, OTHER_USER);
}
