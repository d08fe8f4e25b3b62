/**
 * Changed files of which a run cannot say what ran: the reason why, or the copy that was loaded instead. Where no coverage
 * source is there, probes at every changed part are witness enough of a file that was loaded; and a file whose load is
 * probed, of which our agents saw neither this nor another copy, was not loaded.
 */
import type { CoverageReading, ProbeHit, TestReport } from '../../model/suite.ts';
import type { MeasuredFile } from './measured-files.ts';

interface Unseen {
  readonly path: string;
  readonly why: string;
}

export interface UnseenFiles {
  /** With the copy that was loaded instead. */
  readonly bypassed: readonly string[];
  readonly unmeasured: readonly Unseen[];
  /** Only their probes tell of them, and that is enough. */
  readonly probesAlone: readonly Unseen[];
  /** Of those the files that nobody loaded, so that nothing of them ran. */
  readonly absent: ReadonlySet<string>;
}

/** Sorts the changed files by what the run with their probes knows of them; those that are seen well are in no list. */
export function unseenFiles(
  files: readonly MeasuredFile[],
  run: {
    readonly hits: ReadonlyMap<number, readonly ProbeHit[]>;
    readonly coverage: readonly CoverageReading[];
    readonly tests: TestReport;
  },
): UnseenFiles {
  const bypassed: string[] = [];
  const unmeasured: Unseen[] = [];
  const probesAlone: Unseen[] = [];
  const absent = new Set<string>();
  for (const { examined, changed, probed, isTakenForTest } of files) {
    const { path } = examined;
    const own = run.coverage.find((reading) => reading.files.some((file) => file.path === path));
    const witness = own?.files.find((file) => file.path === path);
    const probes = [probed.loadProbe, ...probed.parts.map(({ probe }) => probe)];
    const isHit = probes.some((probe) => probe !== null && run.hits.has(probe));
    // Some sources report a file that nobody loaded; its probe does not.
    const isSilent = !isHit && (probed.loadProbe !== null || witness?.isMeasured !== true);
    const why = own === undefined ? 'no coverage source reads it' : own.unavailable;
    if (changed.isInert && !changed.isUnreadable) continue;
    if (changed.isUnreadable) {
      unmeasured.push({ path, why: 'it holds no statements that could be seen to run' });
    } else if (isSilent && witness !== undefined && witness.otherCopies.length > 0) {
      bypassed.push(`${path} (${witness.otherCopies[0] ?? ''} was loaded instead)`);
    } else if (isSilent && probed.parts.length === 0) {
      // What is left of it may not even load.
      unmeasured.push({ path, why: 'no process of the run loaded what the change leaves of it' });
    } else if (isTakenForTest && isUncollected(path, run.tests)) {
      unmeasured.push({ path, why: 'it has the name of a test, and the run found no test in it' });
    } else if (why === null) {
      continue;
    } else if (isHit && own?.gap === 'no_source' && !probes.slice(1).includes(null)) {
      probesAlone.push({ path, why });
    } else if (isSilent && probed.loadProbe !== null && own?.gap !== 'broken' && run.tests.runner !== null) {
      probesAlone.push({ path, why: 'no process of the run loaded it' });
      absent.add(path);
    } else {
      unmeasured.push({ path, why });
    }
  }
  return { bypassed, unmeasured, probesAlone, absent };
}

/** Not where the runner does not say which files its tests are in. */
function isUncollected(path: string, { tests }: TestReport): boolean {
  return tests.some(({ file }) => file !== null) && !tests.some(({ file }) => file === path);
}
