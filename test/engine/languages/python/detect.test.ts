import { describe, expect, it } from 'vitest';
import { detectSuite } from '../../../../src/engine/languages/python/detect.ts';
import type { ProjectFacts } from '../../../../src/engine/languages/language.ts';

/** A project of these files, on a machine with these programs. */
function project(files: Readonly<Record<string, string>>, programs: readonly string[]): ProjectFacts {
  const names = (folder: string): readonly string[] => {
    const prefix = folder === '.' ? '' : `${folder}/`;
    const inner = Object.keys(files).filter((path) => path.startsWith(prefix));
    return [...new Set(inner.map((path) => path.slice(prefix.length).replace(/\/.*/u, '/')))];
  };
  return {
    read: (path) => files[path] ?? null,
    list: names,
    hasProgram: (name) => programs.includes(name),
    hasPackageProgram: () => false,
  };
}

const MACHINE = ['python3', 'pytest', 'tox'];
const UNITTEST = 'import unittest\n';

describe('detectSuite', () => {
  const cases: readonly [string, Record<string, string>, readonly string[], ReturnType<typeof detectSuite>][] = [
    ['pytest.ini', { 'pytest.ini': '[pytest]\n' }, MACHINE, { command: 'pytest', because: 'pytest.ini' }],
    [
      'a table of pyproject.toml',
      { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-q"\n' },
      MACHINE,
      { command: 'pytest', because: 'pyproject.toml, tool.pytest' },
    ],
    [
      'setup.cfg',
      { 'setup.cfg': '[tool:pytest]\n' },
      MACHINE,
      { command: 'pytest', because: 'setup.cfg, tool:pytest' },
    ],
    ['tox.ini', { 'tox.ini': '[tox]\n[pytest]\n' }, MACHINE, { command: 'pytest', because: 'tox.ini, pytest' }],
    [
      'the environment of the project before the machine',
      { 'pytest.ini': '', '.venv/bin/pytest': '', '.venv/bin/python': '' },
      MACHINE,
      { command: '.venv/bin/python -m pytest', because: 'pytest.ini' },
    ],
    ['a folder of tests', { 'tests/test_a.py': '' }, MACHINE, { command: 'pytest', because: 'tests/test_a.py' }],
    [
      'Django',
      { 'manage.py': '', 'app/tests.py': '' },
      MACHINE,
      { command: 'python3 manage.py test', because: 'manage.py' },
    ],
    [
      'unittest where pytest is not installed',
      { 'tests/test_a.py': UNITTEST, 'tests/__init__.py': '' },
      ['python3'],
      { command: 'python3 -m unittest', because: 'tests/test_a.py uses unittest' },
    ],
    [
      'unittest in a folder that is no package',
      { 'tests/test_a.py': UNITTEST },
      ['python3'],
      { command: 'python3 -m unittest discover -s tests', because: 'tests/test_a.py uses unittest' },
    ],
    [
      'nothing where tests need a pytest that is not there',
      { 'tests/test_a.py': 'def test(): pass\n' },
      ['python3'],
      null,
    ],
    ['tox where nothing else is there', { 'tox.ini': '[tox]\n' }, ['tox'], { command: 'tox', because: 'tox.ini' }],
    ['nothing in a broken pyproject.toml', { 'pyproject.toml': '[tool.pytest' }, MACHINE, null],
    ['nothing in a project without tests', { 'app.py': '' }, MACHINE, null],
  ];

  it.each(cases)('finds %s', (_, files, programs, expected) => {
    expect(detectSuite(project(files, programs))).toEqual(expected);
  });
});
