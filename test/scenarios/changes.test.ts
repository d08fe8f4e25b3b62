/**
 * Verifies a sample of fixtures/changes for real: each folder is a change of a small project and the report that must
 * come of it. The sample is the same in every run of a seed; `npm run changes` verifies them all.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { changeCases, compared, expectedReport } from '../../scripts/changes/case.ts';
import { runCase } from '../../scripts/changes/run-case.ts';
import { choose } from '../../scripts/faults/options.ts';
import { pythonToolchain } from '../support/python-toolchain.ts';

const SAMPLE = 15;
const SEED = 20;
/** Once it is set up, a case takes a second or two; beside other tests, longer. */
const LIMIT_MS = 120_000;
const TOOLCHAIN_LIMIT_MS = 300_000;

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
