/**
 * A real server over real stdio on use-cases that do nothing: the path asked for picks the outcome. What happens to a
 * call is written to stderr, one JSON value a line.
 */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { keepConsoleOffStdout } from '../../dist/stdio/quiet-console.js';
import { serveOverStdio } from '../../dist/stdio/serve.js';

const rollBackMs = Number(process.argv[2] ?? 50);
const say = (event) => process.stderr.write(`${JSON.stringify(event)}\n`);
keepConsoleOffStdout(process.stderr);

const kept = { success: true, test_output: null, error: null, rolled_back: false, disk_state: 'patched', notes: [] };
const failed = (code, message, details = {}) => ({
  ok: false,
  failure: { code, message, hint: 'Do the next thing.', details },
});
const run = {
  command: ['/usr/bin/pytest', '-q'],
  exit_code: 1,
  signal: null,
  timed_out: false,
  duration_ms: 1234,
  output_bytes: 3_000_000,
  output_truncated: true,
  output_uri: 'surepatch://output/run-1',
};

const outcomes = {
  kept: (request) => ({
    ok: true,
    value: {
      ...kept,
      sha256_before: createHash('sha256').update(request.diff).digest('hex'),
      notes: [
        `diff of ${request.diff.length} characters`,
        `request ${JSON.stringify({ ...request, diff: undefined })}`,
      ],
    },
  }),
  failing: () => ({
    ok: true,
    value: {
      ...kept,
      success: false,
      rolled_back: true,
      disk_state: 'rolled_back',
      error: 'The tests failed.',
      error_code: 'TESTS_FAILED',
      test_output: `FAILED test_cart.py::test_total\n${'filler\n'.repeat(3000)}1 failed in 1.2s\n`,
      tests: run,
    },
  }),
  conflict: () =>
    failed('PATCH_CONFLICT', 'Hunk 1 does not fit.', {
      conflicts: [{ code: 'CONTEXT', hunk: 1, message: 'Line 2 differs.', file_line: 2, expected: 'a', actual: 'b' }],
    }),
  throws: () => {
    throw new Error('/secret/place is broken');
  },
  misshapen: () => ({ ok: true, value: { ...kept, surplus: 1 } }),
  noisy: () => {
    console.log('this must not reach stdout');
    console.table([{ nor: 'this' }]);
    return { ok: true, value: kept };
  },
  client: (_request, { client }) => ({
    ok: true,
    value: { ...kept, notes: [`client ${client.name} ${client.version}`] },
  }),
  slow: async (_request, { signal, progress }) => {
    say('running');
    for (const stage of ['Applying', 'Running the tests']) progress(stage);
    while (!signal.aborted) await delay(20, undefined, { signal }).catch(() => undefined);
    say('aborted');
    await delay(rollBackMs);
    say('rolled back');
    return failed('CANCELLED', 'Cancelled.', { report: { disk_state: 'rolled_back', rolled_back: true } });
  },
  stages: async (_request, { progress }) => {
    for (let stage = 0; stage < 30; stage += 1) {
      progress(`Stage ${stage}`);
      await delay(50);
    }
    return { ok: true, value: kept };
  },
};

const bytes = 3_000_000;
const page = 1 << 20;

process.exitCode = await serveOverStdio({
  info: { name: 'surepatch', version: '0.0.0-test' },
  usecases: {
    writeFix: (request, context) => Promise.resolve(outcomes[request.filePath](request, context)),
    readOutput: async (id, offset) => {
      if (id === 'broken') throw new Error('/secret/place is broken');
      if (id !== 'run-1' || offset >= bytes) return undefined;
      const end = Math.min(offset + page, bytes);
      return { text: 'x'.repeat(end - offset), offset, nextOffset: end === bytes ? null : end, totalBytes: bytes };
    },
  },
  stdin: process.stdin,
  stdout: process.stdout,
  process,
  log: (line) => say({ log: line }),
  onShutdown: async () => say('shut down'),
});
process.exit();
