import { describe, expect, it } from 'vitest';
import { instrument } from '../../../../src/engine/languages/javascript/instrument.ts';
import { factsOf } from './facts.ts';

const places = { root: '/r', runFolder: '/run', runtimeFolder: '/s p/runtime', changedFiles: ['src/a.ts', 'b.json'] };
const environment = {
  NODE_OPTIONS: '--require "/s p/runtime/node/preload.cjs"',
  SUREPATCH_ROOT: '/r',
  SUREPATCH_CHANGED: 'src/a.ts',
  SUREPATCH_RECORDER: '/s p/runtime/node/recorder.cjs',
};
const reporter = '--reporter=/s p/runtime/node/vitest-reporter.mjs';

const words = (command: string, files: Readonly<Record<string, string>> = {}): readonly string[] =>
  instrument(command.split(' '), factsOf(files), places, {}).arguments;

describe('instrument', () => {
  it('sets the environment for whatever the command is, and lets V8 count', () => {
    expect(instrument(['make', 'test'], factsOf({}), places, {})).toEqual({
      arguments: [],
      environment: { ...environment, SUREPATCH_V8: '1' },
    });
  });

  it('keeps the options that the command sets', () => {
    const { environment: set } = instrument(['npm', 'test'], factsOf({}), places, {
      NODE_OPTIONS: '--max-old-space-size=9',
    });
    expect(set['NODE_OPTIONS']).toBe('--require "/s p/runtime/node/preload.cjs" --max-old-space-size=9');
  });

  it('gives Vitest a reporter, and has it measure where it can', () => {
    const coverage = [
      '--coverage.enabled=true',
      '--coverage.provider=v8',
      '--coverage.reporter=json',
      '--coverage.reportsDirectory=/run/coverage/vitest',
      '--coverage.reportOnFailure=true',
      '--coverage.include=src/a.ts',
    ];
    const installed = { 'node_modules/@vitest/coverage-v8/package.json': '' };
    expect({
      with: instrument(['npx', 'vitest', 'run'], factsOf(installed), places, {}),
      without: words('npx vitest run'),
      itself: words('npx vitest run --coverage', installed),
      demanding: words('npx vitest run', {
        ...installed,
        'vitest.config.ts': 'coverage: { thresholds: { lines: 90 } }',
      }),
    }).toEqual({
      with: { arguments: [reporter, ...coverage], environment },
      without: [reporter],
      itself: [reporter],
      demanding: [reporter],
    });
  });

  it('has jest measure, unless the project does', () => {
    const coverage = [
      '--coverage',
      '--coverageThreshold={}',
      '--coverageReporters=json',
      '--coverageDirectory=/run/coverage/jest',
      '--collectCoverageFrom=src/a.ts',
    ];
    const script = { 'package.json': '{"scripts": {"test": "jest"}}' };
    const demanding = { 'jest.config.js': 'module.exports = { coverageThreshold: { global: { lines: 100 } } };' };
    const measuring = { 'package.json': '{"scripts": {"test": "jest"}, "jest": {"collectCoverage": true}}' };
    expect([
      words('npx jest'),
      words('npm test', script),
      words('npx jest', demanding),
      words('npm test', measuring),
    ]).toEqual([coverage, ['--', ...coverage], coverage, []]);
  });

  it('measures nothing where no source file changed', () => {
    const { arguments: added, environment: set } = instrument(
      ['npx', 'jest'],
      factsOf({}),
      { ...places, changedFiles: ['b.json'] },
      {},
    );
    expect({ added, changed: set['SUREPATCH_CHANGED'] }).toEqual({ added: [], changed: '' });
  });
});
