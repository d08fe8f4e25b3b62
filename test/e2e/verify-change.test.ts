/** verify_change and verify-diff of the built program: judged, refused, cancelled, killed; the repository is never touched. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { gitRepo, temporaryFolder, type GitRepo } from '../support/git-repo.ts';
import { treeOf } from '../support/product.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** The full count is for a run by hand: `SUREPATCH_ROUNDS=100 npx vitest run test/e2e/verify-change.test.ts`. */
const ROUNDS = Number(process.env['SUREPATCH_ROUNDS'] ?? '8');

const FERRY = `export const fare = (cars) => cars * 30;

export function wait(minutes) {
  return minutes > 60 ? 'go home' : 'stay';
}
`;
const SUITE = `import assert from 'node:assert';
import { test } from 'node:test';
import { fare, wait } from './ferry.js';
test('two cars cost sixty', () => assert.strictEqual(fare(2), 60));
test('a short wait is borne', () => assert.strictEqual(wait(5), 'stay'));
`;
const edit = (from: string, to: string) => [{ path: 'ferry.js', newContent: FERRY.replace(from, to) }];
const COVERED = edit('cars * 30', '30 * cars');
const DIFF =
  '--- a/ferry.js\n+++ b/ferry.js\n@@ -1 +1 @@\n-export const fare = (cars) => cars * 30;\n+export const fare = (cars) => 30 * cars;\n';

let folder: ReturnType<typeof temporaryFolder>;
let repo: GitRepo;
let client: Client;
let transport: StdioClientTransport;

beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => {
  folder.dispose();
});
beforeEach(async () => {
  repo = gitRepo(mkdtempSync(join(folder.path, 'harbour-')));
  repo.file('package.json', '{ "type": "module", "scripts": { "test": "node --test" } }\n');
  repo.file('ferry.js', FERRY);
  repo.file('ferry.test.js', SUITE);
  repo.commit();
  await connect();
});
afterEach(() => client.close());

const ENVIRONMENT = () => ({
  PATH: process.env['PATH'] ?? '',
  HOME: folder.path,
  XDG_STATE_HOME: join(folder.path, 'state'),
});

async function connect(): Promise<void> {
  transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'serve', '--root', folder.path],
    env: ENVIRONMENT(),
    stderr: 'ignore',
  });
  client = new Client({ name: 'test-client', version: '1.0.0' });
  await client.connect(transport);
}

function verify(args: object, signal?: AbortSignal) {
  const given = { name: 'verify_change', arguments: { repoRoot: repo.path, ...args } };
  return client.callTool(given, undefined, { timeout: 60_000, ...(signal === undefined ? {} : { signal }) });
}

test('a covered change is SAFE, an uncovered branch is named, a breaking change names its test', async () => {
  const before = treeOf(repo.path);
  expect(await verify({ edits: COVERED })).toMatchObject({
    isError: false,
    structuredContent: { verdict: 'SAFE', reasonCode: 'verified', changedFiles: ['ferry.js'] },
  });
  expect(await verify({ edits: edit('minutes > 60', 'minutes > 90') })).toMatchObject({
    structuredContent: {
      verdict: 'UNPROVEN',
      reason: 'Tests pass, but the changed code is not exercised by any test.',
      coverage: { changedLinesCovered: false, uncovered: [{ file: 'ferry.js', line: 4 }] },
    },
  });
  const breaking = await verify({ edits: edit('cars * 30', 'cars * 31') });
  expect(breaking).toMatchObject({
    isError: false,
    structuredContent: {
      verdict: 'UNSAFE',
      reasonCode: 'tests_failed',
      verification_id: expect.stringMatching(/^[0-9a-f]{32}$/u) as string,
    },
  });
  const [{ text }] = breaking.content as [{ text: string }];
  expect(JSON.parse(text)).toEqual(breaking.structuredContent);
  expect(treeOf(repo.path)).toEqual(before);
});

test('a call without a change is an error in the words of the contract', async () => {
  expect(await verify({})).toEqual({
    isError: true,
    content: [
      { type: 'text', text: 'verify_change failed: verifyDiff: no edits provided (pass `edits` or `unifiedDiff`)' },
    ],
    structuredContent: {
      error: 'verifyDiff: no edits provided (pass `edits` or `unifiedDiff`)',
      error_code: 'NOTHING_TO_VERIFY',
      hint: 'Pass the change as `edits` (whole new contents) or as `unifiedDiff`; for files saved already, pass `paths`.',
    },
  });
});

test('an equal request joins the one under way, a later one is answered from what was found, fresh runs anew', async () => {
  const [one, other] = await Promise.all([verify({ edits: COVERED }), verify({ edits: COVERED })]);
  const idOf = (answer: typeof one) => (answer.structuredContent as { verification_id: string }).verification_id;
  expect(idOf(one)).toBe(idOf(other));
  const later = await verify({ edits: COVERED });
  expect([idOf(later), later.structuredContent]).toEqual([
    idOf(one),
    expect.objectContaining({ cached: { ageMs: expect.any(Number) as number } }),
  ]);
  const fresh = await verify({ edits: COVERED, fresh: true });
  expect(idOf(fresh)).not.toBe(idOf(one));
});

test('verify-diff exits with 0, 1, 2 and 3, and --json prints the same report', () => {
  const run = (diff: string, ...words: string[]) => {
    repo.file('../change.diff', diff);
    const args = [MAIN, 'verify-diff', repo.path, '--diff', join(folder.path, 'change.diff'), ...words];
    return spawnSync(process.execPath, args, { env: ENVIRONMENT(), encoding: 'utf8' });
  };
  const safe = run(DIFF, '--json');
  expect([safe.status, JSON.parse(safe.stdout)]).toEqual([0, expect.objectContaining({ verdict: 'SAFE' })]);
  expect(run(DIFF.replaceAll('+export const fare = (cars) => 30', '+export const fare = (cars) => 31')).status).toBe(1);
  expect(run(DIFF.replaceAll('ferry.js', 'ferries.js')).status).toBe(2);
  const readme = '--- /dev/null\n+++ b/README.md\n@@ -0,0 +1 @@\n+A harbour.\n';
  expect([run(readme).status, run(readme, '--fail-on', 'unproven').status]).toEqual([0, 3]);
});

/** Folders of shadow trees; whatever else lies there is none of a verification's. */
function shadows(): readonly string[] {
  const place = join(folder.path, 'state/surepatch/shadows');
  return existsSync(place) ? readdirSync(place) : [];
}

/** Processes that work for a run of ours, by the variable that leads them to its folder. */
function processes(): readonly string[] {
  return readdirSync('/proc').filter((id) => {
    if (!/^\d+$/u.test(id)) return false;
    try {
      return readFileSync(`/proc/${id}/environ`, 'utf8').includes(`SUREPATCH_RUN=${folder.path}`);
    } catch {
      return false;
    }
  });
}

test(`${ROUNDS} verifications that are cancelled or killed leave no process, no mount and no folder`, async () => {
  const before = treeOf(repo.path);
  for (let round = 0; round < ROUNDS; round += 1) {
    const stop = new AbortController();
    const answer = verify({ edits: COVERED, fresh: true }, stop.signal).catch(() => 'gone');
    await delay((round % 8) * 170);
    if (round % 2 === 0) {
      stop.abort();
      await answer;
    } else {
      process.kill(transport.pid ?? 0, 'SIGKILL');
      await answer;
      await connect();
    }
  }
  // The call that was cancelled last is still tidying up; a start sweeps what a killed server left.
  await client.close();
  await connect();
  for (let wait = 0; wait < 100 && shadows().length + processes().length > 0; wait += 1) await delay(50);
  expect({
    shadows: shadows(),
    processes: processes(),
    mounts: readFileSync('/proc/self/mountinfo', 'utf8').includes(folder.path),
    tree: treeOf(repo.path),
  }).toEqual({ shadows: [], processes: [], mounts: false, tree: before });
}, 600_000);
