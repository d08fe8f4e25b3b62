/** Better and worse by ids: the whole table of classes, and findings that move. */
import { expect, test } from 'vitest';
import { compareFindings, compareTests, identifyFindings } from '../../../src/engine/evidence/compare-baseline.ts';
import type { TestOutcome, TestReport } from '../../../src/model/suite.ts';

function run(tests: Readonly<Record<string, TestOutcome>>, errors: readonly string[] = []): TestReport {
  return {
    runner: 'pytest',
    tests: Object.entries(tests).map(([name, outcome]) => {
      return { id: `test_tide.py::${name}`, times: 1, outcome, message: null, file: 'test_tide.py' };
    }),
    errors: errors.map((id) => ({ id, message: 'broken' })),
    deselected: 0,
  };
}

const everywhere = (): boolean => true;
const entry = (kind: string, name: string) => {
  const place = { id: `test_tide.py::${name}`, file: 'test_tide.py', in_scope: true };
  return ['disappeared', 'lost_check'].includes(kind)
    ? { class: kind, ...place }
    : { kind: 'test', class: kind, ...place };
};

test('each row of the table has its class', () => {
  const before = run({ ebb: 'passed', flood: 'failed', neap: 'failed', gone: 'failed', spring: 'passed' });
  const after = run({ ebb: 'failed', flood: 'passed', neap: 'failed', spring: 'skipped', surge: 'failed' });
  const newFailures = ['test_tide.py::ebb', 'test_tide.py::surge'];
  expect(compareTests({ before: [before], after: [after], newFailures, isInScope: everywhere })).toEqual({
    regressions: [entry('regression', 'ebb'), entry('new_failing', 'surge')],
    fixes: [entry('fix', 'flood')],
    disappeared: [entry('disappeared', 'gone'), entry('lost_check', 'spring')],
  });
});

test('a test that passed only when it was repeated is no fix', () => {
  const before = [run({ flood: 'failed' })];
  const after = [run({ flood: 'failed' }), run({ flood: 'passed' })];
  expect(compareTests({ before, after, newFailures: [], isInScope: everywhere }).fixes).toEqual([]);
});

test('tests of a file that cannot be loaded are unknown and have not disappeared', () => {
  const after = [run({}, ['test_tide.py'])];
  const { disappeared } = compareTests({
    before: [run({ ebb: 'passed' })],
    after,
    newFailures: [],
    isInScope: everywhere,
  });
  expect(disappeared).toEqual([]);
});

test('a finding is known again when its line moves, and each of two alike counts', () => {
  const at = (line: number) => ({ tool: 'imports', file: 'a.py', line, message: 'no module tide', key: 'k' });
  const before = identifyFindings([at(1)], () => 'import tide\n');
  const after = identifyFindings([at(2), at(3)], () => '# new\nimport tide\nimport tide\n');
  expect(compareFindings(before, after)).toEqual({ appeared: [after[1]], gone: [] });
});
