import { expect, test } from 'vitest';
import { endOfOutput, excerptOfOutput } from '../../src/tools/excerpt.ts';

const filler = (count: number) => Array.from({ length: count }, (_, index) => `test_case_${index} passed`);

test('output that fits stays as it is', () => {
  expect(excerptOfOutput('one\ntwo\n', 100)).toBe('one\ntwo');
});

test.each([
  ['pytest', 'E       assert 2 == 3'],
  ['pytest summary', 'FAILED tests/test_cart.py::test_total - assert 2 == 3'],
  ['node --test', 'not ok 12 - adds the prices'],
  ['node --test spec', '✖ adds the prices (1.2ms)'],
  ['vitest', ' FAIL  test/cart.test.ts > adds the prices'],
  ['jest', '  ● cart › adds the prices'],
  ['go test', '--- FAIL: TestTotal (0.00s)'],
  ['cargo test', "thread 'cart::total' panicked at src/cart.rs:4:5:"],
  ['unittest', 'AssertionError: 2 != 3'],
  ['a Python exception', 'ImportError: No module named cart'],
])('a failure as %s reports it is found far from the end', (_runner, line) => {
  const output = [...filler(300), line, 'the reason', ...filler(300), '1 failed in 0.2s'].join('\n');
  const excerpt = excerptOfOutput(output, 1000);
  expect(excerpt.split('\n').slice(0, 2)).toEqual([line, 'the reason']);
  expect(excerpt.endsWith('1 failed in 0.2s')).toBe(true);
});

test('what is left out is counted', () => {
  const excerpt = excerptOfOutput(filler(500).join('\n'), 1000);
  const shown = excerpt.split('\n').length - 1;
  expect(excerpt).toContain(`[${500 - shown} of 500 lines left out]`);
  expect(excerpt.length).toBeLessThanOrEqual(1000);
});

test.each([1, 5, 100_000])('the budget holds when every line fails and has %i characters', (width) => {
  const output = Array.from({ length: 3000 }, () => `FAILED ${'x'.repeat(width)}`).join('\n');
  expect(excerptOfOutput(output, 2000).length).toBeLessThanOrEqual(2000);
  expect(endOfOutput(output, 500).length).toBeLessThanOrEqual(500);
});
