import { describe, expect, it } from 'vitest';
import { runnerOf } from '../../../../src/engine/languages/javascript/runner-command.ts';
import { factsOf } from './facts.ts';

function follow(command: string, scripts: Readonly<Record<string, string>> = {}) {
  const { runner, separators } = runnerOf(command.split(' '), factsOf({ 'package.json': JSON.stringify({ scripts }) }));
  return [runner, ...separators];
}

describe('runnerOf', () => {
  it.each([
    ['vitest run', 'vitest'],
    ['npx vitest run', 'vitest'],
    ['npx --no-install jest', 'jest'],
    ['node_modules/.bin/jest', 'jest'],
    ['./node_modules/.bin/mocha test', 'mocha'],
    ['pnpm exec vitest run', 'vitest'],
    ['pnpm vitest run', 'vitest'],
    ['yarn jest', 'jest'],
    ['bunx mocha', 'mocha'],
    ['node --test', 'node:test'],
    ['node --import tsx --test', 'node:test'],
    ['npx tsx --test', 'node:test'],
    ['node node_modules/jest/bin/jest.js', 'jest'],
    ['node node_modules/vitest/vitest.mjs run', 'vitest'],
  ])('knows %s', (command, runner) => {
    expect(follow(command)).toEqual([runner]);
  });

  it.each([
    ['npm test', { test: 'vitest run' }, ['vitest', '--']],
    ['npm t', { test: 'jest' }, ['jest', '--']],
    ['npm test -- --bail', { test: 'jest' }, ['jest']],
    ['npm run test:unit', { 'test:unit': 'jest' }, ['jest', '--']],
    ['pnpm test', { test: 'vitest run' }, ['vitest']],
    ['yarn test', { test: 'vitest run' }, ['vitest']],
    ['yarn unit', { unit: 'vitest run' }, ['vitest']],
    ['bun run test', { test: 'vitest run' }, ['vitest']],
    ['npm test', { test: 'tsc --noEmit && vitest run' }, ['vitest', '--']],
    ['npm test', { test: 'NODE_ENV=test jest' }, ['jest', '--']],
    ['npm test', { test: "cross-env A='b c' c8 --all mocha" }, ['mocha', '--']],
    ['npm test', { test: 'npm run lint && npm run unit', unit: 'vitest run' }, ['vitest', '--', '--']],
    ['npm test', { test: 'pnpm run unit', unit: 'vitest run' }, ['vitest', '--']],
  ])('follows %s through %j', (command, scripts, expected) => {
    expect(follow(command, scripts)).toEqual(expected);
  });

  it.each([
    ['npm test', {}],
    ['npm test', { test: 'npm test' }],
    ['npm test', { test: 'vitest run && echo done' }],
    ['npm test', { test: 'vitest run | tee log' }],
    ['npm test -w app', { test: 'vitest run' }],
    ['npm --prefix app test', { test: 'vitest run' }],
    ['bun test', { test: 'vitest run' }],
    ['make test', {}],
    ['node server.js', {}],
  ])('says that it does not know %s with %j', (command, scripts) => {
    expect(follow(command, scripts)[0]).toBeNull();
  });
});

describe('what would be fetched', () => {
  it.each([
    ['npx vitest run', {}, ['vitest']],
    ['npx --yes vitest run', {}, ['vitest']],
    ['npm exec jest', {}, ['jest']],
    ['pnpm dlx jest', {}, ['jest']],
    ['npm test', { test: 'npx vitest run' }, ['vitest']],
    ['npm test', { test: 'npm run unit', unit: 'bunx jest' }, ['jest']],
    ['npm test', { test: 'npx cross-env TZ=UTC npx mocha' }, ['cross-env', 'mocha']],
    ['npm test', { test: 'npx tides-runner' }, ['tides-runner']],
    ['pnpm exec vitest run', {}, []],
    ['npm test', { test: 'vitest run' }, []],
  ])('of %s with %j is %j', (command, scripts, expected) => {
    const facts = factsOf({ 'package.json': JSON.stringify({ scripts }) });
    expect(runnerOf(command.split(' '), facts).fetched).toEqual(expected);
  });
});
