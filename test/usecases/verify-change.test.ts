/** What an earlier verification of the same content may stand for, seen by how often the suite ran. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyChange } from '../../src/usecases/verify-change.ts';
import { testProduct, type TestProduct } from '../support/product.ts';

const SUITE = `import assert from 'node:assert';
import { appendFileSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { toll } from './toll.js';

appendFileSync(process.env.HOME + '/runs', 'x');
test('the toll is as posted', () => assert.strictEqual(toll(1), Number(readFileSync('posted.txt', 'utf8'))));
`;
const CHANGE = '--- a/toll.js\n+++ b/toll.js\n@@ -1,1 +1,1 @@\n-export const toll = (carts) => carts * 2;\n';
const SAME = `${CHANGE}+export const toll = (carts) => 2 * carts;\n`;
const OTHER = `${CHANGE}+export const toll = (carts) => carts + carts;\n`;
const CALL = { signal: new AbortController().signal, progress: () => undefined };

let ground: TestProduct;
beforeEach(() => {
  const home: { HOME: string | undefined } = { HOME: undefined };
  ground = testProduct({
    env: {
      PATH: process.env['PATH'],
      get HOME() {
        return home.HOME;
      },
    },
  });
  home.HOME = join(ground.root, '..');
  ground.repo.file('package.json', '{ "type": "module", "scripts": { "test": "node --test" } }\n');
  ground.repo.file('toll.js', 'export const toll = (carts) => carts * 2;\n');
  ground.repo.file('toll.test.js', SUITE);
  ground.repo.file('.gitignore', 'posted.txt\n');
  ground.repo.file('posted.txt', '2\n');
  ground.repo.commit();
});
afterEach(() => {
  ground.dispose();
});

function runs(): number {
  const path = join(ground.root, '../runs');
  return existsSync(path) ? readFileSync(path, 'utf8').length : 0;
}

/** Verifies once what was just written has grown older than the clock of the file system is coarse. */
async function verify(unifiedDiff: string) {
  await sleep(100);
  const before = runs();
  const answer = await verifyChange(ground.product, { repoRoot: ground.root, unifiedDiff }, CALL);
  if (!answer.ok) throw new Error(answer.failure.message);
  const { verdict, reasonCode, cached } = answer.value;
  return [verdict, reasonCode, cached === undefined ? 'ran' : 'kept', runs() - before];
}

test('an equal request is answered from what was found, and another change takes over the suite without it', async () => {
  expect([await verify(SAME), await verify(SAME), await verify(OTHER)]).toEqual([
    ['SAFE', 'verified', 'ran', 2],
    ['SAFE', 'verified', 'kept', 0],
    ['SAFE', 'verified', 'ran', 1],
  ]);
});

test('nothing found before stands for anything once a file has changed that git ignores', async () => {
  const first = await verify(SAME);
  appendFileSync(join(ground.root, 'posted.txt'), '1\n');
  const second = await verify(SAME);
  expect([first, second.slice(0, 3)]).toEqual([
    ['SAFE', 'verified', 'ran', 2],
    ['UNPROVEN', 'baseline_red', 'ran'],
  ]);
});
