import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ID, writeGround, type WriteGround } from '../support/write-ground.ts';

const OTHER = 'cd'.repeat(16);

let ground: WriteGround;

beforeEach(() => {
  ground = writeGround();
});

afterEach(() => {
  ground.dispose();
});

function text(): string {
  return readFileSync(ground.journalPath, 'utf8');
}

it('is empty and private at the start', () => {
  expect([text(), statSync(ground.journalPath).mode & 0o777, ground.journal.pending()]).toEqual(['', 0o600, []]);
});

it('gives a pending write to the next process, committed or not', () => {
  ground.journal.append({ kind: 'intent', intent: ground.intent() });
  ground.journal.append({ kind: 'intent', intent: ground.intent({ id: OTHER }) });
  ground.journal.append({ kind: 'committed', id: OTHER });
  expect(ground.reopen().pending()).toEqual([
    { intent: ground.intent(), committed: false },
    { intent: ground.intent({ id: OTHER }), committed: true },
  ]);
});

it('is empty again once the only write is settled', () => {
  ground.journal.append({ kind: 'intent', intent: ground.intent() });
  ground.journal.settle(ID);
  expect([text(), ground.journal.pending()]).toEqual(['', []]);
});

it('keeps the others when one of several writes is settled', () => {
  ground.journal.append({ kind: 'intent', intent: ground.intent() });
  ground.journal.append({ kind: 'intent', intent: ground.intent({ id: OTHER }) });
  ground.journal.settle(ID);
  expect(ground.reopen().pending()).toEqual([{ intent: ground.intent({ id: OTHER }), committed: false }]);
});

it.each([
  ['a changed byte', (line: string) => line.replace('app.txt', 'own.txt')],
  ['no code at all', () => '{"kind":"committed","id":"x"}\n'],
  ['a code of another key', (line: string) => `${'0'.repeat(64)}${line.slice(64)}`],
  ['an empty line', (line: string) => `${line}\n`],
])('does not follow a journal with %s', (_, change) => {
  ground.journal.append({ kind: 'intent', intent: ground.intent() });
  writeFileSync(ground.journalPath, change(text()));
  expect(ground.journal.pending()).toBeNull();
});

it('does not follow a record for a write that it does not know', () => {
  ground.journal.append({ kind: 'committed', id: ID });
  expect(ground.journal.pending()).toBeNull();
});

it('ignores a line without its end, and cuts it off when mended', () => {
  ground.journal.append({ kind: 'intent', intent: ground.intent() });
  const whole = text();
  appendFileSync(ground.journalPath, whole.slice(0, 50));
  const next = ground.reopen();
  expect(next.pending()).toEqual([{ intent: ground.intent(), committed: false }]);
  next.mend();
  expect(text()).toBe(whole);
});

it('sets records aside and starts empty', () => {
  writeFileSync(ground.journalPath, 'planted\n');
  const aside = ground.journal.quarantine();
  expect([readFileSync(aside, 'utf8'), text(), ground.journal.pending()]).toEqual(['planted\n', '', []]);
  expect(existsSync(ground.journalPath)).toBe(true);
});
