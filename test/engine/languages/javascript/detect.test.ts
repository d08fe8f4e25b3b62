import { describe, expect, it } from 'vitest';
import { detectSuite } from '../../../../src/engine/languages/javascript/detect.ts';
import { factsOf } from './facts.ts';

const script = JSON.stringify({ scripts: { test: 'vitest run' } });
const because = 'package.json, scripts.test: vitest run';
const managers = ['npm', 'pnpm', 'yarn', 'bun'];

describe('detectSuite', () => {
  it.each([
    ['no lockfile', {}, 'npm test'],
    ['the lockfile of npm', { 'package-lock.json': '' }, 'npm test'],
    ['the lockfile of pnpm', { 'pnpm-lock.yaml': '' }, 'pnpm test'],
    ['the lockfile of yarn', { 'yarn.lock': '' }, 'yarn test'],
    ['the lockfile of bun', { 'bun.lock': '' }, 'bun run test'],
  ])('runs the script test by the package manager, with %s', (_what, files, command) => {
    expect(detectSuite(factsOf({ 'package.json': script, ...files }, managers))).toEqual({ command, because });
  });

  it('believes packageManager before a lockfile', () => {
    const manifest = JSON.stringify({ scripts: { test: 'vitest run' }, packageManager: 'pnpm@9.0.0' });
    const facts = factsOf({ 'package.json': manifest, 'package-lock.json': '' }, managers);
    expect(detectSuite(facts)).toEqual({ command: 'pnpm test', because });
  });

  it.each([
    ['vitest.config.ts', 'vitest', 'npx vitest run'],
    ['jest.config.js', 'jest', 'npx jest'],
    ['.mocharc.yml', 'mocha', 'npx mocha'],
  ])('takes %s for the sign of a runner that is installed', (file, program, command) => {
    const files = { 'package.json': '{}', [file]: '' };
    expect([
      detectSuite(factsOf({ ...files, [`node_modules/.bin/${program}`]: '' })),
      detectSuite(factsOf(files)),
    ]).toEqual([{ command, because: file }, null]);
  });

  it.each([
    ['there is no package.json', {}, managers],
    [
      'the script says that there are none',
      { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' },
      managers,
    ],
    ['the package manager is missing', { 'package.json': script }, []],
    ['package.json cannot be read', { 'package.json': '{' }, managers],
  ])('finds none where %s', (_why, files, programs) => {
    expect(detectSuite(factsOf({ ...files }, programs))).toBeNull();
  });
});
