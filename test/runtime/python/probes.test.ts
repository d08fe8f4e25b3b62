/** Walks fixtures/python-probes: all programs are probed everywhere, all their tests run at once, and each sees its own. */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/git-repo.ts';
import { runProbed, type ProbedRun } from '../../support/python-project.ts';
import { pythonToolchain } from '../../support/python-toolchain.ts';
import { REPOSITORY } from '../../support/source-files.ts';

const FIXTURES = join(REPOSITORY, 'fixtures/python-probes');
const names = readdirSync(FIXTURES).filter((name) => !name.includes('.'));

const { path: beside, dispose } = temporaryFolder();
let run: ProbedRun;

beforeAll(() => {
  const interpreter = pythonToolchain();
  const root = join(beside, 'root');
  cpSync(FIXTURES, root, { recursive: true });
  run = runProbed(interpreter, root, names.map(subjectOf), [
    interpreter,
    '-m',
    'pytest',
    '-q',
    '-p',
    'no:cacheprovider',
  ]);
}, 300_000);
afterAll(dispose);

function subjectOf(name: string): string {
  return `${name}/${name.replaceAll('-', '_')}.py`;
}

/** What `expected.txt` of a folder should say. */
function seenIn(file: string): string {
  const lines = run.parts
    .filter((part) => part.file === file)
    .map(({ span, kind, isArm, text, hits, probe, isExcluded }) => {
      const first = text.split('\n', 1)[0] ?? '';
      const phase = hits.some((hit) => hit.phase === 'test') ? 'test' : hits.length > 0 ? 'load' : '-';
      const seen = probe === null ? 'no probe' : phase;
      return `${span.line} ${isArm ? 'arm ' : ''}${kind}: ${first} => ${isExcluded ? 'excluded' : seen}\n`;
    });
  return lines.join('');
}

describe('probes', () => {
  it('leave the tests green', () => {
    expect({ exitCode: run.exitCode, errors: run.tests.errors, output: run.output.includes('failed') }).toEqual({
      exitCode: 0,
      errors: [],
      output: false,
    });
  });

  it.each(names)('see what ran in %s', (name) => {
    expect(seenIn(subjectOf(name))).toBe(readFileSync(join(FIXTURES, name, 'expected.txt'), 'utf8'));
  });

  it('agree with coverage.py wherever it can tell', () => {
    const disagreeing = run.coverage.files.flatMap(({ path, executed }) =>
      run.parts
        .filter((part) => part.file === path && !part.isArm && part.probe !== null)
        .map((part) => ({
          part,
          isHit: part.hits.some(({ phase }) => part.timing === 'definition' || phase === 'test'),
          executed: executed[part.statement] ?? null,
        }))
        .filter(({ isHit, executed: isExecuted }) => isExecuted !== null && isExecuted !== isHit)
        .map(({ part }) => `${path}:${part.span.line} ${part.text}`),
    );
    expect({ disagreeing, tool: run.coverage.tool }).toEqual({ disagreeing: [], tool: 'coverage.py' });
  });

  it('name the test that started a child', () => {
    const greet = run.parts.find((part) => part.text === 'return "hello " + name');
    const file = 'child-process/test_child_process.py';
    expect(greet?.hits.map(({ phase, testId }) => `${phase} ${testId}`).sort()).toEqual([
      `test ${file}::test_bare_environment`,
      `test ${file}::test_greeting`,
    ]);
  });
});
