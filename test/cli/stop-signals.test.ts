import { EventEmitter } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { untilStopped } from '../../src/cli/stop-signals.ts';

function surroundings() {
  const stderr = new PassThrough();
  const events = new EventEmitter();
  return {
    argv: [],
    env: {},
    workingFolder: '/',
    packageFolder: '/',
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    stderr,
    process: events,
    exit: () => {
      throw new Error('exited');
    },
  };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s aborts the work, which still gives its answer', async (signal) => {
  const around = surroundings();
  const answer = untilStopped(around, (call) => {
    return new Promise((resolve) => {
      call.signal.addEventListener('abort', () => {
        resolve('put back');
      });
    });
  });
  around.process.emit(signal);
  expect(await answer).toBe('put back');
});

test('progress goes to stderr, and nothing listens once the work has ended', async () => {
  const around = surroundings();
  const answer = await untilStopped(around, (call) => {
    call.progress('running');
    return Promise.resolve(call.signal.aborted);
  });
  expect([answer, String(around.stderr.read()), around.process.eventNames()]).toEqual([
    false,
    'surepatch: running\n',
    [],
  ]);
});

test('nothing listens after a breakdown either', async () => {
  const around = surroundings();
  await expect(untilStopped(around, () => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
  expect(around.process.eventNames()).toEqual([]);
});
