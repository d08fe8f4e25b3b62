/**
 * What is better and what is worse than in a baseline, by the ids of tests and of findings.
 *
 *   baseline | now              | class
 *   ---------+------------------+------------------------------------------------------------
 *   passed   | fails each time  | regression
 *   not there| fails each time  | new_failing, which counts as a regression
 *   fails    | passed each time | fix; not where it failed once and passed when repeated
 *   any      | not there        | disappeared, never a fix; unknown where its file cannot be loaded now
 *   passed   | skipped          | lost_check, never a fix
 */
import { createHash } from 'node:crypto';
import type { Finding } from '../../model/examination.ts';
import type { Disappearance, Difference, SavedFinding } from '../../model/saved-verification.ts';
import type { TestCase, TestReport } from '../../model/suite.ts';

export interface Delta {
  readonly regressions: readonly Difference[];
  readonly fixes: readonly Difference[];
  readonly disappeared: readonly Disappearance[];
}

export interface ComparedTests {
  /** Runs of the baseline, the first one first. */
  readonly before: readonly TestReport[];
  readonly after: readonly TestReport[];
  /** What the verdict blames on the change: confirmed by every run. */
  readonly newFailures: readonly string[];
  readonly isInScope: (file: string) => boolean;
}

/** Compares runs of the whole suite; no test is left out for where it lies. */
export function compareTests({ before, after, newFailures, isInScope }: ComparedTests): Delta {
  const earlier = new Map(before[0]?.tests.map((test) => [test.id, test]));
  const now = new Map(after.at(-1)?.tests.map((test) => [test.id, test]));
  const place = (test: TestCase | undefined, id: string) => {
    const file = test?.file ?? fileOf(id);
    return { file, in_scope: file !== null && isInScope(file) };
  };
  const regressions = newFailures.map((id): Difference => {
    const words = now.get(id)?.message ?? null;
    const kind = earlier.has(id) || now.get(id) === undefined ? 'regression' : 'new_failing';
    return {
      kind: 'test',
      class: kind,
      id,
      ...place(now.get(id), id),
      ...(words === null ? {} : { message: firstLine(words) }),
    };
  });
  const passed = after.map(
    ({ tests }) => new Set(tests.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id)),
  );
  const failed = before.map((report) => new Set(failingIn(report)));
  const fixes = [...now.keys()]
    .filter((id) => passed.every((ids) => ids.has(id)) && failed.length > 0 && failed.every((ids) => ids.has(id)))
    .map((id): Difference => ({ kind: 'test', class: 'fix', id, ...place(now.get(id), id) }));
  const broken = after.flatMap(({ errors }) => errors.map(({ id }) => id));
  const disappeared = [...earlier.values()].flatMap((test): readonly Disappearance[] => {
    const found = now.get(test.id);
    const { file, in_scope } = place(test, test.id);
    const isUnknown = broken.some((id) => test.id.startsWith(id) || test.file === id);
    if (found === undefined || found.times < test.times) {
      return isUnknown ? [] : [{ class: 'disappeared', id: test.id, file, in_scope }];
    }
    const isSkipped = found.outcome === 'skipped' || found.outcome === 'expected_failure';
    return isSkipped && test.outcome === 'passed' ? [{ class: 'lost_check', id: test.id, file, in_scope }] : [];
  });
  return { regressions, fixes, disappeared };
}

/** Tests that failed, and files that could not be loaded. */
export function failingIn({ tests, errors }: TestReport): readonly string[] {
  return [...tests.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id), ...errors.map(({ id }) => id)];
}

/** Most runners begin an id with the file. */
function fileOf(id: string): string | null {
  const [file = ''] = id.split('::', 1);
  return file !== id && file !== '' ? file : null;
}

/** Gives findings the ids by which they are known again, wherever in their file they have moved to. */
export function identifyFindings(
  findings: readonly (Finding & { readonly tool: string })[],
  textOf: (path: string) => string | null,
): readonly SavedFinding[] {
  return findings.map(({ tool, file, line, message }) => {
    const source = textOf(file)?.split('\n', line)[line - 1]?.trim() ?? '';
    const words = message.replace(/\d+/gu, '#').replace(/\s+/gu, ' ').trim();
    const id = createHash('sha256')
      .update(JSON.stringify([tool, file, words, source]))
      .digest('hex')
      .slice(0, 32);
    return { id, tool, file, line, message };
  });
}

/** Compares two lists in which one finding may stand several times. */
export function compareFindings(
  before: readonly SavedFinding[],
  after: readonly SavedFinding[],
): { readonly appeared: readonly SavedFinding[]; readonly gone: readonly SavedFinding[] } {
  return { appeared: without(after, before), gone: without(before, after) };
}

function without(list: readonly SavedFinding[], other: readonly SavedFinding[]): readonly SavedFinding[] {
  const left = new Map<string, number>();
  for (const { id } of other) left.set(id, (left.get(id) ?? 0) + 1);
  return list.filter(({ id }) => {
    const count = left.get(id) ?? 0;
    left.set(id, count - 1);
    return count <= 0;
  });
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 300) ?? '';
}
