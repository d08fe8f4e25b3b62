import { describe, expect, it } from 'vitest';
import { readCoverage } from '../../../../src/engine/languages/python/read-coverage.ts';
import type { ExaminedFile, Statement } from '../../../../src/model/examination.ts';

const ROOT = { root: '/repo' };

function statement(line: number, endLine: number, more: Partial<Statement> = {}): Statement {
  const [start, end] = [line * 100, endLine * 100 + 50];
  const rest = { kind: 'return', headerEnd: end, isExcluded: false, isInert: false, probe: null } as const;
  return { start, end, line, endLine, timing: 'body', ...rest, ...more };
}

function examined(...statements: readonly Statement[]): readonly ExaminedFile[] {
  const after = { syntax: [], tokens: [], statements, arms: [], loadProbe: null };
  return [{ path: 'app/calc.py', before: null, after }];
}

function lines(...values: readonly unknown[]): Uint8Array {
  return Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}

function report(seen: Readonly<Record<number, readonly string[]>>, possible: readonly number[]): unknown {
  return { files: { '/repo/app/calc.py': { lines: seen, possible } } };
}

/** Of tests named by a question mark nothing is known. */
const isPassing = (id: string) => (id.endsWith('?') ? null : !id.startsWith('bad'));

const MEASURING = { measuring: true };

describe('readCoverage', () => {
  it('adds up processes, and counts a body only where a test ran it', () => {
    const files = new Map([
      ['coverage/python-1', lines(MEASURING, report({ 1: [''], 2: [''], 3: ['t.py::a'] }, [1, 2, 3, 4, 5]))],
      ['coverage/python-2', lines(MEASURING, report({ 4: ['t.py::b'] }, [1, 2, 3, 4, 5]))],
      ['probes/python-1', lines('not of coverage')],
    ]);
    const statements = [
      statement(1, 1, { timing: 'definition' }),
      ...[2, 3, 4, 5].map((line) => statement(line, line)),
    ];
    expect(readCoverage(files, examined(...statements), ROOT, isPassing)).toEqual({
      tool: 'coverage.py',
      unavailable: null,
      gap: null,
      files: [{ path: 'app/calc.py', isMeasured: true, otherCopies: [], executed: [true, false, true, true, false] }],
    });
  });

  it('counts in a body what passing tests ran, and leaves open what a test ran of which nothing is known', () => {
    const seen = { 1: ['bad.py::a'], 2: ['t?'], 3: ['bad.py::a', 't?', 't.py::b'], 4: ['bad.py::a', ''] };
    const files = new Map([['coverage/python-1', lines(MEASURING, report(seen, [1, 2, 3, 4]))]]);
    const statements = [...[1, 2, 3].map((line) => statement(line, line)), statement(4, 4, { timing: 'definition' })];
    expect(readCoverage(files, examined(...statements), ROOT, isPassing).files[0]?.executed).toEqual([
      false,
      null,
      true,
      true,
    ]);
  });

  it('cannot tell what has no line of its own', () => {
    const files = new Map([['coverage/python-1', lines(MEASURING, report({ 1: ['t'], 2: ['t'] }, [1, 2, 5]))]]);
    const outer = statement(1, 1, { kind: 'if' });
    const inner = statement(1, 1, { start: 120, end: 140 });
    const statements = [
      outer,
      inner,
      statement(2, 3),
      statement(3, 3),
      statement(4, 4),
      statement(5, 5, { isInert: true }),
    ];
    expect(readCoverage(files, examined(...statements), ROOT, isPassing).files[0]?.executed).toEqual([
      true,
      null,
      true,
      null,
      null,
      null,
    ]);
  });

  it('does not say that a line never ran when a measuring process was killed', () => {
    const files = new Map([
      ['coverage/python-1', lines(MEASURING, report({ 1: ['t'] }, [1, 2]))],
      ['coverage/python-2', lines(MEASURING)],
    ]);
    const [witness] = readCoverage(files, examined(statement(1, 1), statement(2, 2)), ROOT, isPassing).files;
    expect(witness?.executed).toEqual([true, null]);
  });

  it.each([
    [[], 'no Python process of the run has loaded a changed file', 'not_loaded', []],
    [
      [
        { loaded: '/repo/app/calc.py' },
        { unavailable: 'coverage.py is not installed in the interpreter that ran the tests', installed: false },
      ],
      'coverage.py is not installed in the interpreter that ran the tests',
      'no_source',
      [],
    ],
    [
      [
        { loaded: '/repo/app/calc.py' },
        { unavailable: 'it is not installed', installed: false },
        { unavailable: 'it could not be started', installed: true },
      ],
      'it could not be started',
      'broken',
      [],
    ],
    [
      [{ loaded: '/site-packages/app/calc.py', instead_of: '/repo/app/calc.py' }],
      'other copies of the changed modules were loaded',
      'broken',
      ['/site-packages/app/calc.py'],
    ],
    [
      [{ loaded: '/repo/app/calc.py' }, MEASURING],
      'no process that loaded a changed file has reported what it measured',
      'broken',
      [],
    ],
  ])('says why nothing was measured: %j', (values, unavailable, gap, otherCopies) => {
    const files = new Map([['coverage/python-1', lines(...values)]]);
    expect(readCoverage(files, examined(statement(1, 1)), ROOT, isPassing)).toEqual({
      tool: 'none',
      unavailable,
      gap,
      files: [{ path: 'app/calc.py', isMeasured: false, otherCopies, executed: [null] }],
    });
  });

  it('has no complaint where no Python file was changed', () => {
    expect(readCoverage(new Map(), [], ROOT, isPassing)).toEqual({
      tool: 'none',
      unavailable: null,
      gap: null,
      files: [],
    });
  });
});
