/** Trials whose runs disturb each other, for real: what comes of them is written beside the change. */
import { beforeAll, expect, test } from 'vitest';
import { changeCases, compared, expectedReport } from '../../scripts/changes/case.ts';
import { runCase } from '../../scripts/changes/run-case.ts';
import { pythonToolchain } from '../support/python-toolchain.ts';

const LIMIT_MS = 120_000;
const TOOLCHAIN_LIMIT_MS = 300_000;

beforeAll(() => {
  pythonToolchain();
}, TOOLCHAIN_LIMIT_MS);

test.each([
  'python-failure-hidden-by-probes-of-what-is-deleted',
  'python-deletion-beside-a-test-that-reads-the-source',
  'python-suite-that-hangs-in-one-of-two-runs',
  'python-flaky-test',
])(
  '%s',
  async (name) => {
    const found = changeCases().filter((change) => change.name === name);
    const reports = await Promise.all(found.map(async (change) => compared(await runCase(change))));
    expect(reports).toEqual(found.map(expectedReport));
    expect(reports).toHaveLength(1);
  },
  LIMIT_MS,
);
