import { expect, test } from 'vitest';
import { readExamination } from '../../src/io/examination-file.ts';
import type { Examination } from '../../src/model/examination.ts';
import { analysisOf } from '../support/analysis.ts';
import { FINDING } from '../support/evidence.ts';

const after = { ...analysisOf('a\nif b\n c\n'), syntax: [FINDING] };
const WHOLE: Examination = {
  files: [
    { path: 'tide.py', before: analysisOf('a'), after },
    { path: 'new.py', before: null, after: { ...after, loadProbe: null } },
  ],
  imports: { before: [FINDING], after: [] },
  undecided: ['a sentence'],
};

test('a whole examination is read as it was printed', () => {
  expect(readExamination(JSON.stringify(WHOLE))).toEqual(WHOLE);
});

const withAfter = (changes: Readonly<Record<string, unknown>>) => ({
  ...WHOLE,
  files: [{ path: 'tide.py', before: null, after: { ...after, ...changes } }],
});
const [statement] = after.statements;

test.each<[what: string, value: unknown]>([
  ['another value', 7],
  ['an examination without imports', { ...WHOLE, imports: undefined }],
  ['a file without its analysis', { ...WHOLE, files: [{ path: 'tide.py', before: null }] }],
  ['a negative place', withAfter({ statements: [{ ...statement, start: -1 }] })],
  ['a broken place', withAfter({ statements: [{ ...statement, end: 1.5 }] })],
  ['another timing', withAfter({ statements: [{ ...statement, timing: 'never' }] })],
  ['a probe that moves lines', withAfter({ loadProbe: [{ at: 0, text: 'a\nb' }] })],
  ['a statement without a word on exclusion', withAfter({ statements: [{ ...statement, isExcluded: undefined }] })],
])('%s is none', (_what, value) => {
  expect(readExamination(JSON.stringify(value))).toBeNull();
});

test.each(['', '{', 'Traceback (most recent call last):'])('the text %j is none', (text) => {
  expect(readExamination(text)).toBeNull();
});
