import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { readFrame } from '../../src/stdio/message.ts';

const LIMIT = 100;

function read(text: string | Buffer) {
  return readFrame({ kind: 'whole', bytes: Buffer.from(text) }, LIMIT);
}

function refusal(code: number, message: string, id: string | number | null) {
  return { messages: [], refusals: [{ jsonrpc: '2.0', id, error: { code, message } }] };
}

const ping = { jsonrpc: '2.0', id: 'a-1', method: 'ping' };

test.each([
  ['plain', JSON.stringify(ping)],
  ['with a carriage return at its end', `${JSON.stringify(ping)}\r`],
  ['behind a byte order mark', `\uFEFF${JSON.stringify(ping)}`],
])('a message %s is read with its id as it was', (_name, line) => {
  expect(read(line)).toEqual({ messages: [ping], refusals: [] });
});

test.each(['', '  ', '\r', '\t', '\uFEFF'])('the blank line %j gives nothing', (line) => {
  expect(read(line)).toEqual({ messages: [], refusals: [] });
});

test('garbage is answered with the id null', () => {
  expect(read('garbage {')).toEqual(refusal(-32700, 'The line is not JSON; it was skipped.', null));
});

test.each([
  ['{"id":5,"method":"ping"}', 5],
  ['{"jsonrpc":"1.0","id":"x","method":"ping"}', 'x'],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', null],
  ['"text"', null],
  ['17', null],
  ['null', null],
])('%s is not a message of JSON-RPC 2.0', (line, id) => {
  expect(read(line)).toEqual(refusal(-32600, 'The line is not a JSON-RPC 2.0 message.', id));
});

test('a batch is refused once for every id in it, or once with null', () => {
  const message = 'Batches are not taken; send one message per line.';
  expect(read(JSON.stringify([ping, { jsonrpc: '2.0', method: 'note' }, { ...ping, id: 2 }]))).toEqual({
    messages: [],
    refusals: [
      { jsonrpc: '2.0', id: 'a-1', error: { code: -32600, message } },
      { jsonrpc: '2.0', id: 2, error: { code: -32600, message } },
    ],
  });
  expect(read('[]')).toEqual(refusal(-32600, message, null));
});

test('a batch of a hundred thousand ids is answered a hundred times', () => {
  const batch = `[${'{"id":1},'.repeat(100_000)}0]`;
  expect(read(batch).refusals).toHaveLength(100);
});

test.each([
  ['as the last member', '{"method":"tools/call","params":{"x":"\xFF"},"jsonrpc":"2.0","id":12}', 12],
  ['as the second member', '{"jsonrpc":"2.0","id":"call-7","method":"\xFF"}', 'call-7'],
  ['nowhere at the edges', '{"method":"\xFF","id":3,"params":{"id":4}}', null],
])('bytes that are not UTF-8 are refused, with the id that stands %s', (_name, line, id) => {
  expect(read(Buffer.from(line, 'latin1'))).toEqual(
    refusal(-32700, 'The message is not valid UTF-8; it was skipped.', id),
  );
});

test.each([
  ['{"method":"tools/call","params":{"id":4}', ',"jsonrpc":"2.0","id":9}', 9],
  ['{"id":"q","method":"x"', '"end"}', 'q'],
  ['{"method":"x"', '"text":"{\\"id\\":5}"}', null],
  ['{"method":"x"', '{"id":5}}', null],
])('an oversized frame from %s to %s is refused with id %j', (head, tail, id) => {
  const frame = { kind: 'oversized', length: 200, head: Buffer.from(head), tail: Buffer.from(tail) } as const;
  const message = 'The message has 200 bytes, the limit is 100; it was skipped. Send a smaller one.';
  expect(readFrame(frame, LIMIT)).toEqual(refusal(-32600, message, id));
});
