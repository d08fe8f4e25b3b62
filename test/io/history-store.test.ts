import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync, appendFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openHistory, type HistoryStore } from '../../src/io/history-store.ts';
import type { HistoryEvent } from '../../src/model/history.ts';
import { temporaryFolder } from '../support/git-repo.ts';

const KEY = Buffer.alloc(32, 1);

const event = (changes: Partial<HistoryEvent> = {}): HistoryEvent => ({
  kind: 'write',
  id: 'ab'.repeat(16),
  client: { name: 'harbour', version: '1.0' },
  files: [
    {
      path: 'tide.txt',
      sha256Before: 'a'.repeat(64),
      sha256After: 'b'.repeat(64),
      preimage: { blob: 'c'.repeat(40), backup: null },
    },
  ],
  command: 'pytest -q',
  verdict: null,
  reasonCode: null,
  outcome: 'kept',
  of: null,
  patchSha256: null,
  outputUri: null,
  revision: { epoch: 'e', revision: 1 },
  ...changes,
});

let folder: ReturnType<typeof temporaryFolder>;
let store: HistoryStore;
beforeEach(() => {
  folder = temporaryFolder();
  store = openHistory(folder.path, KEY);
});
afterEach(() => {
  folder.dispose();
});

const file = (): string => join(folder.path, 'history.jsonl');
const head = (): string => join(folder.path, 'history.head');
const lines = (): string[] => readFileSync(file(), 'utf8').split('\n').slice(0, -1);
const put = (...kept: readonly string[]): void => {
  writeFileSync(file(), kept.map((line) => `${line}\n`).join(''));
};
const fill = (count: number): void => {
  for (let n = 1; n <= count; n += 1) store.append(event({ id: `w${n}` }), n);
};
const seen = (): unknown => {
  const { records, problems } = openHistory(folder.path, KEY).read();
  return { records: records.map(({ sequence }) => sequence), problems };
};

test('records are numbered and chained from the first one on, and read as they were written', () => {
  const first = store.append(event(), 1);
  const second = openHistory(folder.path, KEY).append(event({ kind: 'undo', of: 'x' }), 2);
  expect([first.sequence, first.previous, second.sequence, second.previous]).toEqual([
    1,
    '0'.repeat(64),
    2,
    first.hash,
  ]);
  expect(openHistory(folder.path, KEY).read()).toEqual({ records: [first, second], problems: [] });
});

test('nothing is there before the first record', () => {
  expect(store.read()).toEqual({ records: [], problems: [] });
  expect(readdirSync(folder.path)).toEqual([]);
});

describe('what somebody did to a history of four records is named by its numbers', () => {
  beforeEach(() => {
    fill(4);
  });

  test.each<[string, () => void, unknown]>([
    [
      'a record edited',
      () => {
        put(...lines().map((line, n) => (n === 1 ? line.replace('kept', 'lost') : line)));
      },
      { records: [1, 3, 4], problems: [{ kind: 'altered', from: 2, to: 2 }] },
    ],
    [
      'a record removed',
      () => {
        put(...lines().filter((_, n) => n !== 2));
      },
      { records: [1, 2, 4], problems: [{ kind: 'missing', from: 3, to: 3 }] },
    ],
    [
      'two records exchanged',
      () => {
        const [a = '', b = '', c = '', d = ''] = lines();
        put(a, c, b, d);
      },
      {
        records: [1, 3, 2, 4],
        problems: [
          { kind: 'missing', from: 2, to: 2 },
          { kind: 'misplaced', from: 2, to: 2 },
        ],
      },
    ],
    [
      'the tail cut off at a record',
      () => {
        put(...lines().slice(0, 2));
      },
      { records: [1, 2], problems: [{ kind: 'missing', from: 3, to: 4 }] },
    ],
    [
      'the tail cut off inside a record',
      () => {
        truncateSync(file(), readFileSync(file()).length - 20);
      },
      { records: [1, 2, 3], problems: [{ kind: 'altered', from: 4, to: 4 }] },
    ],
    [
      'everything cut off',
      () => {
        truncateSync(file(), 0);
      },
      { records: [], problems: [{ kind: 'missing', from: 1, to: 4 }] },
    ],
    [
      'the file removed',
      () => {
        rmSync(file());
      },
      { records: [], problems: [{ kind: 'missing', from: 1, to: 4 }] },
    ],
    [
      'a record repeated at the end',
      () => {
        appendFileSync(file(), `${lines()[1] ?? ''}\n`);
      },
      { records: [1, 2, 3, 4, 2], problems: [{ kind: 'misplaced', from: 2, to: 2 }] },
    ],
    [
      'a line put between two records',
      () => {
        const [a = '', ...rest] = lines();
        put(a, '{}', ...rest);
      },
      { records: [1, 2, 3, 4], problems: [{ kind: 'inserted', from: 2, to: 2 }] },
    ],
    [
      'a line put after the last one',
      () => {
        appendFileSync(file(), '{}\n');
      },
      { records: [1, 2, 3, 4], problems: [{ kind: 'inserted', from: 5, to: 5 }] },
    ],
    [
      'the head removed',
      () => {
        rmSync(head());
      },
      { records: [1, 2, 3, 4], problems: [{ kind: 'unsealed', from: 1, to: 4 }] },
    ],
  ])('%s', (_, act, expected) => {
    act();
    expect(seen()).toEqual(expected);
  });

  test('new records go on after a cut, and the cut stays visible', () => {
    put(...lines().slice(0, 2));
    expect(store.append(event(), 5).sequence).toBe(5);
    expect(seen()).toEqual({ records: [1, 2, 5], problems: [{ kind: 'missing', from: 3, to: 4 }] });
  });

  test('a record after one whose line end was taken stands on a line of its own', () => {
    const bytes = readFileSync(file());
    bytes[bytes.length - 1] = 0x20;
    writeFileSync(file(), bytes);
    expect(store.append(event(), 5).sequence).toBe(5);
    expect(seen()).toEqual({ records: [1, 2, 3, 5], problems: [{ kind: 'altered', from: 4, to: 4 }] });
  });

  test('a cut tail whose head was removed with it stays visible after the next record', () => {
    put(...lines().slice(0, 2));
    rmSync(head());
    expect(store.append(event(), 5).sequence).toBe(3);
    fill(1);
    expect(seen()).toEqual({ records: [1, 2, 3, 4], problems: [{ kind: 'unsealed', from: 1, to: 2 }] });
  });

  test('an older copy that was put back together with its head, and went on, is a fork that its records show', () => {
    const [a = '', b = '', c = '', d = ''] = lines();
    const before = readFileSync(head());
    store.append(event(), 5);
    const fifth = lines()[4] ?? '';
    put(a, b, c, d);
    writeFileSync(head(), before);
    store.append(event({ outcome: 'other' }), 6);
    store.append(event(), 7);
    put(a, b, c, d, fifth, lines()[5] ?? '');
    expect(seen()).toMatchObject({ problems: [{ kind: 'misplaced', from: 6, to: 6 }] });
  });
});

test('what a process was writing when it died is no problem, and is cut off by the next record', () => {
  fill(2);
  const whole = readFileSync(file());
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), (length) => {
      const line = readFileSync(file()).subarray(0, length);
      writeFileSync(file(), Buffer.concat([whole, line]));
      expect(openHistory(folder.path, KEY).read().problems).toEqual([]);
    }),
    { numRuns: 50 },
  );
  expect(store.append(event(), 3).sequence).toBe(3);
  expect(seen()).toEqual({ records: [1, 2, 3], problems: [] });
});

test('a record whose process died before it wrote the head counts', () => {
  fill(1);
  const older = readFileSync(head());
  store.append(event(), 2);
  writeFileSync(head(), older);
  expect(seen()).toEqual({ records: [1, 2], problems: [] });
  expect(store.append(event(), 3).sequence).toBe(3);
  expect(seen()).toEqual({ records: [1, 2, 3], problems: [] });
});

test('a record that cannot be made durable leaves the history as it was', () => {
  fill(1);
  const before = readFileSync(file());
  // Nothing can be written where the new head is made.
  mkdirSync(join(folder.path, 'history.head.tmp'));
  expect(() => store.append(event(), 2)).toThrow();
  expect(readFileSync(file())).toEqual(before);
});

test('any one byte that changes anywhere in a history is found', () => {
  fill(3);
  for (const path of [file(), head()]) {
    const whole = readFileSync(path);
    const found = whole.map((byte, at) => {
      const bytes = Buffer.from(whole);
      // Letters change their case, which many a reader forgives.
      bytes[at] = byte ^ (/[a-z]/iu.test(String.fromCharCode(byte)) ? 0x20 : 1 << (at % 8));
      writeFileSync(path, bytes);
      return openHistory(folder.path, KEY).read().problems.length;
    });
    expect(found.indexOf(0)).toBe(-1);
    writeFileSync(path, whole);
  }
  expect(seen()).toEqual({ records: [1, 2, 3], problems: [] });
});

test('a history under another key is not ours', () => {
  fill(2);
  expect(openHistory(folder.path, Buffer.alloc(32, 2)).read()).toEqual({
    records: [],
    problems: [
      { kind: 'inserted', from: 1, to: 1 },
      { kind: 'unsealed', from: 1, to: 1 },
    ],
  });
});
