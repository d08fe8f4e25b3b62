/** Writes that stand on a verification: first and in one call, or later by its id; and everything that makes it stale. */
import { readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VERIFICATION_LIFE_MS } from '../../src/model/verification.ts';
import { verifyChange } from '../../src/usecases/verify-change.ts';
import { writeFix } from '../../src/usecases/write-fix.ts';
import { treeOf, testProduct, type TestProduct } from '../support/product.ts';

const FARE = `export const fare = (zones) => zones * 2;

export const discount = (price) => {
  return price / 2;
};
`;
const SUITE = `import assert from 'node:assert';
import { appendFileSync } from 'node:fs';
import { test } from 'node:test';
import { fare } from './fare.js';

appendFileSync(process.env.HOME + '/runs', 'x');
test('two zones cost four', () => assert.strictEqual(fare(2), 4));
`;
const COVERED =
  '@@ -1,1 +1,1 @@\n-export const fare = (zones) => zones * 2;\n+export const fare = (zones) => 2 * zones;\n';
const BREAKING = COVERED.replace('2 * zones', '3 * zones');
const UNTESTED = '@@ -4,1 +4,1 @@\n-  return price / 2;\n+  return price * 0.5;\n';
const NOBODY = new AbortController().signal;
const CALL = { signal: NOBODY, progress: () => undefined };

let ground: TestProduct;
let clockMs = 0;

beforeEach(() => {
  clockMs = 0;
  const home = { HOME: undefined as string | undefined };
  ground = testProduct({
    env: {
      PATH: process.env['PATH'],
      get HOME() {
        return home.HOME;
      },
    },
    change: (host) => ({ ...host, now: () => host.now() + clockMs }),
  });
  home.HOME = join(ground.root, '..');
  ground.repo.file('package.json', '{ "type": "module", "scripts": { "test": "node --test" } }\n');
  ground.repo.file('fare.js', FARE);
  ground.repo.file('fare.test.js', SUITE);
  ground.repo.file('notes.txt', 'zones are rings\n');
  ground.repo.commit();
});

afterEach(() => {
  ground.dispose();
});

function stamps(): readonly (readonly [string, bigint])[] {
  return Object.keys(treeOf(ground.root)).map((path) => [
    path,
    statSync(join(ground.root, path), { bigint: true }).mtimeNs,
  ]);
}

function runs(): number {
  return readFileSync(join(ground.root, '../runs'), 'utf8').length;
}

async function verify(diff: string): Promise<string> {
  const header = '--- a/fare.js\n+++ b/fare.js\n';
  const answer = await verifyChange(ground.product, { repoRoot: ground.root, unifiedDiff: header + diff }, CALL);
  if (!answer.ok) throw new Error(answer.failure.message);
  if (answer.value.verification_id === null) throw new Error(answer.value.reason);
  return answer.value.verification_id;
}

async function writeVerified(id: string, request: { diff?: string; filePath?: string; testCommand?: string } = {}) {
  const full = { diff: COVERED, filePath: 'fare.js', ...request, verificationId: id };
  const answer = await writeFix(ground.product, full, CALL);
  return answer.ok ? answer.value.verified?.verdict : `${answer.failure.code}: ${answer.failure.message}`;
}

describe('verify_first: "safe"', () => {
  test.each([
    ['a breaking patch', BREAKING, 'UNSAFE', 'tests_failed'],
    ['an untested patch', UNTESTED, 'UNPROVEN', 'not_exercised'],
  ])('does not write %s, and leaves every byte and time as it was', async (_, diff, verdict, reasonCode) => {
    const before = [treeOf(ground.root), stamps()];
    const report = await ground.write({ diff, filePath: 'fare.js', verifyFirst: 'safe' });
    expect({ ...report, verdict: [report.verdict?.verdict, report.verdict?.reasonCode] }).toMatchObject({
      success: false,
      error_code: 'NOT_VERIFIED',
      disk_state: 'unchanged',
      verdict: [verdict, reasonCode],
    });
    expect([treeOf(ground.root), stamps()]).toEqual(before);
  });

  test('writes a covered patch, and runs nothing again', async () => {
    const report = await ground.write({ diff: COVERED, filePath: 'fare.js', verifyFirst: 'safe' });
    expect(report).toMatchObject({ success: true, disk_state: 'patched', verified: { verdict: 'SAFE' } });
    expect(readFileSync(join(ground.root, 'fare.js'), 'utf8')).toBe(FARE.replace('zones * 2', '2 * zones'));
    // Once with the change and once without it.
    expect(runs()).toBe(2);
  });

  test('does not stand on an answer found before an ignored file changed', async () => {
    ground.repo.file('.gitignore', 'price.json\n');
    ground.repo.file('price.json', '2\n');
    ground.repo.file(
      'fare.test.js',
      SUITE.replace('4)', "2 * JSON.parse(readFileSync('price.json', 'utf8')))").replace(
        'appendFileSync }',
        'appendFileSync, readFileSync }',
      ),
    );
    ground.repo.commit();
    await verify(COVERED);
    ground.repo.file('price.json', '3\n');
    const report = await ground.write({ diff: COVERED, filePath: 'fare.js', verifyFirst: 'safe' });
    expect([report.error_code, report.verdict?.reasonCode]).toEqual(['NOT_VERIFIED', 'baseline_red']);
    expect(readFileSync(join(ground.root, 'fare.js'), 'utf8')).toBe(FARE);
  });

  test('"not_unsafe" writes an untested patch as well', async () => {
    const report = await ground.write({ diff: UNTESTED, filePath: 'fare.js', verifyFirst: 'not_unsafe' });
    expect(report).toMatchObject({ success: true, verified: { verdict: 'UNPROVEN' } });
  });
});

describe('verification_id', () => {
  test('writes exactly what was verified without a second run, and only once', async () => {
    const id = await verify(COVERED);
    const seen = runs();
    expect([await writeVerified(id), runs()]).toEqual(['SAFE', seen]);
    expect(readFileSync(join(ground.root, 'fare.js'), 'utf8')).toBe(FARE.replace('zones * 2', '2 * zones'));
    ground.repo.git('checkout', '-q', 'fare.js');
    expect(await writeVerified(id)).toMatch(/^STALE: This verification has been written already/u);
  });

  const cases: readonly (readonly [what: string, act: () => void, request: object, words: RegExp])[] = [
    ['another patch', () => undefined, { diff: UNTESTED }, /^STALE: The patch is not the one/u],
    ['another command', () => undefined, { testCommand: 'node --test x' }, /^STALE: The command that was verified/u],
    [
      'an edit of the file',
      () => {
        ground.repo.file('fare.js', `${FARE}// the end\n`);
      },
      {},
      /^STALE: fare\.js is not the file that was verified/u,
    ],
    [
      'an edit of another tracked file',
      () => {
        ground.repo.file('notes.txt', 'zones are squares\n');
      },
      {},
      /^STALE: Other files of the repository changed since the verification: notes\.txt\.$/u,
    ],
    [
      'a touched file',
      () => {
        utimesSync(join(ground.root, 'notes.txt'), 1, 1);
      },
      {},
      /^STALE: Other files of the repository changed since the verification: notes\.txt\.$/u,
    ],
    [
      'a new file that git does not ignore',
      () => {
        ground.repo.file('conftest.py', '');
      },
      {},
      /^STALE: Other files of the repository changed since the verification: conftest\.py\.$/u,
    ],
    [
      'six new files',
      () => {
        for (const name of 'fedcba') ground.repo.file(name, '');
      },
      {},
      /^STALE: .* since the verification: a, b, c, d, e and more\.$/u,
    ],
    [
      'the loss of a file',
      () => {
        rmSync(join(ground.root, 'notes.txt'));
      },
      {},
      /^STALE: .* since the verification: removed, or moved with their folder\.$/u,
    ],
    [
      'a moved HEAD',
      () => {
        ground.repo.git('commit', '--allow-empty', '-qm', 'nothing');
      },
      {},
      /^STALE: HEAD moved from [0-9a-f]{40} to [0-9a-f]{40}/u,
    ],
    [
      'an hour',
      () => {
        clockMs = VERIFICATION_LIFE_MS + 1;
      },
      {},
      /^STALE: No such verification is known .* older than an hour/u,
    ],
  ];

  test.each(cases)('is refused after %s, and nothing is written', async (_, act, request, words) => {
    const id = await verify(COVERED);
    act();
    const before = treeOf(ground.root);
    expect([await writeVerified(id, request), treeOf(ground.root)]).toEqual([expect.stringMatching(words), before]);
  });

  test('that never was is refused', async () => {
    expect(await writeVerified('0'.repeat(32))).toMatch(/^STALE: No such verification/u);
  });

  test('of a change that breaks is not written', async () => {
    const id = await verify(BREAKING);
    const before = treeOf(ground.root);
    const answer = await writeVerified(id, { diff: BREAKING });
    expect([answer, treeOf(ground.root)]).toEqual([
      'NOT_VERIFIED: The verdict of this verification is UNSAFE; it is not written.',
      before,
    ]);
  });
});
