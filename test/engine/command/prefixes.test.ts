import { expect, test } from 'vitest';
import { allowedPrefixes } from '../../../src/engine/command/policy.ts';
import { withCallerPrefixes, withOperatorPrefixes } from '../../../src/engine/command/prefixes.ts';
import { builtInPolicy, decideText, outcome, valueOf } from '../../support/policy.ts';

const policy = builtInPolicy();

function underCaller(list: readonly string[], command: string, locked = false): string {
  const inForce = withCallerPrefixes(policy, list, { locked });
  return inForce.ok
    ? outcome(decideText(inForce.value, command))
    : `${inForce.failure.code} ${inForce.failure.message}`;
}

function underOperator(list: readonly string[], command: string): string {
  const inForce = withOperatorPrefixes(policy, list);
  return inForce.ok
    ? outcome(decideText(inForce.value, command))
    : `${inForce.failure.code} ${inForce.failure.message}`;
}

test('an empty list leaves the built-in list in force', () => {
  expect(withCallerPrefixes(policy, [], { locked: false })).toEqual({ ok: true, value: policy });
});

test('a nonempty list replaces the built-in list', () => {
  const replaced = valueOf(withCallerPrefixes(policy, ['go test', 'mytool run'], { locked: false }));
  expect(allowedPrefixes(replaced)).toEqual(['go test', 'mytool run']);
  expect(underCaller(['go test'], 'pytest')).toBe('COMMAND_NOT_ALLOWED');
});

test.each([
  [['mytool'], 'mytool run --fast'],
  [['node'], 'node check.js --deep'],
  [['node'], 'node --test'],
  [['node --experimental-vm-modules'], 'node --experimental-vm-modules node_modules/jest/bin/jest.js'],
  [['python3'], 'python3 check.py -c x'],
  [['python'], 'python -m pytest -q'],
  [['ruby'], 'ruby -Itest test/a_test.rb'],
  [['sleep'], 'sleep 300'],
  [['npm run build'], 'npm run build'],
  [['make deploy'], 'make deploy -j4'],
  [['npx playwright test'], 'npx playwright test --project=chromium'],
  [['pytest --my-plugin-flag'], 'pytest --my-plugin-flag -q'],
  [['gradle :app:test'], 'gradle :app:test --info'],
  [["jest -t 'two words'"], "jest -t 'two words'"],
])('a caller listing %j may run %s', (list, command) => {
  expect(underCaller(list, command)).toMatch(/^allowed/u);
});

test('a prefix that is refused is named with its place in the list', () => {
  expect(withCallerPrefixes(policy, ['pytest', 'sudo pytest'], { locked: false })).toEqual({
    ok: false,
    failure: {
      code: 'COMMAND_NOT_ALLOWED',
      message: 'allowed_test_commands[1] cannot be admitted: `sudo` runs a program with other rights.',
      hint: 'Name the test runner itself; the operator can allow more at start, with --allow-test-command.',
      details: {},
    },
  });
  expect(underCaller(['pytest; x'], 'pytest')).toMatch(/^COMMAND_UNPARSABLE allowed_test_commands\[0\]: /u);
});

test('a locked list can be narrowed and not widened', () => {
  // `bun run` knows --silent and `bun test` does not: only the built-in rule itself tells them apart.
  expect(underCaller(['bun test'], 'bun test --silent')).toBe('allowed: bun test --silent');
  expect(underCaller(['bun test'], 'bun test --silent', true)).toBe('COMMAND_NOT_ALLOWED');
  expect(underCaller(['pytest'], 'pytest -q', true)).toBe('allowed: pytest -q');
  expect(underCaller(['pytest tests'], 'pytest tests -q', true)).toBe('allowed: pytest tests -q');
  expect(underCaller(['pytest tests'], 'pytest -q', true)).toBe('COMMAND_NOT_ALLOWED');
  expect(underCaller(['pytest'], 'npm test', true)).toBe('COMMAND_NOT_ALLOWED');
  expect(underCaller(['mytool'], 'mytool', true)).toMatch(
    /^COMMAND_NOT_ALLOWED allowed_test_commands\[0\] is not part/u,
  );
  expect(underCaller(['pytest --my-plugin-flag'], 'pytest --my-plugin-flag', true)).toMatch(/^COMMAND_NOT_ALLOWED/u);
});

test.each([
  ['./gradlew test', './gradlew test --info', /^allowed/u],
  ['./gradlew test', './gradlew test -I evil.gradle', /^COMMAND_NOT_ALLOWED$/u],
  ['./gradlew test', './gradlew test publish', /^COMMAND_NOT_ALLOWED$/u],
  ['bash scripts/test.sh', 'bash scripts/test.sh fast', /^allowed/u],
  ['bash scripts/test.sh', 'bash other.sh', /^COMMAND_NOT_ALLOWED$/u],
  ['pytest -c ci.ini', 'pytest -c ci.ini -q', /^allowed/u],
  ['pytest -c ci.ini', 'pytest -c ci.ini -c other.ini', /^COMMAND_NOT_ALLOWED$/u],
  ['pytest -c ci.ini', 'pytest -q', /^allowed/u],
  ['python', 'python -c x', /^COMMAND_NOT_ALLOWED$/u],
  ['./run', './run ../x', /^COMMAND_NOT_ALLOWED$/u],
  ['bash', 'bash x', /^INPUT_INVALID .*would allow anything/u],
  ['uv run', 'uv run x', /^INPUT_INVALID .*would allow anything/u],
  ['../run', '../run', /^INPUT_INVALID .*outside the root/u],
  ['-q', 'pytest', /^COMMAND_NOT_ALLOWED .*must begin with a program/u],
])('under the operator’s prefix %j the command %j has the outcome %s', (prefix, command, expected) => {
  expect(underOperator([prefix], command)).toMatch(expected);
});

test('only a command under an operator’s prefix says that the operator named it', () => {
  const widened = valueOf(withOperatorPrefixes(policy, ['./gradlew test']));
  expect([decideText(widened, './gradlew test'), decideText(widened, 'pytest')]).toEqual([
    { ok: true, value: { environment: {}, argv: ['./gradlew', 'test'], operatorNamed: true } },
    { ok: true, value: { environment: {}, argv: ['pytest'], operatorNamed: false } },
  ]);
});

test('a caller may narrow to what the operator allowed, by path too, locked or not', () => {
  const widened = valueOf(withOperatorPrefixes(policy, ['./gradlew test']));
  for (const locked of [true, false]) {
    const narrowed = valueOf(withCallerPrefixes(widened, ['./gradlew test --info'], { locked }));
    expect(outcome(decideText(narrowed, './gradlew test --info -q'))).toBe('allowed: ./gradlew test --info -q');
    expect(outcome(decideText(narrowed, './gradlew test'))).toBe('COMMAND_NOT_ALLOWED');
  }
});
