/** A suite whose runner is not installed, with a registry at hand that has it: asked or not, it must not come to run. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyChange } from '../../src/usecases/verify-change.ts';
import { testProduct, type TestProduct } from '../support/product.ts';

const DIFF = '--- a/tide.js\n+++ b/tide.js\n@@ -1 +1 @@\n-export const high = 4;\n+export const high = 5;\n';
const CALL = { signal: new AbortController().signal, progress: () => undefined };

let asked: string[];
let registry: ReturnType<typeof createServer>;
let ground: TestProduct;

beforeEach(async () => {
  asked = [];
  registry = createServer(({ url = '', headers: { host = '' } }, response) => {
    asked.push(url);
    const dist = { tarball: `http://${host}/tide-runner/-/tide-runner-1.0.0.tgz` };
    const version = { name: 'tide-runner', version: '1.0.0', bin: 'run.js', dist };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ name: 'tide-runner', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }),
    );
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const home = { path: '' };
  ground = testProduct({
    env: {
      PATH: process.env['PATH'],
      get HOME() {
        return home.path;
      },
    },
  });
  home.path = join(ground.root, '../home');
  const { port } = registry.address() as AddressInfo;
  ground.repo.file('../home/.keep', '');
  ground.repo.file('.npmrc', `registry=http://127.0.0.1:${port}/\nupdate-notifier=false\nfetch-retries=0\n`);
  ground.repo.file('tide.js', 'export const high = 4;\n');
});
afterEach(async () => {
  ground.dispose();
  registry.close();
  await once(registry, 'close');
});

async function verify(script: string) {
  ground.repo.file('package.json', JSON.stringify({ name: 'tides', type: 'module', scripts: { test: script } }));
  ground.repo.commit();
  const answer = await verifyChange(
    ground.product,
    { repoRoot: ground.root, unifiedDiff: DIFF, testCommand: 'npm test' },
    CALL,
  );
  if (!answer.ok) throw new Error(answer.failure.message);
  const { verdict, reasonCode, reason } = answer.value;
  return { verdict, reasonCode, reason };
}

test('a script that names it behind npx is not even started', async () => {
  expect([await verify('npx --yes tide-runner'), asked]).toEqual([
    {
      verdict: 'UNPROVEN',
      reasonCode: 'runner_missing',
      reason:
        'The test command could not be started (tide-runner is in no node_modules of the project, so `npm test` would ' +
        'have to fetch it; nothing was fetched).',
    },
    [],
  ]);
});

test('a program of the project that starts npx gets no leave to install it', async () => {
  ground.repo.file(
    'start.js',
    "import { spawnSync } from 'node:child_process';\n" +
      "process.exit(spawnSync('npx', ['tide-runner'], { stdio: 'inherit' }).status ?? 1);\n",
  );
  const report = await verify('node start.js');
  expect(report).toMatchObject({ verdict: 'UNPROVEN', reasonCode: 'runner_missing' });
  expect(report.reason).toContain('npx canceled due to missing packages and no YES option: ["tide-runner@1.0.0"]');
  // Whether there is such a package may be asked; the package itself may not.
  expect(asked.filter((url) => url.endsWith('.tgz'))).toEqual([]);
});
