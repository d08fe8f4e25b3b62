/** How a Python project is tested, by its own files; never a runner that is not installed. */
import { parse } from 'smol-toml';
import type { DetectedSuite, ProjectFacts } from '../language.ts';

/** Folders in which a project may keep its own environment. */
const ENVIRONMENTS = ['.venv', 'venv'];
const TEST_FILE = /^(?:test_.*|.*_test)\.py$/u;

/** Looks for a configured pytest, Django, then tests of either runner, then tox. */
export function detectSuite(project: ProjectFacts): DetectedSuite | null {
  const pytest = pytestCommand(project);
  const configured = pytestConfiguration(project);
  if (pytest !== null && configured !== null) return { command: pytest, because: configured };
  const python = pythonCommand(project);
  if (python !== null && project.list('.').includes('manage.py')) {
    return { command: `${python} manage.py test`, because: 'manage.py' };
  }
  const tests = testFiles(project);
  const first = tests[0];
  if (first !== undefined) {
    if (pytest !== null) return { command: pytest, because: first };
    if (python !== null && tests.every((file) => isUnittest(project.read(file)))) {
      return { command: `${python} -m unittest${discovery(project, first)}`, because: `${first} uses unittest` };
    }
  }
  const hasTox = project.hasProgram('tox') && /^\[(?:tox|testenv)\]/mu.test(project.read('tox.ini') ?? '');
  return hasTox ? { command: 'tox', because: 'tox.ini' } : null;
}

function pytestConfiguration(project: ProjectFacts): string | null {
  if (['pytest.ini', '.pytest.ini'].some((name) => project.read(name) !== null)) return 'pytest.ini';
  if (hasPytestTable(project.read('pyproject.toml') ?? '')) return 'pyproject.toml, tool.pytest';
  if (/^\[tool:pytest\]/mu.test(project.read('setup.cfg') ?? '')) return 'setup.cfg, tool:pytest';
  return /^\[pytest\]/mu.test(project.read('tox.ini') ?? '') ? 'tox.ini, pytest' : null;
}

function hasPytestTable(text: string): boolean {
  try {
    const { tool } = parse(text);
    return typeof tool === 'object' && 'pytest' in tool;
  } catch {
    // Not for us to complain of: whoever needs the file will.
    return false;
  }
}

function pytestCommand(project: ProjectFacts): string | null {
  const own = ENVIRONMENTS.find((folder) => project.list(`${folder}/bin`).includes('pytest'));
  if (own !== undefined) return `${own}/bin/python -m pytest`;
  return project.hasProgram('pytest') ? 'pytest' : null;
}

function pythonCommand(project: ProjectFacts): string | null {
  const own = ENVIRONMENTS.find((folder) => project.list(`${folder}/bin`).includes('python'));
  if (own !== undefined) return `${own}/bin/python`;
  return ['python3', 'python'].find((name) => project.hasProgram(name)) ?? null;
}

function testFiles(project: ProjectFacts): readonly string[] {
  return ['tests', 'test', '.'].flatMap((folder) =>
    project
      .list(folder)
      .filter((name) => TEST_FILE.test(name))
      .map((name) => (folder === '.' ? name : `${folder}/${name}`)),
  );
}

function isUnittest(text: string | null): boolean {
  return text !== null && /^\s*(?:import unittest|from unittest\b|from django\.test\b)/mu.test(text);
}

/** unittest looks into folders that are packages by itself, and into others only when it is told to. */
function discovery(project: ProjectFacts, testFile: string): string {
  const [folder = '', inner] = testFile.split('/');
  return inner === undefined || project.list(folder).includes('__init__.py') ? '' : ` discover -s ${folder}`;
}
