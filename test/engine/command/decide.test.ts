import { describe, expect, test } from 'vitest';
import { decide } from '../../../src/engine/command/decide.ts';
import { builtInPolicy, decideText, ROOT } from '../../support/policy.ts';

const policy = builtInPolicy();

/** Commands that people and agents send every day; a refusal of one of them is a fault of ours. */
const ORDINARY = [
  'pytest',
  'pytest -q',
  'pytest -xvs tests/unit',
  'pytest -x --tb=short -q tests/test_calc.py',
  'pytest tests/test_calc.py::TestCalc::test_adds[1-2]',
  "pytest 'tests/test_calc.py::test_path[../y]'",
  "pytest -k 'a/b and not slow' -m 'not integration'",
  'pytest -rA --maxfail=1 --durations 5',
  'pytest -n auto --dist loadscope',
  'pytest -p no:cacheprovider',
  'pytest -pno:randomly',
  'pytest --cov --cov-report=term-missing:skip-covered',
  'pytest --cov=src --cov-branch',
  'pytest --lf --ff',
  'pytest --ignore=tests/slow --deselect tests/a.py::test_b',
  'pytest -W error',
  `pytest ${ROOT}/tests`,
  'python -m pytest -q',
  'python3 -m pytest tests -x',
  'python3.12 -m pytest',
  '.venv/bin/pytest -q',
  '.venv/bin/python -m pytest -q',
  'uv run pytest -q',
  'poetry run pytest tests',
  'pdm run pytest',
  'pipenv run pytest',
  'hatch test',
  'coverage run -m pytest',
  'python -m unittest',
  'python3 -m unittest discover -s tests -t .',
  'python3 -m unittest -v tests.test_calc.TestCalc.test_adds',
  'python manage.py test app.tests --parallel',
  'tox',
  'tox -e py311 -- -k adds',
  'nox -s tests',
  'npm test',
  'npm t',
  'npm test --silent',
  'npm run test',
  'npm run test:unit',
  "npm test -- -t 'adds two'",
  'npm test -- --coverage --watchAll=false',
  'npm test -- src/calc.test.ts',
  'npm test --workspace=@scope/app',
  'pnpm test',
  'pnpm -r test',
  'pnpm run test:ci',
  'yarn test --coverage',
  'yarn jest src/a.test.js',
  'bun test',
  'npx vitest run',
  'npx vitest run --coverage src/calc.test.ts',
  'vitest run -t adds --bail=1',
  "npx jest --runInBand -t 'adds'",
  'npx jest --ci --maxWorkers=50%',
  'npx mocha --recursive test',
  'mocha -R dot --exit',
  'node --test',
  'node --test --test-reporter=spec test/calc.test.js',
  "node --test --test-name-pattern='a/../b'",
  'node --import tsx --test test/calc.test.ts',
  'go test ./...',
  "go test ./pkg/... -run 'TestAdds/^zero$'",
  'go test -race -count=1 -v ./...',
  'go test -run=TestAdds example.com/calc',
  'go test -coverprofile=coverage.out ./...',
  'go vet ./...',
  'cargo test',
  'cargo test --workspace --all-features -q',
  'cargo test adds::two -- --exact --nocapture',
  'cargo test -p calc --test integration',
  'cargo nextest run',
  'cargo check --all-targets',
  'mvn test',
  'mvn -q test',
  'mvn test -Dtest=CalcTest#adds -pl core',
  'mvn -B verify',
  'gradle test --tests com.example.CalcTest',
  'gradle check --info',
  'dotnet test',
  "dotnet test --filter 'FullyQualifiedName~Adds' --no-build",
  'dotnet test tests/Calc.Tests/Calc.Tests.csproj -c Release',
  'rspec spec/calc_spec.rb:12',
  'bundle exec rspec --format documentation',
  'rake test TEST=test/calc_test.rb',
  'rails test test/models',
  'phpunit --filter testAdds tests',
  'php artisan test',
  'composer test',
  'make test',
  'make check -j4',
  'make -j4 test',
  'make test -j 2 -k',
  'ctest --test-dir build --output-on-failure -j 4',
  'PYTHONPATH=src python3 -m pytest -q',
  'CI=true npm test',
  'NODE_ENV=test TZ=Europe/Berlin npx jest',
  'LC_ALL=C.UTF-8 pytest',
  'RUST_BACKTRACE=1 cargo test',
];

test.each(ORDINARY)('%s stays allowed', (command) => {
  expect(decideText(policy, command)).toMatchObject({ ok: true });
});

test('an allowed command comes back as its words and its assignments', () => {
  expect(decideText(policy, 'PYTHONPATH=src:. TZ=UTC python3 -m pytest -k "a b"')).toEqual({
    ok: true,
    value: {
      environment: { PYTHONPATH: 'src:.', TZ: 'UTC' },
      argv: ['python3', '-m', 'pytest', '-k', 'a b'],
      operatorNamed: false,
    },
  });
});

describe('a refusal', () => {
  test('names the word, its place, the reason and the way out', () => {
    expect(decideText(policy, 'PYTHONPATH=src pytest -q --collect-only')).toEqual({
      ok: false,
      failure: {
        code: 'COMMAND_NOT_ALLOWED',
        message:
          'Word 4 of the command, `--collect-only`, is refused for `pytest`: it lists instead of running the tests.',
        hint: 'Leave it out, or replace it. The operator can allow more at start, with --allow-test-command.',
        details: {},
      },
    });
  });

  test('of a program that is not listed takes no flag for a likeness', () => {
    const refused = decideText(policy, 'pytset -q');
    expect(refused.ok ? null : refused.failure.hint).toMatch(/^Allowed: /u);
  });

  test('of a program that is not listed names the closest allowed command', () => {
    expect(decideText(policy, 'python -I -m pytest')).toEqual({
      ok: false,
      failure: {
        code: 'COMMAND_NOT_ALLOWED',
        message: 'The command begins with `python` and with no allowed prefix.',
        hint:
          'Closest allowed command: `python -m pytest`. Prefixes are compared by whole words; ' +
          'the operator can allow more at start, with --allow-test-command.',
        details: {},
      },
    });
  });

  test('of a program like nothing that is listed shows some of the list', () => {
    const refused = decideText(policy, 'frobnicate');
    expect(refused.ok ? '' : refused.failure.hint).toMatch(
      /^Allowed: `bun run test`, .* and \d+ more\. .*the operator can allow more at start/u,
    );
  });

  test('of a variable names the ones that can be set', () => {
    const refused = decideText(policy, 'NODE_OPTIONS=--require=./x.js npm test');
    expect(refused.ok ? '' : refused.failure.hint).toContain('Only these can be set: PYTHONPATH, NODE_PATH, CI');
  });
});

test.each(['pytestx', 'pytest-evil', 'npm testing', 'go testx', 'python -m pytestx'])(
  '%s does not match a prefix that its text begins with',
  (command) => {
    expect(decideText(policy, command)).toMatchObject({ ok: false, failure: { code: 'COMMAND_NOT_ALLOWED' } });
  },
);

test('no words at all are refused', () => {
  expect(decide(policy, [], { root: ROOT })).toMatchObject({
    ok: false,
    failure: { message: 'The command names no program.' },
  });
  expect(decideText(policy, 'CI=1')).toMatchObject({
    ok: false,
    failure: { message: 'The command names no program.' },
  });
});
