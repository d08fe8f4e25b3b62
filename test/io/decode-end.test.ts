import { describe, expect, it } from 'vitest';
import { decodeReport } from '../../src/io/decode-end.ts';

describe('decodeReport', () => {
  it.each([
    ['0\n', { exitCode: 0, signal: null }],
    ['1\n', { exitCode: 1, signal: null }],
    ['127\n', { exitCode: 127, signal: null }],
    ['128\n', { exitCode: 128, signal: null }],
    ['134\n', { exitCode: null, signal: 'SIGABRT' }],
    ['137\n', { exitCode: null, signal: 'SIGKILL' }],
    ['143\n', { exitCode: null, signal: 'SIGTERM' }],
    ['255\n', { exitCode: 255, signal: null }],
  ])('reads %j', (status, end) => {
    expect(decodeReport(status)).toEqual(end);
  });

  it.each(['', '\n', '0', '0\n0\n', ' 0\n', '-1\n', '0x0\n', '1000\n', 'zero\n'])(
    'does not take %j for a report',
    (status) => {
      expect(decodeReport(status)).toBeNull();
    },
  );
});
