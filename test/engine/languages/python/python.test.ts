import { describe, expect, it } from 'vitest';
import { python } from '../../../../src/engine/languages/python/python.ts';
import type { ProjectFacts, RunPlaces } from '../../../../src/engine/languages/language.ts';

const PLACES: RunPlaces = {
  root: '/repo',
  runFolder: '/run',
  runtimeFolder: '/product/runtime',
  changedFiles: ['app/calc.py', 'web/main.ts'],
};

const NO_PROJECT: ProjectFacts = {
  read: () => null,
  list: () => [],
  hasProgram: () => false,
  hasPackageProgram: () => false,
};

describe('the files of Python', () => {
  it('are sources and stubs', () => {
    const paths = ['a.py', 'b/c.pyi', 'a.pyx', 'pyproject.toml', 'py', 'a.py.orig'];
    expect(paths.filter((path) => python.owns(path))).toEqual(['a.py', 'b/c.pyi', 'pyproject.toml']);
  });

  it('are tests by their names or the names of their folders', () => {
    const tests = ['test_a.py', 'x/a_test.py', 'tests/helper.py', 'app/tests/data/x.py', 'conftest.py', 'app/tests.py'];
    const others = ['app/testing_tools.py', 'latest.py', 'contest.py', 'tests/data.json', 'app/attest.py'];
    expect([...tests, ...others].filter((path) => python.isTestFile(path))).toEqual(tests);
  });
});

describe('instrument', () => {
  it('adds nothing to the command and puts the agent first in PYTHONPATH', () => {
    expect(python.instrument(['pytest', '-q'], NO_PROJECT, PLACES, { PYTHONPATH: 'src' })).toEqual({
      arguments: [],
      environment: {
        PYTHONPATH: '/product/runtime/python/site:src',
        SUREPATCH_PYTHON: '/repo\napp/calc.py',
        TOX_OVERRIDE: 'testenv.pass_env+=PYTHONPATH,SUREPATCH_*',
      },
    });
  });

  it('keeps what the caller overrides in tox', () => {
    const { environment } = python.instrument(['tox'], NO_PROJECT, PLACES, { TOX_OVERRIDE: 'testenv.deps=x' });
    expect(environment['TOX_OVERRIDE']).toBe('testenv.pass_env+=PYTHONPATH,SUREPATCH_*;testenv.deps=x');
  });
});

describe('examiner', () => {
  it('is isolated, without site packages, and writes no compiled code', () => {
    expect(python.examiner('/product/runtime')).toEqual({
      interpreter: 'python3',
      words: ['-I', '-S', '-B', '/product/runtime/python/examine.py'],
    });
  });
});
