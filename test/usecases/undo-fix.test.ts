import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reportOfUndoFailure, type UndoReport } from '../../src/model/undo-report.ts';
import { undoFix } from '../../src/usecases/undo-fix.ts';
import { testProduct, treeOf, type TestProduct } from '../support/product.ts';

const CALL = { signal: new AbortController().signal, progress: () => undefined };
const LINES = Array.from({ length: 60 }, (_, n) => `tide ${n + 1}\n`);

let tides: TestProduct;
beforeEach(() => {
  tides = testProduct();
});
afterEach(() => {
  tides.dispose();
});

const read = (): string => readFileSync(join(tides.root, 'tide.txt'), 'utf8');
const edit = (change: (text: string) => string): void => {
  tides.repo.file('tide.txt', change(read()));
};

/** Changes one line of the file as it is now, with three lines around it where there are as many. */
async function write(line: number, to: string): Promise<string> {
  const lines = read().split('\n').slice(0, -1);
  const [from, end] = [Math.max(1, line - 3), Math.min(lines.length, line + 3)];
  const body = lines
    .slice(from - 1, end)
    .map((text, n) => (from + n === line ? `-${text}\n+${to}\n` : ` ${text}\n`))
    .join('');
  const count = end - from + 1;
  const report = await tides.write({
    diff: `@@ -${from},${count} +${from},${count} @@\n${body}`,
    filePath: 'tide.txt',
  });
  if (!report.success || report.write_id === undefined) throw new Error(report.error ?? 'no id');
  return report.write_id;
}

async function undo(writeId: string): Promise<UndoReport> {
  const answer = await undoFix(tides.product, { writeId }, CALL);
  return answer.ok ? answer.value : reportOfUndoFailure(answer.failure);
}

describe('a file that is as the write left it', () => {
  test('gets its bytes of before back, and the undo is a write of its own that can be undone', async () => {
    tides.repo.file('tide.txt', LINES.join(''));
    const id = await write(30, 'slack');
    const first = await undo(id);
    expect(first).toMatchObject({ success: true, disk_state: 'patched', undoes: id, file_path: 'tide.txt' });
    expect(read()).toBe(LINES.join(''));
    const second = await undo(first.write_id ?? '');
    expect([second.success, read().includes('slack')]).toEqual([true, true]);
    const third = await undo(second.write_id ?? '');
    expect([third.success, read()]).toEqual([true, LINES.join('')]);
  });

  test('without git, too', async () => {
    tides.dispose();
    tides = testProduct({ git: false });
    tides.repo.file('tide.txt', LINES.join(''));
    const id = await write(1, 'slack');
    expect([(await undo(id)).success, read()]).toEqual([true, LINES.join('')]);
  });

  test('from git where the backup is gone and git came to hold the bytes', async () => {
    tides.repo.file('tide.txt', LINES.join(''));
    tides.repo.git('add', 'tide.txt');
    const id = await write(30, 'slack');
    rmSync(join(tides.root, 'tide.txt.reforge-bak'));
    expect([(await undo(id)).success, read()]).toEqual([true, LINES.join('')]);
  });

  test('is left alone where both are gone, and that is said', async () => {
    tides.repo.file('tide.txt', LINES.join(''));
    const id = await write(30, 'slack');
    rmSync(join(tides.root, 'tide.txt.reforge-bak'));
    const before = treeOf(tides.root);
    expect(await undo(id)).toMatchObject({
      success: false,
      error_code: 'PREIMAGE_GONE',
      disk_state: 'unchanged',
      undoes: id,
    });
    expect(treeOf(tides.root)).toEqual(before);
  });

  test('whose preimage is a clean file of git needs no backup', async () => {
    tides.repo.file('tide.txt', LINES.join(''));
    tides.repo.commit('tides');
    const id = await write(30, 'slack');
    expect(Object.keys(treeOf(tides.root))).toEqual(['tide.txt']);
    expect([(await undo(id)).success, read()]).toEqual([true, LINES.join('')]);
  });
});

describe('a file that went on since', () => {
  beforeEach(() => {
    tides.repo.file('tide.txt', LINES.join(''));
  });

  test('seven writes and edits between them: the third goes, and everything else stays', async () => {
    const ids: string[] = [];
    for (const [n, line] of [5, 12, 20, 28, 36, 44, 52].entries()) {
      ids.push(await write(line + n, `slack ${n + 1}`));
      edit((text) => `noted ${n + 1}\n${text}`);
    }
    const before = read();
    expect((await undo(ids[2] ?? '')).success).toBe(true);
    expect(read()).toBe(before.replace('slack 3\n', 'tide 20\n'));
  });

  test('a change of the same line is a conflict that shows both sides, and nothing is written', async () => {
    const id = await write(30, 'slack');
    edit((text) => text.replace('slack', 'slack water'));
    const before = treeOf(tides.root);
    expect(await undo(id)).toMatchObject({
      success: false,
      error_code: 'CONFLICT',
      disk_state: 'unchanged',
      undoes: id,
      undo_diff: expect.stringContaining('-slack\n+tide 30\n') as string,
      since_diff: expect.stringContaining('-slack\n+slack water\n') as string,
    });
    expect(treeOf(tides.root)).toEqual(before);
  });

  test('a change two lines away is a conflict, and one four lines away is kept', async () => {
    const id = await write(30, 'slack');
    edit((text) => text.replace('tide 32\n', 'neap\n'));
    expect((await undo(id)).error_code).toBe('CONFLICT');
    edit((text) => text.replace('neap\n', 'tide 32\n').replace('tide 34\n', 'neap\n'));
    expect((await undo(id)).success).toBe(true);
    expect(read()).toBe(LINES.join('').replace('tide 34\n', 'neap\n'));
  });

  test('of two equal places none is taken by chance', async () => {
    const block = 'ebb\nebb\nebb\nflow\nebb\nebb\nebb\n';
    tides.repo.file('tide.txt', `${block}${block}`);
    const id = await write(4, 'slack');
    tides.repo.file('tide.txt', `${read()}${read()}`);
    const before = read();
    expect((await undo(id)).error_code).toBe('CONFLICT');
    expect(read()).toBe(before);
  });

  test('an undo of an undo keeps what came between', async () => {
    const undone = await undo(await write(30, 'slack'));
    edit((text) => text.replace('tide 50\n', 'neap\n'));
    expect((await undo(undone.write_id ?? '')).success).toBe(true);
    expect(read()).toBe(LINES.join('').replace('tide 30\n', 'slack\n').replace('tide 50\n', 'neap\n'));
  });

  test('bytes that are no UTF-8 and a missing last newline come through', async () => {
    const odd = Buffer.concat([Buffer.from(LINES.join('')), Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from('end')]);
    tides.repo.file('tide.txt', odd);
    const report = await tides.write({
      diff: '@@ -1,4 +1,3 @@\n-tide 1\n tide 2\n tide 3\n tide 4\n',
      filePath: 'tide.txt',
    });
    const path = join(tides.root, 'tide.txt');
    tides.repo.file('tide.txt', Buffer.concat([readFileSync(path), Buffer.from(' of it')]));
    const undone = await undo(report.write_id ?? '');
    expect(readFileSync(path)).toEqual(Buffer.concat([odd, Buffer.from(' of it')]));
    expect((await undo(undone.write_id ?? '')).success).toBe(true);
    expect(readFileSync(path).subarray(0, 7).toString()).toBe('tide 2\n');
  });

  test('a file that already is what it was before is left alone', async () => {
    const id = await write(30, 'slack');
    tides.repo.file('tide.txt', LINES.join(''));
    expect(await undo(id)).toMatchObject({ error_code: 'ALREADY_APPLIED', disk_state: 'unchanged' });
  });
});

test('an id that the history does not know is refused, and so is a write that did not stay', async () => {
  tides.repo.file('tide.txt', LINES.join(''));
  tides.repo.file('tide.test.js', "require('node:test')('fails', () => { throw new Error('low'); });\n");
  const report = await tides.write({
    diff: '@@ -1,2 +1,2 @@\n-tide 1\n+slack\n tide 2\n',
    filePath: 'tide.txt',
    testCommand: 'node --test',
  });
  expect(report.error_code).toBe('TESTS_FAILED');
  expect([(await undo('f'.repeat(32))).error_code, (await undo(report.write_id ?? '')).error_code]).toEqual([
    'WRITE_UNKNOWN',
    'WRITE_UNKNOWN',
  ]);
});
