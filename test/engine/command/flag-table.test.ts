import { expect, test } from 'vitest';
import { compileTable, joinTables } from '../../../src/engine/command/flag-table.ts';
import type { AllowlistFile, FlagTable } from '../../../src/model/allowlist.ts';

const none: FlagTable = { style: 'gnu', boolean: [], value: [], pattern: [], refused: [] };

function compile(...files: AllowlistFile[]) {
  return compileTable(files[0]?.runner ?? '', files, new Map());
}

test('a flag with and without a value takes one only after an equals sign', () => {
  const table = compile({
    runner: 'a',
    rules: [],
    flags: { ...none, boolean: ['-j'], value: ['-j'], pattern: ['-k'] },
  });
  expect([...table.known]).toEqual([
    ['-j', { takes: 'value after =', isPattern: false, matches: [], scope: null }],
    ['-k', { takes: 'value', isPattern: true, matches: [], scope: null }],
  ]);
});

test('a joined table knows what any knows, refuses what any refuses, and lets a refusal win', () => {
  const table = compile(
    { runner: 'a', rules: [], flags: { ...none, include: ['b'], boolean: ['-q', '-c'] } },
    { runner: 'b', rules: [], flags: { ...none, boolean: ['-v'], refused: [{ flags: ['-c'], why: 'no' }] } },
  );
  expect([[...table.known.keys()], [...table.refused]]).toEqual([['-q', '-v'], [['-c', 'no']]]);
});

test('a value must match in every one of the tables that are joined', () => {
  const of = (matches: string): FlagTable => ({ ...none, value: [{ flag: '-n', matches }] });
  const joined = joinTables([
    compile({ runner: 'a', rules: [], flags: of('1|2') }),
    compile({ runner: 'b', rules: [], flags: of('2|3') }),
  ]);
  expect(joined.known.get('-n')).toEqual({
    takes: 'value',
    isPattern: false,
    matches: [/^(?:1|2)$/u, /^(?:2|3)$/u],
    scope: null,
  });
});

test('what stands after the dashes of a runner with a shell meets that shell too', () => {
  const table = compile(
    { runner: 'a', rules: [], flags: { ...none, shell: true, afterDashes: ['b'] } },
    { runner: 'b', rules: [], flags: none },
  );
  expect(table.afterDashes?.shell).toBe(true);
});

test('a scope that names a flag the runner does not have is no table', () => {
  const scope = { narrowing: ['-k'], stopping: [], neutral: [] };
  expect(() => compile({ runner: 'a', rules: [], flags: { ...none, scope } })).toThrow('-k, which is no flag of it');
});
