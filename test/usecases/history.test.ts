import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readChange, readHistories, readHistory } from '../../src/usecases/history.ts';
import { recoverRoots } from '../../src/usecases/recover-roots.ts';
import { verifyChange } from '../../src/usecases/verify-change.ts';
import { writeFix } from '../../src/usecases/write-fix.ts';
import { lineDiff, testProduct, writeSuite, type TestProduct } from '../support/product.ts';

const BEFORE = 'low\nrising\nhigh\n';
const CALL = { signal: new AbortController().signal, progress: () => undefined };

let tides: TestProduct;
beforeEach(() => {
  tides = testProduct();
  tides.repo.file('tide.txt', BEFORE);
});
afterEach(() => {
  tides.dispose();
});

const records = () => {
  const read = readHistory(tides.product, {});
  if (!read.ok) throw new Error(read.failure.message);
  expect(read.value.problems).toEqual([]);
  return read.value.records;
};

/** A product whose process dies, for all that the disk shows, when it would make a write final. */
function dying(): TestProduct {
  const died = (): never => {
    throw new Error('died');
  };
  tides.dispose();
  tides = testProduct({
    change: (host) => ({
      ...host,
      beginWrite: (plan, journal) => {
        const open = host.beginWrite(plan, journal);
        return open.ok ? { ok: true, value: { ...open.value, commit: died, rollBack: died } } : open;
      },
    }),
  });
  tides.repo.file('tide.txt', BEFORE);
  return tides;
}

test('a write that stays is remembered with its file, where its bytes of before are, and its patch', async () => {
  const report = await tides.write({ diff: lineDiff('rising', 'slack'), filePath: 'tide.txt' });
  expect(records()).toEqual([
    {
      kind: 'write',
      id: report.write_id,
      client: null,
      files: [
        {
          path: 'tide.txt',
          sha256Before: report.sha256_before,
          sha256After: report.sha256_after,
          preimage: { blob: tides.product.host.blobId(Buffer.from(BEFORE)), backup: 'tide.txt.reforge-bak' },
        },
      ],
      command: null,
      verdict: null,
      reasonCode: null,
      outcome: 'kept',
      of: null,
      patchSha256: tides.product.host.sha256([Buffer.from(lineDiff('rising', 'slack'))]),
      outputUri: null,
      revision: report.revision,
      sequence: 1,
      atMs: expect.any(Number) as number,
      previous: '0'.repeat(64),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/u) as string,
    },
  ]);
});

test('a write that its tests refused is remembered as put back, with its command and output', async () => {
  writeSuite(tides.repo, BEFORE);
  const report = await tides.write({
    diff: lineDiff('rising', 'slack'),
    filePath: 'tide.txt',
    testCommand: 'node --test',
  });
  expect(records()).toMatchObject([
    {
      kind: 'rollback',
      id: report.write_id,
      of: report.write_id,
      outcome: 'TESTS_FAILED',
      command: 'node --test',
      outputUri: report.tests?.output_uri,
      revision: report.revision,
    },
  ]);
});

test('a write that cannot be remembered is put back and refused', async () => {
  tides.dispose();
  tides = testProduct({
    change: (host) => ({
      ...host,
      openHistory: (root) => {
        const store = host.openHistory(root);
        const append = (): never => {
          throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        };
        return store.ok ? { ok: true, value: { ...store.value, append } } : store;
      },
    }),
  });
  tides.repo.file('tide.txt', BEFORE);
  const report = await tides.write({ diff: lineDiff('rising', 'slack'), filePath: 'tide.txt' });
  expect(report).toMatchObject({ success: false, error_code: 'NO_SPACE', disk_state: 'rolled_back' });
  expect(readFileSync(join(tides.root, 'tide.txt'), 'utf8')).toBe(BEFORE);
  expect(report.notes.join(' ')).toContain('Not in the history');
});

test('a tested write whose process died after it was remembered is taken back, and that is remembered once', async () => {
  writeSuite(dying().repo, 'low\nslack\nhigh\n');
  const request = { diff: lineDiff('rising', 'slack'), filePath: 'tide.txt', testCommand: 'node --test' };
  await expect(tides.write(request)).rejects.toThrow('died');
  await recoverRoots(tides.product, CALL);
  await recoverRoots(tides.product, CALL);
  expect(records().map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['write', 'kept'],
    ['rollback', 'recovered'],
  ]);
  expect(readFileSync(join(tides.root, 'tide.txt'), 'utf8')).toBe(BEFORE);
});

test('an untested write whose process died before it was remembered is remembered by recovery', async () => {
  dying();
  const product = {
    ...tides.product,
    host: {
      ...tides.product.host,
      openHistory: () => {
        throw new Error('died');
      },
    },
  };
  const request = { diff: lineDiff('rising', 'slack'), filePath: 'tide.txt' };
  await writeFix(product, request, CALL).catch(() => undefined);
  expect(records()).toEqual([]);
  await recoverRoots(tides.product, CALL);
  expect(records()).toMatchObject([{ kind: 'write', outcome: 'kept', files: [{ path: 'tide.txt' }] }]);
  expect(readFileSync(join(tides.root, 'tide.txt'), 'utf8')).toBe('low\nslack\nhigh\n');
});

test('a verification is remembered with its verdict, and writes nothing', async () => {
  const answer = await verifyChange(
    tides.product,
    { repoRoot: tides.root, edits: [{ path: 'tide.txt', newContent: 'low\nslack\nhigh\n' }] },
    { ...CALL, client: { name: 'harbour', version: '2.0' } },
  );
  if (!answer.ok) throw new Error(answer.failure.message);
  expect(records()).toMatchObject([
    {
      kind: 'verification',
      id: answer.value.verification_id,
      client: { name: 'harbour', version: '2.0' },
      files: [{ path: 'tide.txt', preimage: null }],
      verdict: answer.value.verdict,
      reasonCode: answer.value.reasonCode,
      outcome: 'judged',
    },
  ]);
});

test('what is known under one id is the write and what undid it, newest first, in the roots of this process', async () => {
  const { write_id: id = '' } = await tides.write({ diff: lineDiff('rising', 'slack'), filePath: 'tide.txt' });
  expect(readHistories(tides.product).map(({ root, records: known }) => [root, known.length])).toEqual([
    [tides.root, 1],
  ]);
  const [one, none] = [readChange(tides.product, id), readChange(tides.product, 'f'.repeat(32))];
  expect([one.ok && one.value.map(({ kind }) => kind), none.ok || none.failure.code]).toEqual([
    ['write'],
    'WRITE_UNKNOWN',
  ]);
});

test('the history of a root is no other root’s', async () => {
  const { product, root, repo, write } = tides;
  repo.file('sub/tide.txt', BEFORE);
  const sub = join(root, 'sub');
  const own = await write({ diff: lineDiff('rising', 'slack'), filePath: 'tide.txt' });
  const diff = lineDiff('rising', 'ebbing');
  const other = await write({ diff, filePath: join(sub, 'tide.txt'), repoRoot: sub });
  const idsOf = (repoRoot: string): unknown => {
    const read = readHistory(product, { repoRoot });
    return read.ok && read.value.records.map(({ id }) => id);
  };
  expect([idsOf(root), idsOf(sub)]).toEqual([[own.write_id], [other.write_id]]);
});

test('a history that cannot be read is named with why, and does not vanish', async () => {
  await tides.write({ diff: lineDiff('rising', 'slack'), filePath: 'tide.txt' });
  const openHistory = (): never => {
    throw Object.assign(new Error('denied'), { code: 'EACCES' });
  };
  const store = (folder: Parameters<typeof tides.product.host.openHistory>[0]) => {
    const opened = tides.product.host.openHistory(folder);
    return opened.ok ? { ok: true as const, value: { ...opened.value, read: openHistory } } : opened;
  };
  const product = { ...tides.product, host: { ...tides.product.host, openHistory: store } };
  expect(readHistories(product)).toEqual([
    { root: tides.root, records: [], problems: [], error: expect.stringContaining('history') as string },
  ]);
});

test('a history that was removed with all that belongs to it is missed, also once it goes on', async () => {
  const problems = (): unknown => {
    const read = readHistory(tides.product, {});
    return read.ok && read.value.problems;
  };
  expect(problems()).toEqual([]);
  await tides.write({ diff: lineDiff('rising', 'slack'), filePath: 'tide.txt' });
  const roots = join(tides.stateHome, 'surepatch/roots');
  for (const root of readdirSync(roots)) {
    rmSync(join(roots, root, 'history.jsonl'));
    rmSync(join(roots, root, 'history.head'));
  }
  expect(problems()).toEqual([{ kind: 'missing', from: 1, to: 1 }]);
  await tides.write({ diff: lineDiff('slack', 'rising'), filePath: 'tide.txt' });
  expect(problems()).toEqual([{ kind: 'unsealed', from: 1, to: 1 }]);
});

test('the blob of before has the name that a repository of SHA-256 gives to it', async () => {
  tides.dispose();
  tides = testProduct({ git: false });
  tides.repo.git('init', '-q', '--object-format=sha256');
  tides.repo.file('tide.txt', BEFORE);
  tides.repo.commit('tide');
  tides.repo.file('tide.txt', `${BEFORE}more\n`);
  await tides.write({ diff: lineDiff('rising', 'slack'), filePath: 'tide.txt' });
  const [record] = records();
  expect(record?.files[0]?.preimage?.blob).toBe(tides.product.host.blobId(Buffer.from(`${BEFORE}more\n`), 64));
});
