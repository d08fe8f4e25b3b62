import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { failure } from '../../src/model/failure.ts';
import { fail } from '../../src/model/result.ts';
import { serveOverStdio, type ServeOptions } from '../../src/stdio/serve.ts';
import type { WriteFix } from '../../src/tools/write-fix.ts';

const HELLO = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};
const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'write_fix', arguments: { diff_str: '@@', file_path: 'a' } },
};

function start(writeFix: WriteFix, options: Partial<ServeOptions> = {}) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const events = new EventEmitter();
  const happened: string[] = [];
  const exitCode = serveOverStdio({
    info: { name: 'surepatch', version: '1' },
    usecases: {
      writeFix,
      gitCommit: () => Promise.reject(new Error('not asked')),
      verifyChange: () => Promise.reject(new Error('not asked')),
      recordChangedPaths: () => Promise.reject(new Error('not asked')),
      repoOverview: () => Promise.reject(new Error('not asked')),
      undoFix: () => Promise.reject(new Error('not asked')),
      history: { all: () => Promise.resolve([]), one: () => Promise.resolve(undefined) },
      readOutput: () => Promise.resolve(undefined),
    },
    log: (line) => happened.push(line.split('\n')[0] ?? ''),
    stdin,
    stdout,
    process: events,
    onShutdown: () => {
      happened.push('shut down');
      return Promise.resolve();
    },
    ...options,
  });
  for (const message of [HELLO, CALL]) stdin.write(`${JSON.stringify(message)}\n`);
  return { stdin, stdout, events, happened, exitCode };
}

const untilAborted: (happened: () => void) => WriteFix =
  (happened) =>
  async (_request, { signal }) => {
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    happened();
    return fail(failure('CANCELLED', 'stopped'));
  };

const settle = () => new Promise((resolve) => setTimeout(resolve, 50));

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('%s ends with 0 after the call was undone and answered', async (signal) => {
  const undone: string[] = [];
  const { events, stdout, happened, exitCode } = start(untilAborted(() => undone.push('undone')));
  await settle();
  events.emit(signal);
  expect(await exitCode).toBe(0);
  expect([undone, happened]).toEqual([['undone'], ['shut down']]);
  expect(String(stdout.read())).toContain('CANCELLED');
  expect(events.eventNames()).toEqual([]);
});

test.each(['uncaughtException', 'unhandledRejection'])(
  '%s is logged, undoes the call and ends with 1',
  async (event) => {
    const { events, happened, exitCode } = start(untilAborted(() => undefined));
    await settle();
    events.emit(event, new Error('broken'));
    expect(await exitCode).toBe(1);
    expect(happened).toEqual(['broke down: Error: broken', 'shut down']);
  },
);

test('a call that never settles cannot keep the process beyond the grace period', async () => {
  const { stdin, happened, exitCode } = start(() => new Promise(() => undefined), { graceMs: 100 });
  await settle();
  stdin.end();
  expect(await exitCode).toBe(1);
  expect(happened).toEqual([
    'calls were still running 100 ms after the stop; their journal is finished at the next start',
    'shut down',
  ]);
});
