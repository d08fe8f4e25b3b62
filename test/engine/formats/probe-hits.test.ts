import { expect, test } from 'vitest';
import { readProbeHits } from '../../../src/engine/formats/probe-hits.ts';

const files = (...texts: readonly string[]) => texts.map((text) => Buffer.from(text));

test('hits of several processes are gathered by probe, each once', () => {
  expect(
    readProbeHits(files('1\tload\t\n2\ttest\ttest_a.py::test_x[1]\n', '2\ttest\ttest_a.py::test_x[1]\n2\tload\t\n')),
  ).toEqual(
    new Map([
      [1, [{ probe: 1, phase: 'load', testId: '' }]],
      [
        2,
        [
          { probe: 2, phase: 'test', testId: 'test_a.py::test_x[1]' },
          { probe: 2, phase: 'load', testId: '' },
        ],
      ],
    ]),
  );
});

test('an id keeps its tabs and its letters', () => {
  expect(readProbeHits(files('7\ttest\tté\tst\n'))).toEqual(
    new Map([[7, [{ probe: 7, phase: 'test', testId: 'té\tst' }]]]),
  );
});

test.each([
  ['a line that a dying process cut off', '1\ttest\tte'],
  ['another phase', '1\tset-up\t\n'],
  ['no number', 'x\ttest\ta\n'],
  ['a number with a sign', '-1\ttest\ta\n'],
  ['a number without end', `${'9'.repeat(30)}\ttest\ta\n`],
  ['an empty line', '\n'],
])('%s is no hit', (_what, text) => {
  expect(readProbeHits(files(text))).toEqual(new Map());
});
