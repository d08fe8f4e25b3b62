import { expect, test } from 'vitest';
import { findTool, programName } from '../../../src/engine/command/tool.ts';
import { builtInPolicy } from '../../support/policy.ts';

const { limits } = builtInPolicy();

test.each([
  ['pytest', 'pytest'],
  ['python3.12', 'python'],
  ['C:\\Py\\Python3.exe', 'python'],
  ['./gradlew.bat', 'gradlew'],
  ['node_modules/jest/bin/jest.js', 'jest'],
  ['bash-5.2', 'bash'],
  ['c8', 'c8'],
  ['7z', '7z'],
])('the program name of %s is %s', (word, name) => {
  expect(programName(word)).toBe(name);
});

test.each([
  ['pytest -q', 'pytest', 1],
  ['uv run python -B -m pytest -q', 'pytest', 6],
  ['npx --yes vitest run', 'vitest', 3],
  ['bundle exec rspec', 'rspec', 3],
  ['coverage run -m pytest', 'pytest', 4],
  ['node --test a.js', 'node --test', 2],
  ['node a.js', 'a', 2],
])('%s starts the tool %s', (command, name, start) => {
  expect(findTool(limits, command.split(' '), false)).toMatchObject({ kind: 'tool', name, start });
});

test.each([
  ['uv run sh', 2, 'is a shell, and a shell runs anything'],
  ['npx -p x vitest', 1, 'stands before the program that is started'],
  ['bundle exec ruby', 2, 'is an interpreter without a script, which would end in success and test nothing'],
  ['coverage run -m timeit', 3, 'is a module that runs code given to it, or no test'],
  ['pnpm sh', 1, 'is a shell, and a shell runs anything'],
  ['npx', 0, 'starts another program, and none is named'],
  ['python', 0, 'is an interpreter without a script, which would end in success and test nothing'],
  ['python -m', 1, 'names no module'],
  ['python -m timeit', 2, 'is a module that runs code given to it, or no test'],
  ['python -O x.py', 1, 'may carry code or change what the interpreter runs'],
])('%s is refused at word %i, which %s', (command, index, why) => {
  const words = command.split(' ');
  expect(findTool(limits, words, false)).toEqual({ kind: 'fault', fault: { index, word: words[index], why } });
});
