/**
 * The invariants, judged by what is on disk: an observer that shares no code with the product. Each function returns one
 * sentence per violation.
 */
import type { Recovery } from '../../src/io/recover.ts';
import type { History } from '../../src/model/history.ts';
import type { Answer } from './job.ts';
import type { Place } from './place.ts';
import { differences, type Entry, type Picture } from './tree.ts';

const AFTER_RECOVERY = 'I4 after recovery';

/** What a trial left, before and after two recoveries. */
export interface Outcome {
  readonly answer: Answer | null;
  readonly left: Picture;
  readonly recovery: Recovery;
  readonly recovered: Picture;
  readonly again: Recovery;
  readonly recoveredAgain: Picture;
  /** What is remembered in the end. */
  readonly history: History;
}

/** Recovers twice, taking a picture each time. */
export function settle(place: Place, answer: Answer | null): Outcome {
  const left = place.now();
  const recovery = place.recover();
  const recovered = place.now();
  const again = place.recover();
  return { answer, left, recovery, recovered, again, recoveredAgain: place.now(), history: place.history() };
}

/** Judges a trial in which nobody but Surepatch touched the files. */
export function judge(place: Place, outcome: Outcome): readonly string[] {
  const { left, recovered } = outcome;
  return [
    ...targetIsWhole(place, left, 'I1 at the end of the process'),
    ...targetIsWhole(place, recovered, 'I1 after recovery'),
    ...answerHolds(place, outcome),
    ...nothingIsLeft(place, outcome),
    ...othersAreSame(place, left, 'I6 at the end of the process'),
    ...othersAreSame(place, recovered, 'I6 after recovery'),
    ...recoveryIsStable(outcome),
    ...outcome.recovery.unresolved.map(({ file }) => `I3: recovery gave up on ${file}`),
    ...outcome.recovery.notes.filter((note) => note.includes('set aside')).map((note) => `I4: ${note}`),
  ];
}

/** I1: the bytes of before or of after, with the mode and the owner of before. */
function targetIsWhole(place: Place, seen: Picture, when: string): readonly string[] {
  const now = at(seen, place.target);
  const was = at(place.start, place.target);
  if (now?.kind !== 'file' || was === undefined) return [`${when}: the target is no file`];
  const faults: string[] = [];
  if (imageOf(place, seen) === 'neither') faults.push(`${when}: the target is torn (${now.bytes.length} bytes)`);
  if (now.mode !== was.mode) faults.push(`${when}: mode ${now.mode.toString(8)} instead of ${was.mode.toString(8)}`);
  if (now.uid !== was.uid || now.gid !== was.gid) faults.push(`${when}: owner ${now.uid}:${now.gid}`);
  return faults;
}

/** Which of the two images the target holds. */
export function imageOf(place: Place, seen: Picture): 'preimage' | 'postimage' | 'neither' {
  const bytes = at(seen, place.target)?.bytes;
  if (bytes?.equals(place.images.preimage) === true) return 'preimage';
  return bytes?.equals(place.images.postimage) === true ? 'postimage' : 'neither';
}

/** I2 and I3: what was answered is so, and stays so; without an answer the tests decide. */
function answerHolds(place: Place, { answer, left, recovered }: Outcome): readonly string[] {
  const { tested, passes } = place.scenario;
  const [before, after] = [imageOf(place, left), imageOf(place, recovered)];
  const faults: string[] = [];
  const expect = (wanted: string, rule: string): void => {
    if (after !== wanted) faults.push(`${rule}, but after recovery the target is the ${after}`);
  };
  if (answer?.outcome === 'kept') {
    if (before !== 'postimage') faults.push(`I2: success was answered, but the target is the ${before}`);
    expect('postimage', 'I2: success was answered');
  } else if (answer?.outcome === 'refused' || answer?.outcome === 'put_back') {
    if (before !== 'preimage') faults.push(`I3: ${answer.outcome} was answered, but the target is the ${before}`);
    expect('preimage', `I3: ${answer.outcome} was answered`);
  } else if (answer?.outcome === 'conflict') {
    faults.push('I3: a conflict was answered, but nobody else wrote');
  } else if (answer?.outcome === 'failed') {
    if (answer.words.includes('tries again')) expect('preimage', 'I3: putting back was left to the next start');
  } else if (tested && !passes) {
    expect('preimage', 'I3: the tests failed');
  } else if (!tested || isCommitted(left)) {
    expect(before, 'I2: the write was complete or had not happened');
  } else {
    expect('preimage', 'I3: the tests had not passed');
  }
  return faults;
}

/** I8: the history is whole, and a write that it calls kept is in the file. */
export function historyHolds(place: Place, { history, recovered, answer }: Outcome): readonly string[] {
  const faults = history.problems.map((problem) => `I8: the history has ${JSON.stringify(problem)}`);
  const last = history.records.at(-1);
  const image = imageOf(place, recovered);
  if (last?.kind === 'write' && image !== 'postimage') faults.push(`I8: it says kept, but the target is the ${image}`);
  if (last?.kind !== 'write' && image === 'postimage') faults.push('I8: the write is in the file and not remembered');
  if (answer?.outcome === 'kept' && last?.kind !== 'write') faults.push('I8: success was answered and not remembered');
  return faults;
}

/** True when the journal says that the tested write is final, or holds nothing at all any more. */
function isCommitted(seen: Picture): boolean {
  const journal = journalOf(seen);
  return journal === '' || journal.includes('{"kind":"committed"');
}

/** I4: no temporary file, no record; a backup only where it must be kept. */
function nothingIsLeft(place: Place, { answer, left, recovered }: Outcome): readonly string[] {
  const isLeftToNextStart = answer === null || answer.outcome === 'failed' || answer.words.includes('next start');
  return [
    ...(isLeftToNextStart ? [] : remains(place, left, 'I4 when answered')),
    ...remains(place, recovered, AFTER_RECOVERY),
  ];
}

function remains(place: Place, seen: Picture, when: string): readonly string[] {
  const faults: string[] = [];
  const journal = journalOf(seen);
  if (journal !== '') faults.push(`${when}: the journal holds ${journal.length} bytes`);
  // A key in the making that cannot be removed lies in the state folder, where the next start removes it.
  const isOver = when === AFTER_RECOVERY;
  for (const { path } of seen) {
    if (path.endsWith('.tmp') && (isOver || path.startsWith('root/'))) faults.push(`${when}: ${path} is left`);
  }
  const backups = newBackups(place, seen);
  const isPatched = imageOf(place, seen) === 'postimage';
  const wanted = isPatched && place.scenario.keepBackup ? 1 : 0;
  if (backups.length !== wanted) faults.push(`${when}: ${backups.length} backups instead of ${wanted}`);
  const { preimage } = place.images;
  const mode = at(place.start, place.target)?.mode;
  for (const backup of backups) {
    if (!backup.bytes.equals(preimage)) faults.push(`${when}: ${backup.path} is not the preimage`);
    if (backup.mode !== mode) faults.push(`${when}: ${backup.path} has mode ${backup.mode.toString(8)}`);
  }
  if ((at(seen, place.target)?.links ?? 1) > 1) faults.push(`${when}: the target has a second name`);
  return faults;
}

/** Backups that were not there at the start. */
export function newBackups(place: Place, seen: Picture): readonly Entry[] {
  const old = new Set(place.start.map(({ path }) => path));
  return seen.filter(({ path }) => path.includes('.reforge-bak') && !old.has(path));
}

/** I6: every entry that is not ours is what it was at the start. */
export function othersAreSame(place: Place, seen: Picture, when: string): readonly string[] {
  const known = new Set(place.start.map(({ path }) => path));
  const isOther = ({ path }: Entry): boolean =>
    path !== place.target &&
    !path.startsWith(`${place.target}/`) &&
    path.startsWith('root/') &&
    (known.has(path) || !isOwnName(path));
  const lists = isOnlyLonger(at(place.start, EXCLUDE), at(seen, EXCLUDE));
  const isChecked = (entry: Entry): boolean => isOther(entry) && !(lists && entry.path === EXCLUDE);
  return differences(place.start.filter(isChecked), seen.filter(isChecked)).map((line) => `${when}: ${line}`);
}

/** Where the backups are listed, so that the suite and the user's next commit do not take them for new files. */
const EXCLUDE = 'root/.git/info/exclude';

function isOnlyLonger(before: Entry | undefined, after: Entry | undefined): boolean {
  return (
    before !== undefined && after !== undefined && after.bytes.subarray(0, before.bytes.length).equals(before.bytes)
  );
}

function isOwnName(path: string): boolean {
  return path.includes('.reforge-');
}

/** I5: a second recovery finds nothing to do. */
export function recoveryIsStable({ again, recovered, recoveredAgain, recovery }: Outcome): readonly string[] {
  const faults = differences(recovered, recoveredAgain).map((line) => `I5: at the second recovery ${line}`);
  if (recovery.unresolved.length === 0 && (again.notes.length > 0 || again.unresolved.length > 0)) {
    faults.push(`I5: the second recovery says ${JSON.stringify(again)}`);
  }
  return faults;
}

/** The entry at a path of a picture. */
export function at(seen: Picture, path: string): Entry | undefined {
  return seen.find((entry) => entry.path === path);
}

/** The text of the journal, empty where there is none. */
export function journalOf(seen: Picture): string {
  return seen.find(({ path }) => path.endsWith('/journal'))?.bytes.toString('utf8') ?? '';
}
