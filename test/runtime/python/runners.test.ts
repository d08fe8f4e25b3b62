/** What the agent reports of real suites: pytest, pytest-xdist, unittest, and processes that are no tests. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../support/git-repo.ts';
import { runProbed, writeTexts, type ProbedRun, type Texts } from '../../support/python-project.ts';
import { pythonToolchain } from '../../support/python-toolchain.ts';
import { REPOSITORY } from '../../support/source-files.ts';

const CALC = 'def add(a, b):\n    return a + b\n\n\ndef unused():\n    return 0\n';

// Each case starts several interpreters.
vi.setConfig({ testTimeout: 120_000 });

let interpreter: string;
let beside: string;
let root: string;
let dispose: () => void;

beforeAll(() => {
  interpreter = pythonToolchain();
}, 300_000);
beforeEach(() => {
  ({ path: beside, dispose } = temporaryFolder());
  root = join(beside, 'root');
  mkdirSync(root);
});
afterEach(() => {
  dispose();
});

function run(texts: Texts, words: readonly string[], environment: Readonly<Record<string, string>> = {}): ProbedRun {
  writeTexts(root, { 'calc.py': CALC, ...texts });
  return runProbed(interpreter, root, ['calc.py'], [interpreter, ...words], environment);
}

const PYTEST = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'];

function outcomes({ tests }: ProbedRun): Readonly<Record<string, string>> {
  return Object.fromEntries(tests.tests.map(({ id, outcome }) => [id, outcome]));
}

function hitsOf({ parts }: ProbedRun, text: string): readonly string[] {
  const hits = parts.find((part) => part.text === text)?.hits ?? [];
  return hits.map(({ phase, testId }) => `${phase} ${testId}`).sort();
}

describe('pytest', () => {
  const SUITE = [
    'import pytest, unittest',
    'from calc import add',
    '@pytest.fixture',
    'def broken(): raise ValueError("set-up")',
    '@pytest.mark.parametrize("n", [1, 2])',
    'def test_each(n): assert add(n, 1) == n + 1',
    'def test_fails(): assert add(1, 1) == 3',
    '@pytest.mark.skip(reason="not now")',
    'def test_skipped(): pass',
    '@pytest.mark.xfail(reason="known")',
    'def test_known(): assert 0',
    '@pytest.mark.xfail',
    'def test_surprise(): pass',
    'def test_set_up(broken): pass',
    'class TestOld(unittest.TestCase):',
    '    def test_method(self): self.assertEqual(add(1, 2), 3)',
    '',
  ].join('\n');

  it('tells of each subtest and of each example of a doctest', () => {
    const suite = [
      'import pytest, unittest',
      'def test_all(subtests):',
      '    for n in (1, 2):',
      '        with subtests.test("sum", n=n): pass',
      '    with subtests.test(n=3): pytest.skip("not now")',
      'class TestOld(unittest.TestCase):',
      '    def test_all(self):',
      '        with self.subTest(n=1): pass',
      'def example():',
      '    """',
      '    >>> 1 + 1',
      '    2',
      '    >>> 1 + 2  # doctest: +SKIP',
      '    4',
      '    """',
      '',
    ].join('\n');
    expect(outcomes(run({ 'test_calc.py': suite }, [...PYTEST, '--doctest-modules']))).toEqual({
      'test_calc.py::test_all': 'passed',
      'test_calc.py::test_all [sum] (n=1)': 'passed',
      'test_calc.py::test_all [sum] (n=2)': 'passed',
      'test_calc.py::test_all (n=3)': 'skipped',
      'test_calc.py::TestOld::test_all': 'passed',
      'test_calc.py::TestOld::test_all (n=1)': 'passed',
      'test_calc.py::test_calc.example': 'passed',
      'test_calc.py::test_calc.example >>> 1 + 1 → 2': 'passed',
      'test_calc.py::test_calc.example >>> 1 + 2  # doctest: +SKIP → 4': 'skipped',
    });
  });

  it('tells how each test ended', () => {
    const result = run({ 'test_calc.py': SUITE }, PYTEST);
    expect({ exitCode: result.exitCode, runner: result.tests.runner, outcomes: outcomes(result) }).toEqual({
      exitCode: 1,
      runner: 'pytest',
      outcomes: {
        'test_calc.py::test_each[1]': 'passed',
        'test_calc.py::test_each[2]': 'passed',
        'test_calc.py::test_fails': 'failed',
        'test_calc.py::test_skipped': 'skipped',
        'test_calc.py::test_known': 'expected_failure',
        'test_calc.py::test_surprise': 'unexpected_pass',
        'test_calc.py::test_set_up': 'failed',
        'test_calc.py::TestOld::test_method': 'passed',
      },
    });
    expect(hitsOf(result, 'return a + b')).toEqual([
      'test test_calc.py::TestOld::test_method',
      'test test_calc.py::test_each[1]',
      'test test_calc.py::test_each[2]',
      'test test_calc.py::test_fails',
    ]);
  });

  it('tells the same in the workers of xdist', () => {
    const alone = run({ 'test_calc.py': SUITE }, PYTEST);
    dispose();
    mkdirSync(root, { recursive: true });
    const shared = run({ 'test_calc.py': SUITE }, [...PYTEST, '-n', '2']);
    const sorted = (result: ProbedRun) => [outcomes(result), hitsOf(result, 'return a + b'), result.tests.runner];
    expect(sorted(shared)).toEqual(sorted(alone));
  });

  it('counts what was left out, and names what could not be collected', () => {
    const texts = { 'test_calc.py': SUITE, 'test_bad.py': 'import no_such_module\n' };
    const { tests, exitCode } = run(texts, [...PYTEST, '-k', 'each']);
    expect({
      deselected: tests.deselected,
      errors: tests.errors.map(({ id, message }) => [id, message.includes('no_such_module')]),
      exitCode,
    }).toEqual({ deselected: 6, errors: [['test_bad.py', true]], exitCode: 2 });
  });

  it('is measured by us and not by pytest-cov, whose limits do not fail the run', () => {
    const suite = 'from calc import add\ndef test_add(): assert add(1, 2) == 3\n';
    const result = run({ 'test_calc.py': suite }, [...PYTEST, '--cov=calc', '--cov-fail-under=100']);
    expect({ exitCode: result.exitCode, coverage: result.coverage, left: readdirSync(root).sort() }).toEqual({
      exitCode: 0,
      coverage: {
        tool: 'coverage.py',
        unavailable: null,
        gap: null,
        files: [{ path: 'calc.py', isMeasured: true, otherCopies: [], executed: [true, true, true, false] }],
      },
      left: expect.not.arrayContaining(['.coverage']) as unknown,
    });
  });

  it('inside of a test is a part of that test', () => {
    const suite = [
      'import subprocess, sys',
      'import pytest',
      'pytest_plugins = ["pytester"]',
      'INNER = "from calc import add\\ndef test_inner(): assert add(1, 1) == 3"',
      'def test_in_process(pytester):',
      '    pytester.makepyfile(INNER)',
      '    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(failed=1)',
      'def test_in_child(pytester):',
      '    pytester.makepyfile(INNER)',
      '    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(failed=1)',
      '',
    ].join('\n');
    const result = run({ 'test_outer.py': suite }, PYTEST, { PYTHONPATH: root });
    expect({ outcomes: outcomes(result), hits: hitsOf(result, 'return a + b') }).toEqual({
      outcomes: { 'test_outer.py::test_in_process': 'passed', 'test_outer.py::test_in_child': 'passed' },
      hits: ['test test_outer.py::test_in_child', 'test test_outer.py::test_in_process'],
    });
  });
});

describe('unittest', () => {
  const SUITE = [
    'import subprocess, sys, unittest',
    'import calc',
    'class Kinds(unittest.TestCase):',
    '    @classmethod',
    '    def setUpClass(cls): cls.two = calc.add(1, 1)',
    '    def test_add(self): self.assertEqual(self.two, 2)',
    '    def test_child(self):',
    '        subprocess.run([sys.executable, "-c", "import calc; calc.unused()"], check=True)',
    '    def test_parts(self):',
    '        for n in range(3):',
    '            with self.subTest(n=n): self.assertNotEqual(n, 1)',
    '    @unittest.skip("not now")',
    '    def test_skipped(self): pass',
    '    @unittest.expectedFailure',
    '    def test_known(self): self.fail()',
    '    @unittest.expectedFailure',
    '    def test_surprise(self): pass',
    '    def test_broken(self): raise ValueError("no")',
    'class Later(unittest.IsolatedAsyncioTestCase):',
    '    async def test_later(self): calc.add(1, 2)',
    'class Unready(unittest.TestCase):',
    '    @classmethod',
    '    def setUpClass(cls): raise ValueError("set-up")',
    '    def test_never(self): pass',
    'class Outer(unittest.TestCase):',
    '    def test_inner_run(self):',
    '        class Inner(unittest.TestCase):',
    '            def test_inner(self): self.fail()',
    '        result = unittest.TestResult()',
    '        unittest.TestSuite([Inner("test_inner")]).run(result)',
    '        self.assertEqual(len(result.failures), 1)',
    '',
  ].join('\n');

  it('tells of each subtest by words that are the same in every run, and runs nothing of the project for them', () => {
    const suite = [
      'import unittest',
      'class Odd:',
      '    def __repr__(self): raise ValueError("not to be shown")',
      'class T(unittest.TestCase):',
      '    def test_all(self):',
      '        for value in (1, "one", Odd(), 1700000000, len):',
      '            with self.subTest("kind", value=value): pass',
      '        with self.subTest(): pass',
      '        with self.subTest(n=4): self.skipTest("not now")',
      '',
    ].join('\n');
    expect(outcomes(run({ 'test_calc.py': suite }, ['-m', 'unittest']))).toEqual({
      'test_calc.T.test_all': 'passed',
      "test_calc.T.test_all ['kind'] (value=1)": 'passed',
      "test_calc.T.test_all ['kind'] (value='one')": 'passed',
      "test_calc.T.test_all ['kind'] (value=<Odd>)": 'passed',
      "test_calc.T.test_all ['kind'] (value=…)": 'passed',
      "test_calc.T.test_all ['kind'] (value=len)": 'passed',
      'test_calc.T.test_all (<subtest>)': 'passed',
      'test_calc.T.test_all (n=4)': 'skipped',
    });
  });

  it('tells how each test ended, and which ran what', () => {
    const result = run({ 'test_calc.py': SUITE, 'test_bad.py': 'import no_such_module\n' }, ['-m', 'unittest']);
    expect({ runner: result.tests.runner, outcomes: outcomes(result), exitCode: result.exitCode }).toEqual({
      runner: 'unittest',
      outcomes: {
        'test_calc.Kinds.test_add': 'passed',
        'test_calc.Kinds.test_child': 'passed',
        'test_calc.Kinds.test_parts': 'failed',
        'test_calc.Kinds.test_parts (n=0)': 'passed',
        'test_calc.Kinds.test_parts (n=2)': 'passed',
        'test_calc.Kinds.test_skipped': 'skipped',
        'test_calc.Kinds.test_known': 'expected_failure',
        'test_calc.Kinds.test_surprise': 'unexpected_pass',
        'test_calc.Kinds.test_broken': 'failed',
        'test_calc.Later.test_later': 'passed',
        'test_calc.Outer.test_inner_run': 'passed',
      },
      exitCode: 1,
    });
    expect(result.tests.errors.map(({ id }) => id).sort()).toEqual([
      'setUpClass (test_calc.Unready)',
      'unittest.loader._FailedTest.test_bad',
    ]);
    expect(result.tests.tests[0]?.file).toBe('test_calc.py');
    expect(hitsOf(result, 'return a + b')).toEqual([
      'test test_calc.Kinds.test_add',
      'test test_calc.Later.test_later',
    ]);
    expect(hitsOf(result, 'return 0')).toEqual(['test test_calc.Kinds.test_child']);
  });
});

describe('a suite', () => {
  const TESTS = '    def test_a(self): pass\n    def test_b(self): os._exit(0)\n    def test_c(self): pass\n';
  const SUITE = `import os, unittest\nclass TestAll(unittest.TestCase):\n${TESTS}`;

  it.each([
    ['pytest', PYTEST, 'test_all.py::TestAll::test_b'],
    ['unittest', ['-m', 'unittest'], 'test_all.TestAll.test_b'],
  ])('of %s that a test ends with success is reported', (_, words, id) => {
    const { exitCode, tests } = run({ 'test_all.py': SUITE }, words);
    expect({ exitCode, errors: tests.errors }).toEqual({
      exitCode: 0,
      errors: [{ id, message: 'The process was ended by os._exit before the suite was through.' }],
    });
  });
});

describe('a process', () => {
  it('that is no test only loads', () => {
    const result = run({ 'program.py': 'import calc\nprint(calc.add(1, 2))\n' }, ['program.py']);
    expect({ output: result.output, hits: hitsOf(result, 'return a + b'), runner: result.tests.runner }).toEqual({
      output: '3\n',
      hits: ['load '],
      runner: null,
    });
  });

  it('runs the sitecustomize that the agent stands in front of', () => {
    const texts = {
      'early/sitecustomize.py': 'print("customised")\n',
      'program.py': 'import sitecustomize as s\nprint(s.__file__)\n',
    };
    const early = join(root, 'early');
    const { output } = run(texts, ['program.py'], { PYTHONPATH: early });
    expect(output).toBe(`customised\n${join(early, 'sitecustomize.py')}\n`);
  });

  it('that ignores the environment is not measured', () => {
    const result = run({ 'program.py': 'print(1)\n' }, ['-I', 'program.py']);
    expect({ output: result.output, coverage: result.coverage }).toEqual({
      output: '1\n',
      coverage: {
        tool: 'none',
        unavailable: 'no Python process of the run has loaded a changed file',
        gap: 'not_loaded',
        files: [{ path: 'calc.py', isMeasured: false, otherCopies: [], executed: [null, null, null, null] }],
      },
    });
  });

  it('that loads another copy of a changed module names it', () => {
    const copy = join(root, 'copies');
    const texts = { 'copies/calc.py': CALC, 'app/program.py': 'import calc\n' };
    const { coverage } = run(texts, ['app/program.py'], { PYTHONPATH: copy });
    expect(coverage.files[0]?.otherCopies).toEqual([join(copy, 'calc.py')]);
  });

  it('leaves no compiled code beside the agent', () => {
    run({ 'test_calc.py': 'import calc\ndef test_it(): pass\n' }, PYTEST);
    const folders = readdirSync(join(REPOSITORY, 'runtime/python'), { recursive: true, withFileTypes: true });
    expect(folders.filter((entry) => entry.isDirectory() && entry.name === '__pycache__')).toEqual([]);
  });
});
