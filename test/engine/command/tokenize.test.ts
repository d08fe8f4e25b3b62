import { expect, test } from 'vitest';
import { tokenize } from '../../../src/engine/command/tokenize.ts';

const SPLIT: readonly (readonly [string, readonly string[]])[] = [
  ['pytest', ['pytest']],
  ['  pytest   -q  ', ['pytest', '-q']],
  [`pytest -k 'a and (b or c)'`, ['pytest', '-k', 'a and (b or c)']],
  [`pytest -k "a and not b"`, ['pytest', '-k', 'a and not b']],
  [`go test -run='^TestA$|B*' ./...`, ['go', 'test', '-run=^TestA$|B*', './...']],
  ['pytest tests/test_a.py::test_b[1-x]', ['pytest', 'tests/test_a.py::test_b[1-x]']],
  ['mvn test -Dtest=CalcTest#adds', ['mvn', 'test', '-Dtest=CalcTest#adds']],
  ['vitest run --changed HEAD~1', ['vitest', 'run', '--changed', 'HEAD~1']],
  [`jest -t 'it'"'"'s "so"'`, ['jest', '-t', `it's "so"`]],
  [`jest -t "say \\"hi\\" for \\$5 \\\\ x"`, ['jest', '-t', 'say "hi" for $5 \\ x']],
  [`jest -t two\\ words\\*\\;`, ['jest', '-t', 'two words*;']],
  [`jest -t a\\#b`, ['jest', '-t', 'a#b']],
  [`pytest ''`, ['pytest', '']],
  [`jest -t 'größe 🙂'`, ['jest', '-t', 'größe 🙂']],
  ['PYTHONPATH=src python3 -m pytest -q', ['PYTHONPATH=src', 'python3', '-m', 'pytest', '-q']],
  ['a=b,c:d@e%f+g^h', ['a=b,c:d@e%f+g^h']],
];

test.each(SPLIT)('%s is split as a shell would', (text, words) => {
  expect(tokenize(text)).toEqual({ ok: true, value: words });
});

test('a command of exactly 4 KiB is split', () => {
  const long = 'x'.repeat(4096 - 7);
  expect(tokenize(`pytest ${long}`)).toEqual({ ok: true, value: ['pytest', long] });
});

test('what the gate refuses is not split', () => {
  expect(tokenize('pytest; x')).toMatchObject({ ok: false, failure: { code: 'COMMAND_UNPARSABLE' } });
});
