import { PassThrough } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { keepConsoleOffStdout } from '../../src/stdio/quiet-console.ts';

const before = globalThis.console;
afterEach(() => {
  globalThis.console = before;
});

test.each(['log', 'info', 'debug', 'warn', 'error', 'dir', 'table', 'trace'] as const)(
  'console.%s goes to the given stream',
  (method) => {
    const stderr = new PassThrough();
    keepConsoleOffStdout(stderr);
    console[method]('printed');
    expect(String(stderr.read())).toContain('printed');
  },
);
