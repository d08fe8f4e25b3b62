/** The two requests of the reference of verify_change, as written there, and the response it shows, through a client. */
import { cpSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { repositoryFolder } from '../../scripts/fixture-project.ts';
import { verifyChange } from '../../src/usecases/verify-change.ts';
import { joinServer, type Joined } from '../support/in-memory-server.ts';
import { testProduct, type TestProduct } from '../support/product.ts';
import { pythonToolchain } from '../support/python-toolchain.ts';

const TOOLCHAIN_LIMIT_MS = 300_000;
const LIMIT_MS = 120_000;

const EDITS = [
  { path: 'calc.py', newContent: 'def add(a, b):\n return b + a\n\n\ndef scale(a, factor):\n return a * factor\n' },
];
const UNIFIED_DIFF =
  'diff --git a/calc.py b/calc.py\n--- a/calc.py\n+++ b/calc.py\n@@ -3,4 +3,4 @@ def add(a, b):\n \n \n def scale(a, factor):\n- return a * factor\n+ return factor * a\n';
const TEST_CMD = 'python3 -m pytest -q';

let ground: TestProduct;
let joined: Joined;

beforeEach(async () => {
  const path = [dirname(pythonToolchain()), process.env['PATH'] ?? ''].join(delimiter);
  ground = testProduct({ env: { ...process.env, PATH: path }, settings: { testTimeoutMs: LIMIT_MS } });
  cpSync(join(repositoryFolder(), 'fixtures/repos/python-calc'), ground.root, { recursive: true });
  ground.repo.commit('start');
  joined = await joinServer({ verifyChange: (request, context) => verifyChange(ground.product, request, context) });
}, TOOLCHAIN_LIMIT_MS);

afterEach(() => {
  ground.dispose();
});

async function ask(args: Record<string, unknown>): Promise<unknown> {
  const request = { name: 'verify_change', arguments: { repoRoot: ground.root, testCmd: TEST_CMD, ...args } };
  const { content, structuredContent, isError } = await joined.client.callTool(request, { timeout: LIMIT_MS });
  expect(isError ?? false).toBe(false);
  const [first] = content as { readonly text: string }[];
  const report: unknown = JSON.parse(first?.text ?? '');
  expect(structuredContent).toEqual(report);
  return report;
}

const took = (): unknown => expect.any(Number);
const passed = () => ({ passed: true, durationMs: took() });

test(
  'the unifiedDiff form gives the response of the reference, field for field',
  async () => {
    expect(await ask({ unifiedDiff: UNIFIED_DIFF })).toMatchObject({
      verdict: 'UNPROVEN',
      reportVersion: 1,
      gates: { syntax: passed(), imports: passed(), tests: passed() },
      changedFiles: ['calc.py'],
      testFilesChanged: [],
      coverage: {
        tool: 'coverage.py',
        changedLinesCovered: false,
        uncovered: [{ file: 'calc.py', line: 6 }],
        filesWithUncovered: 1,
        changedStatements: { total: 1, covered: 0 },
        inertOnlyFiles: [],
      },
      reason: 'Tests pass, but the changed code is not exercised by any test.',
      missingTests: [{ file: 'calc.py', hint: 'add a test exercising calc.py:6' }],
    });
  },
  LIMIT_MS,
);

test(
  'the edits form changes only what a test runs, and is SAFE',
  async () => {
    expect(await ask({ edits: EDITS })).toMatchObject({
      verdict: 'SAFE',
      reasonCode: 'verified',
      reportVersion: 1,
      gates: { syntax: passed(), imports: passed(), tests: passed() },
      changedFiles: ['calc.py'],
      testFilesChanged: [],
      coverage: {
        tool: 'coverage.py',
        changedLinesCovered: true,
        uncovered: [],
        filesWithUncovered: 0,
        changedStatements: { total: 1, covered: 1 },
        inertOnlyFiles: [],
      },
      missingTests: [],
    });
  },
  LIMIT_MS,
);
