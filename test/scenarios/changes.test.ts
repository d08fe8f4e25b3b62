/**
 * Verifies a sample of fixtures/changes for real: each folder is a change of a small project and the report that must
 * come of it. The sample is the same in every run of a seed; `npm run changes` verifies them all.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { changeCases, compared, expectedReport } from '../../scripts/changes/case.ts';
import { runCase } from '../../scripts/changes/run-case.ts';
import { choose } from '../../scripts/faults/options.ts';
import { REASON_CODES, SAVED_REASON_CODES } from '../../src/model/verdict.ts';
import { pythonToolchain } from '../support/python-toolchain.ts';

const SAMPLE = 15;
const SEED = 20;
/** Once it is set up, a case takes a second or two; beside other tests, longer. */
const LIMIT_MS = 120_000;
const TOOLCHAIN_LIMIT_MS = 300_000;

const CONSTRUCTS = [
  'one-line if',
  'ternary',
  'short-circuit',
  'multi-line statement',
  'import-only body',
  'child process',
  'deletion',
  'default argument',
  'comprehension condition',
  'generator',
  'code after a throw',
  'lambda',
  'match arm',
];

const cases = changeCases();
const sample = choose(cases, SAMPLE, SEED);

beforeAll(() => {
  pythonToolchain();
}, TOOLCHAIN_LIMIT_MS);

describe('a sample of the changes', () => {
  it.each(sample)(
    '$name ($tier)',
    async (change) => {
      expect(compared(await runCase(change))).toEqual(expectedReport(change));
    },
    LIMIT_MS,
  );
});

describe('the changes together', () => {
  it('show every reason that a verdict on a proposal can have', () => {
    const saved = new Set<string>(SAVED_REASON_CODES);
    const shown = new Set(cases.map((change) => expectedReport(change).reasonCode));
    expect([...shown].sort()).toEqual(REASON_CODES.filter((code) => !saved.has(code)).sort());
  });

  it('hold the whole matrix: every construct, exercised and not, in each language', () => {
    const cells = cases.flatMap(({ arguments: { matrix } }) => (matrix === undefined ? [] : [matrix]));
    const found = cells.map(({ language, construct, exercised }) => `${language}, ${construct}, ${String(exercised)}`);
    const wanted = ['python', 'javascript', 'typescript'].flatMap((language) =>
      CONSTRUCTS.flatMap((construct) => [`${language}, ${construct}, true`, `${language}, ${construct}, false`]),
    );
    expect([...new Set(found)].sort()).toEqual(wanted.sort());
  });

  it('call nothing of the matrix SAFE that no test exercised, and nothing else that one did', () => {
    const wrong = cases.filter((change) => {
      const { matrix } = change.arguments;
      return matrix !== undefined && matrix.exercised !== (expectedReport(change).verdict === 'SAFE');
    });
    expect(wrong).toEqual([]);
  });
});
