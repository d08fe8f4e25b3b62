/** Cuts the lists of an answer to the number of entries that the caller wants, and says of each one that it was cut. */
import type { SavedReport } from '../model/saved-verification.ts';
import type { Truncated } from '../model/verdict.ts';

/** Caps every list; `scope_paths` has a limit of its own. */
export function capLists(report: SavedReport, most: number): SavedReport {
  const capped: (Truncated & { readonly list: string })[] = [];
  const cap = <Item>(name: string, list: readonly Item[], limit = most): readonly Item[] => {
    if (list.length > limit) capped.push({ list: name, shown: limit, total: list.length });
    return list.slice(0, limit);
  };
  const { coverage, tests, changedFiles, testFilesChanged, missingTests, preexistingFailures, flakyTests, notes } =
    report;
  const { scope_paths: scope, scope_path_count: scopeCount } = report;
  if (scopeCount > scope.length) capped.push({ list: 'scope_paths', shown: scope.length, total: scopeCount });
  const cut: SavedReport = {
    ...report,
    regressions: cap('regressions', report.regressions),
    fixes: cap('fixes', report.fixes),
    disappeared: cap('disappeared', report.disappeared),
    caveats: cap('caveats', report.caveats),
    ...(changedFiles === undefined ? {} : { changedFiles: cap('changedFiles', changedFiles) }),
    ...(testFilesChanged === undefined ? {} : { testFilesChanged: cap('testFilesChanged', testFilesChanged) }),
    ...(missingTests === undefined ? {} : { missingTests: cap('missingTests', missingTests) }),
    ...(preexistingFailures === undefined
      ? {}
      : { preexistingFailures: cap('preexistingFailures', preexistingFailures) }),
    ...(flakyTests === undefined ? {} : { flakyTests: cap('flakyTests', flakyTests) }),
    ...(notes === undefined ? {} : { notes: cap('notes', notes) }),
    ...(tests == null ? {} : { tests: { ...tests, failures: cap('tests.failures', tests.failures) } }),
    ...(coverage === undefined
      ? {}
      : {
          coverage: {
            ...coverage,
            uncovered: cap('coverage.uncovered', coverage.uncovered),
            inertOnlyFiles: cap('coverage.inertOnlyFiles', coverage.inertOnlyFiles),
            ...(coverage.notExercised === undefined
              ? {}
              : { notExercised: cap('coverage.notExercised', coverage.notExercised) }),
            ...(coverage.loadedOnly === undefined
              ? {}
              : { loadedOnly: cap('coverage.loadedOnly', coverage.loadedOnly) }),
          },
        }),
  };
  const isCutBefore =
    report.missingTestsTruncated !== undefined ||
    coverage?.uncoveredTruncated !== undefined ||
    coverage?.notExercisedTruncated !== undefined ||
    coverage?.loadedOnlyTruncated !== undefined;
  return { ...cut, truncated: isCutBefore || capped.length > 0, capped };
}
