import { expect, test } from 'vitest';
import { placeProbes } from '../../../src/engine/evidence/place-probes.ts';
import { analyse } from '../../../src/examiners/javascript/analyse.ts';
import { analysisOf } from '../../support/analysis.ts';
import { FILE } from '../../support/evidence.ts';

const TEXT = 'a\nif b\n c\nd\n';

test('probes stand at the changed parts and nowhere else, outer ones first, and no line moves', () => {
  const probed = placeProbes(FILE, TEXT, analysisOf(TEXT), { statements: [1, 2], arms: [0] }, 5);
  expect(probed.text).toBe('load(5); a\nhit(6); if b\n hit(7); hit(8); c\nd\n');
  expect(probed.loadProbe).toBe(5);
  expect(probed.parts).toEqual([
    {
      file: FILE,
      kind: 'if',
      span: { start: 2, end: 9, line: 2, endLine: 3 },
      timing: 'definition',
      isExcluded: false,
      statement: 1,
      isArm: false,
      probe: 6,
    },
    {
      file: FILE,
      kind: 'c',
      span: { start: 8, end: 9, line: 3, endLine: 3 },
      timing: 'body',
      isExcluded: false,
      statement: 2,
      isArm: false,
      probe: 7,
    },
    {
      file: FILE,
      kind: 'then',
      span: { start: 8, end: 9, line: 3, endLine: 3 },
      timing: 'body',
      isExcluded: false,
      statement: 1,
      isArm: true,
      probe: 8,
    },
  ]);
});

test('a part where no probe can be placed takes no number', () => {
  const analysis = analysisOf(TEXT);
  const bare = {
    ...analysis,
    loadProbe: null,
    statements: analysis.statements.map((one, at) => (at === 0 ? { ...one, probe: null } : one)),
  };
  const probed = placeProbes(FILE, TEXT, bare, { statements: [0, 3], arms: [] }, 1);
  expect(probed.parts.map(({ probe }) => probe)).toEqual([null, 1]);
  expect([probed.loadProbe, probed.text]).toEqual([null, 'a\nif b\n c\nhit(1); d\n']);
});

test('a file without a place for any probe has no probed text', () => {
  expect(placeProbes(FILE, '', analysisOf(''), { statements: [], arms: [] }, 1)).toEqual({
    file: FILE,
    parts: [],
    loadProbe: null,
    text: null,
  });
});

test('probes that end and begin at one place nest, and the program stays one', () => {
  const text = 'function f(a, b) { if (a) if (b) g(); return a ? b ? 1 : 2 : (a && b) || (b ?? a) }\nf(() => f(1))\n';
  const analysis = analyse('tide.js', text);
  const all = { statements: [...analysis.statements.keys()], arms: [...analysis.arms.keys()] };
  const { text: probed, parts } = placeProbes('tide.js', text, analysis, all, 1);
  expect(analyse('tide.js', probed ?? '').syntax).toEqual([]);
  const numbers = [...(probed ?? '').matchAll(/__surepatch_hit__\((\d+)\)/gu)].map(([, number]) => Number(number));
  const placed = parts.flatMap(({ probe }) => (probe === null ? [] : [probe]));
  expect(numbers.toSorted((a, b) => a - b)).toEqual([1, ...placed].toSorted((a, b) => a - b));
  expect(probed?.split('\n').length).toBe(text.split('\n').length);
});
