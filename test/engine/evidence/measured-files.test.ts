import { describe, expect, test } from 'vitest';
import {
  measureFiles,
  probeDeleted,
  withoutArmsOfTests,
  type MeasuredFile,
} from '../../../src/engine/evidence/measured-files.ts';
import type { TestReport } from '../../../src/model/suite.ts';
import { analysisOf } from '../../support/analysis.ts';

const CODE = 'if wet\n  umbrella\n';

function measured(path: string, before: string | null, after: string | Buffer): readonly MeasuredFile[] {
  const [old, now] = [before === null ? null : Buffer.from(before), Buffer.from(after)];
  const examined = {
    path,
    before: before === null ? null : analysisOf(before),
    after: analysisOf(now.toString('utf8')),
  };
  return measureFiles([{ path, before: old, after: now }], [examined], (name) => name.startsWith('test_'));
}

const partsOf = (files: readonly MeasuredFile[]) =>
  files.flatMap(({ probed }) =>
    probed.parts.map(({ kind, isArm, probe }) => `${isArm ? 'arm' : 'statement'} ${kind} ${probe ?? 'unprobed'}`),
  );

const ran = (...files: readonly (string | null)[]): TestReport => ({
  runner: 'pytest',
  tests: files.map((file, at) => ({ id: `t${at}`, times: 1, outcome: 'passed', message: null, file })),
  errors: [],
  deselected: 0,
});

describe('the parts of a changed file', () => {
  const all = ['statement if 2', 'statement umbrella 3', 'arm then 4'];

  test.each<[path: string, parts: readonly string[], isTakenForTest: boolean]>([
    ['rain.py', all, false],
    ['testing/rain.py', all, false],
    ['tests/rain.py', all, false],
    ['spec/rain.py', all, false],
    ['test_rain.py', all.slice(0, 2), true],
  ])('%s: arms stay unless the file itself has the name of a test', (path, parts, isTakenForTest) => {
    const files = measured(path, null, CODE);
    expect([partsOf(files), files.map((file) => file.isTakenForTest)]).toEqual([parts, [isTakenForTest]]);
  });

  test.each<[what: string, files: readonly (string | null)[], parts: readonly string[]]>([
    ['found tests in it', ['tests/rain.py'], all.slice(0, 2)],
    ['found tests elsewhere only', ['tests/test_sun.py'], all],
    ['does not say where its tests are', [null], all],
    ['found none', [], all],
  ])('arms of a helper beside tests are left out where the run %s', (_what, files, parts) => {
    const file = withoutArmsOfTests(measured('tests/rain.py', null, CODE), ran(...files));
    expect([partsOf(file), file.map(({ changed }) => changed.arms.length)]).toEqual([
      parts,
      [parts.length === all.length ? 1 : 0],
    ]);
  });

  test('a text that is not UTF-8 takes no probes', () => {
    const files = measured('rain.py', null, Buffer.from([...Buffer.from(CODE), 0xff]));
    expect([partsOf(files).slice(0, 2), files.map(({ probed }) => probed.text)]).toEqual([
      ['statement if unprobed', 'statement umbrella unprobed'],
      [null],
    ]);
  });

  test('numbers go on from file to file, and to what is deleted', () => {
    const proposal = ['a.py', 'b.py'].map((path) => ({
      path,
      before: Buffer.from('one\ntwo'),
      after: Buffer.from('one\nthree'),
    }));
    const examined = proposal.map(({ path }) => ({
      path,
      before: analysisOf('one\ntwo'),
      after: analysisOf('one\nthree'),
    }));
    const files = measureFiles(proposal, examined, () => false);
    expect(files.map(({ probed }) => [probed.loadProbe, probed.parts.map(({ probe }) => probe)])).toEqual([
      [1, [2]],
      [3, [4]],
    ]);
  });
});

describe('what a change deletes', () => {
  test('is probed in the text of before, which can be put back', () => {
    const [before, after] = ['one\ntwo\nthree', 'one\nthree'];
    const proposal = [{ path: 'a.py', before: Buffer.from(before), after: Buffer.from(after) }];
    const files = measured('a.py', before, after);
    const { deleted, texts } = probeDeleted(proposal, files);
    expect([deleted, texts.map(({ path, bytes, original }) => [path, String(bytes), String(original)])]).toEqual([
      [{ file: 'a.py', line: 2, probe: 3 }],
      [['a.py', 'load(2); one\nhit(3); two\nthree', before]],
    ]);
  });

  test('is nothing where the change only adds', () => {
    const proposal = [{ path: 'a.py', before: Buffer.from('one'), after: Buffer.from('one\ntwo') }];
    expect(probeDeleted(proposal, measured('a.py', 'one', 'one\ntwo'))).toEqual({ deleted: [], texts: [] });
  });
});
