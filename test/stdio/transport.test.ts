import { Buffer } from 'node:buffer';
import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { StdioTransport } from '../../src/stdio/transport.ts';

function connect(maxBytes?: number, stdout: Writable = new PassThrough()) {
  const stdin = new PassThrough();
  const seen: unknown[] = [];
  let gone = 0;
  const transport = new StdioTransport({ stdin, stdout }, () => (gone += 1), maxBytes);
  transport.onmessage = (message) => seen.push(message);
  transport.onerror = (error) => seen.push(error.message);
  return { stdin, stdout, seen, transport, timesGone: () => gone };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('unreadable lines are answered on stdout and the messages around them still arrive', async () => {
  const { stdin, stdout, seen, transport } = connect(60);
  await transport.start();
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  stdin.write(`${JSON.stringify(ping)}\r\nnonsense\n${'x'.repeat(61)}\n${JSON.stringify(ping)}\n`);
  await turn();
  await transport.flushed();
  expect(seen).toEqual([ping, ping]);
  const written: unknown = stdout instanceof PassThrough ? stdout.read() : undefined;
  const lines = Buffer.isBuffer(written) ? written.toString().trimEnd().split('\n') : [];
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'The line is not JSON; it was skipped.' } },
    {
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32600,
        message: 'The message has 61 bytes, the limit is 60; it was skipped. Send a smaller one.',
      },
    },
  ]);
});

test('the end of stdin is told once and closes nothing', async () => {
  const { stdin, transport, timesGone } = connect();
  await transport.start();
  stdin.end();
  await turn();
  await turn();
  expect(timesGone()).toBe(1);
  await expect(transport.send({ jsonrpc: '2.0', method: 'still' })).resolves.toBeUndefined();
});

test('a broken stdout is told, the send rejects, and nothing is thrown', async () => {
  const broken = new Writable({
    write: (_piece, _encoding, done) => {
      done(new Error('EPIPE'));
    },
  });
  const { transport, seen, timesGone } = connect(undefined, broken);
  await transport.start();
  await expect(transport.send({ jsonrpc: '2.0', method: 'lost' })).rejects.toThrow('EPIPE');
  await turn();
  expect([timesGone(), seen]).toEqual([1, ['EPIPE']]);
  await transport.flushed();
});

test('after close nothing is read or sent', async () => {
  const { stdin, transport, seen } = connect();
  await transport.start();
  await transport.close();
  stdin.write('{"jsonrpc":"2.0","method":"late"}\n');
  await turn();
  expect(seen).toEqual([]);
  await expect(transport.send({ jsonrpc: '2.0', method: 'late' })).rejects.toThrow('closed');
});
