/** The protocol over a real process and real pipes, on use-cases that do nothing: every byte of stdout is looked at. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';

const SERVER = fileURLToPath(new URL('../support/fake-server.js', import.meta.url));
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

type Json = Record<string, unknown>;

class RawClient {
  readonly process;
  readonly answers: Json[] = [];
  readonly events: unknown[] = [];
  #unfinished = '';

  constructor(...args: string[]) {
    this.process = spawn(process.execPath, [SERVER, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#unfinished + text).split('\n');
      this.#unfinished = lines.pop() ?? '';
      // A byte that is not part of a JSON-RPC line fails the test here.
      this.answers.push(...lines.map((line) => JSON.parse(line) as Json));
    });
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => {
      const lines = text.split('\n').filter((line) => line.startsWith('{') || line.startsWith('"'));
      this.events.push(...lines.map((line): unknown => JSON.parse(line)));
    });
  }

  send(message: unknown): void {
    this.process.stdin.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
  }

  call(id: unknown, path: string, diff = '@@', meta: Json = {}): void {
    const params = { name: 'write_fix', arguments: { diff_str: diff, file_path: path }, _meta: meta };
    this.send({ method: 'tools/call', params, jsonrpc: '2.0', id });
  }

  async until<Found>(find: () => Found | undefined, ms = 10_000): Promise<Found> {
    const end = performance.now() + ms;
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (performance.now() > end)
        throw new Error(`nothing within ${ms} ms: ${JSON.stringify([this.answers, this.events])}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  answer(id: unknown): Promise<Json> {
    return this.until(() => this.answers.find((answer) => answer['id'] === id));
  }

  async hello(): Promise<this> {
    this.send(INITIALIZE);
    await this.answer('hello');
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return this;
  }

  /** How the process ended: code, signal, and whether the last line of stdout was whole. */
  async ended(): Promise<{ code: number | null; signal: string | null; rest: string }> {
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, 'exit');
    await this.until(() => (this.process.stdout.readableEnded || this.process.stdout.destroyed ? true : undefined));
    return { code: this.process.exitCode, signal: this.process.signalCode, rest: this.#unfinished };
  }
}

const started: RawClient[] = [];

function start(...args: string[]): RawClient {
  const client = new RawClient(...args);
  started.push(client);
  return client;
}

afterEach(() => {
  for (const { process: child } of started.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});

const CLEAN = { code: 0, signal: null, rest: '' };

test('garbage, blank lines, carriage returns, a byte order mark, batches and bad UTF-8 are answered, and the connection lives', async () => {
  const client = start();
  client.send('\uFEFF\r\n\n   \nnot json\n[]\n');
  client.process.stdin.write(Buffer.from('{"jsonrpc":"2.0","method":"\xFF","id":41}\n', 'latin1'));
  client.send(`${JSON.stringify(INITIALIZE)}\r\n`);
  await client.answer('hello');
  client.send([{ jsonrpc: '2.0', id: 42, method: 'ping' }]);
  client.send({ jsonrpc: '2.0', id: 43, method: 'ping' });
  await client.answer(43);
  const told = client.answers.map((answer) => [answer['id'], (answer['error'] as Json | undefined)?.['code']]);
  expect(told).toEqual([
    [null, -32700],
    [null, -32600],
    [41, -32700],
    ['hello', undefined],
    [42, -32600],
    [43, undefined],
  ]);
  client.process.stdin.end();
  expect(await client.ended()).toEqual(CLEAN);
});

test('a patch of 8 MiB, every byte of it escaped, arrives whole', async () => {
  const client = await start().hello();
  const bytes = 8 * 1024 * 1024;
  const escaped = '\\u0001'.repeat(bytes);
  const before = performance.now();
  client.send(
    `{"method":"tools/call","params":{"name":"write_fix","arguments":{"file_path":"kept","diff_str":"${escaped}"}},"jsonrpc":"2.0","id":1}\n`,
  );
  const { result } = await client.answer(1);
  expect((result as { structuredContent: Json }).structuredContent['sha256_before']).toBe(
    createHash('sha256').update('\u0001'.repeat(bytes)).digest('hex'),
  );
  expect(performance.now() - before).toBeLessThan(8000);
});

test('a message over 50 MiB is refused under its id, and the next one is answered', async () => {
  const client = await start().hello();
  const piece = 'x'.repeat(1024 * 1024);
  client.send('{"method":"tools/call","params":{"name":"write_fix","arguments":{"diff_str":"');
  for (let sent = 0; sent < 51; sent += 1) client.send(piece);
  client.send('"}},"jsonrpc":"2.0","id":9}\n');
  client.call(10, 'kept');
  expect((await client.answer(9))['error']).toEqual({
    code: -32600,
    message: expect.stringMatching(/^The message has 534\d+ bytes, the limit is 52428800; it was skipped\./) as string,
  });
  await client.answer(10);
});

test('what code prints goes to stderr, never to stdout', async () => {
  const client = await start().hello();
  client.call(1, 'noisy');
  await client.answer(1);
  expect(client.answers).toHaveLength(2);
});

test('an unknown tool and arguments that are no object are protocol errors, and nothing breaks', async () => {
  const client = await start().hello();
  client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'rm_rf', arguments: {} } });
  client.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'write_fix', arguments: [1] } });
  client.send({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'constructor' } });
  client.send({ jsonrpc: '2.0', id: 4, method: 'no/such' });
  const codes = [];
  for (const id of [1, 2, 3, 4]) codes.push(((await client.answer(id))['error'] as Json | undefined)?.['code']);
  expect(codes).toEqual([-32602, -32602, -32602, -32601]);
});

test('a cancelled call is undone and gets no answer, as the protocol asks', async () => {
  const client = await start().hello();
  client.call(1, 'slow');
  await client.until(() => client.events.find((event) => event === 'running'));
  client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'enough' } });
  await client.until(() => client.events.find((event) => event === 'rolled back'));
  client.call(2, 'kept');
  await client.answer(2);
  expect(client.answers.map((answer) => answer['id'])).toEqual(['hello', 2]);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s: the call in flight is undone and answered, then the process ends cleanly within a second',
  async (signal) => {
    const client = await start('200').hello();
    client.call(1, 'slow');
    await client.until(() => client.events.find((event) => event === 'running'));
    const before = performance.now();
    client.process.kill(signal);
    expect(await client.ended()).toEqual(CLEAN);
    expect(performance.now() - before).toBeLessThan(1000);
    expect(client.events).toEqual(['running', 'aborted', 'rolled back', 'shut down']);
    expect((await client.answer(1))['result']).toMatchObject({ structuredContent: { error_code: 'CANCELLED' } });
  },
);

test('the end of stdin aborts, waits for the undoing, and ends cleanly within a second', async () => {
  const client = await start('200').hello();
  client.call(1, 'slow');
  client.call(2, 'slow');
  await client.until(() => (client.events.length === 2 ? true : undefined));
  const before = performance.now();
  client.process.stdin.end();
  expect(await client.ended()).toEqual(CLEAN);
  expect(performance.now() - before).toBeLessThan(1000);
  expect(client.events).toEqual([
    'running',
    'running',
    'aborted',
    'aborted',
    'rolled back',
    'rolled back',
    'shut down',
  ]);
});

test('what was sent before the end of stdin is answered', async () => {
  const client = start();
  client.process.stdin.end(`${JSON.stringify(INITIALIZE)}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n`);
  expect(await client.ended()).toEqual(CLEAN);
  expect(client.answers.map((answer) => answer['id'])).toEqual(['hello', 2]);
});

test('a client that closes our stdout is a clean end, with the call undone', async () => {
  const client = await start().hello();
  client.call(1, 'slow', '@@', { progressToken: 't' });
  await client.until(() => client.events.find((event) => event === 'running'));
  client.process.stdout.destroy();
  client.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
  if (client.process.exitCode === null) await once(client.process, 'exit');
  expect([client.process.exitCode, client.process.signalCode]).toEqual([0, null]);
  expect(client.events).toEqual(expect.arrayContaining(['aborted', 'rolled back', 'shut down']));
});

test('calls whose undoing fills the second still end it, and a second signal changes nothing', async () => {
  const client = await start('400').hello();
  client.call(1, 'slow');
  await client.until(() => client.events.find((event) => event === 'running'));
  client.process.kill('SIGINT');
  client.process.kill('SIGTERM');
  await client.until(() => client.events.find((event) => event === 'aborted'));
  client.process.kill('SIGINT');
  expect(await client.ended()).toEqual(CLEAN);
  expect(client.events).toEqual(['running', 'aborted', 'rolled back', 'shut down']);
});
