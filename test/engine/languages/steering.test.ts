import { expect, test } from 'vitest';
import { languages } from '../../../src/engine/languages/index.ts';

const steersTests = (path: string): boolean => languages.some((language) => language.steersTests(path));

test.each([
  'pytest.ini',
  'tox.ini',
  'setup.cfg',
  'pyproject.toml',
  'tests/conftest.py',
  '.coveragerc',
  'package.json',
  'packages/a/package.json',
  'tsconfig.build.json',
  'vitest.config.ts',
  'jest.config.cjs',
  '.mocharc.yml',
  '.env.test',
  'Makefile',
  'src/__snapshots__/tide.snap',
  'src/__mocks__/tide.js',
])('%s steers tests', (path) => {
  expect(steersTests(path)).toBe(true);
});

test.each(['src/tide.py', 'src/package.json.ts', 'docs/pytest.ini.md', 'src/config.ts', '__mocks__', 'makefile.py'])(
  '%s does not',
  (path) => {
    expect(steersTests(path)).toBe(false);
  },
);
