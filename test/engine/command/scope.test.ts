import { describe, expect, test } from 'vitest';
import { withCallerPrefixes, withOperatorPrefixes } from '../../../src/engine/command/allow.ts';
import type { Policy } from '../../../src/engine/command/policy.ts';
import { scopeOf, type Scope } from '../../../src/engine/command/scope.ts';
import { readAllowlists } from '../../../src/io/allowlists.ts';
import { projectOf } from '../../support/project-facts.ts';
import { ALLOWLISTS, builtInPolicy, decideText, ROOT, valueOf } from '../../support/policy.ts';

const builtIn = builtInPolicy();
const FULL: Scope = { scope: 'full', why: null };

function scopeOfText(command: string, policy: Policy = builtIn): Scope {
  return scopeOf(policy, valueOf(decideText(policy, command)).argv, ROOT);
}

function withOperator(...prefixes: string[]): Policy {
  return valueOf(withOperatorPrefixes(builtIn, prefixes));
}

/** A false `narrowed` costs a user a SAFE. */
const MUST_STAY_FULL = `
pytest
pytest -q
pytest -vv -ra --tb=short
pytest -qq --no-header -p no:cacheprovider
pytest -n auto --dist loadfile
pytest -n4 -rA --durations 10
pytest --cov --cov-report=term-missing
pytest --cov src --cov-branch
pytest --maxfail=0 -W error
pytest -x
pytest -xq
pytest -q --maxfail=1
pytest --maxfail 2
vitest run --bail 1
npx jest --bail
mocha --bail
python -m unittest -f
python manage.py test --failfast
go test -failfast ./...
pytest --ff --randomly-seed=1 --color=no
pytest .
pytest ${ROOT}
.venv/bin/pytest -q
python -m pytest
python3 -m pytest -q
python3.12 -m pytest -q --capture no -s
PYTHONPATH=src python3 -m pytest -q
PYTHONDONTWRITEBYTECODE=1 TZ=UTC pytest -q
uv run pytest
poetry run pytest -q
pipenv run python -m pytest
coverage run -m pytest -q
python -m unittest
python -m unittest -v
python3 -m unittest discover
python -m unittest discover -s tests
python -m unittest discover -s test -p 'test_*.py' -t . -v
python -m unittest discover tests
uv run python -m unittest -b
python manage.py test
python manage.py test --parallel 4 --keepdb -v 2
tox
tox -q -p auto
tox -e py311
tox run -e py310,py311
tox -e py -- -q
nox
nox -s tests
nox -s tests-3.11 -- -q
hatch test
hatch test -c -py 3.12
npm test
npm t --silent
npm run test:ci
npm test -- --coverage --watchAll=false
npm test -- --reporter dot --color
yarn test --coverage
pnpm test
pnpm -r test
bun run test
npx vitest run
npx vitest run --coverage
vitest run --reporter=verbose --pool forks --bail=0
pnpm vitest run --maxWorkers 2 --no-file-parallelism
npx jest
npx jest --ci
npx jest --runInBand --coverage --silent --watchAll=false
npx mocha
mocha --recursive -R dot --exit -t 5000
node --test
node --test --test-reporter=tap --test-concurrency 2 --experimental-test-coverage
node --import tsx --test
bun test --coverage
go test ./...
go test -race -count=1 -v -timeout 60s ./...
cargo test
cargo test --workspace --all-features -q -- --nocapture --test-threads=1
cargo nextest run --no-fail-fast
mvn test
mvn -q test
mvn clean verify
mvn test -B -T 1C
gradle test
gradle cleanTest test --info
make test
make check -j4
make -s test
ctest --output-on-failure
ctest --test-dir build -j 4
dotnet test --no-restore -c Release
phpunit --testdox
php artisan test
composer test
rails test
rspec --format doc --profile 10
bundle exec rspec spec
rake test
`;

const NARROWED = `
pytest tests/test_tide.py
pytest tests/test_tide.py::test_low[1]
pytest tests
pytest tests/unit
pytest . tests/unit
pytest -k tide
pytest -qk tide
pytest -m 'not slow'
pytest -qm unit
pytest --lf
pytest --last-failed
pytest --sw
pytest --deselect tests/test_tide.py::test_low
pytest --ignore=tests/slow
pytest --ignore-glob '*_slow.py'
pytest --splits 2 --group 1
pytest --cov src tests/test_tide.py
python3 -m pytest -q tests/test_tide.py
uv run pytest -k tide
python -m unittest tests.test_tide
python -m unittest tests
python -m unittest discover -s tests/unit
python -m unittest discover -p test_tide.py
python -m unittest discover -k low
python manage.py test harbour.tests
python manage.py test --tag fast
tox -e unit
tox -e py311-unit
tox -e py311 -- -k tide
tox -e py311 -- tests/test_tide.py
nox -s unit
nox -k lint
nox -s tests -- --lf
hatch test tests/test_tide.py
hatch test -- -k tide
npm test -- -t 'low tide'
npm test -- src/tide.test.js
npm test -- --shard=1/2
npm test -- --test-name-pattern low
npm test -w harbour
npm run test:unit
npm run test:types
yarn test src/tide.test.js
pnpm test -t low
npx vitest run src/tide.test.ts
npx vitest run -t 'low tide'
vitest run --changed
vitest run --shard 1/2
vitest run --exclude 'slow/**'
vitest run --project unit
npx jest tide
npx jest --onlyChanged
npx jest -o --ci
npx jest --findRelatedTests src/tide.js
npx jest --testPathPattern tide
npx jest --selectProjects unit
mocha test/tide.js
mocha -g low
node --test test/tide.test.js
node --test --test-name-pattern=low
node --test --test-shard 1/2
bun test tide.test.ts
bun test -t low
go test
go test ./tide/...
go test -run TestLow ./...
go test -short ./...
go test -count=0 ./...
go vet ./...
cargo test low
cargo test --lib
cargo test -p harbour
cargo test --exclude harbour --workspace
cargo test -- --skip low
cargo test -- low
cargo check
cargo nextest run -E 'test(low)'
mvn test -Dtest=TideTest
mvn test -pl core -am
gradle test --tests 'TideTest'
gradle test :core:test
make unit
ctest -R low
ctest --rerun-failed
dotnet test --filter Name~Low
dotnet test tests/Tide.csproj
phpunit --filter low
phpunit tests/Unit
composer test -- --testsuite unit
rails test test/models/tide_test.rb
rails test:system
rspec spec/tide_spec.rb:12
rspec -e low
rspec --only-failures
rake test TEST=test/tide_test.rb
`;

const UNKNOWN = `
pytest --integration
pytest --slow
pytest -p no:asyncio
pytest --asyncio-mode=strict
go test -tags integration ./...
cargo test --no-default-features
cargo test -F extra
dotnet test -f net8.0
ctest --test-dir build/tide
`;

const lines = (table: string) => table.trim().split('\n');

describe('scopeOf', () => {
  test.each(lines(MUST_STAY_FULL))('%s tests the whole suite', (command) => {
    expect(scopeOfText(command)).toEqual(FULL);
  });

  test.each(lines(NARROWED))('%s tests less than the whole suite', (command) => {
    expect(scopeOfText(command)).toEqual({ scope: 'narrowed', why: expect.any(String) as string });
  });

  test.each(lines(UNKNOWN))('%s is not known to test the whole suite', (command) => {
    expect(scopeOfText(command)).toEqual({ scope: 'unknown', why: expect.any(String) as string });
  });

  test.each([
    ['pytest -q -k low', '`-k` selects some of the tests'],
    ['pytest -q a.py b.py', '`a.py b.py` is not known to be the whole suite'],
    ['npm run test:unit', '`test:unit` names less than the whole suite'],
    ['go test -v', 'The command names nothing to test, and then this runner does not test everything'],
    ['pytest --integration', '`--integration` may leave tests out'],
  ])('%s is answered with the word at fault', (command, why) => {
    expect(scopeOfText(command).why).toBe(why);
  });

  test('a part of the suite is named before what is not known', () => {
    expect(scopeOfText('pytest --slow -k low')).toEqual(scopeOfText('pytest -k low'));
  });
});

describe('with prefixes of others', () => {
  test.each([
    ['./gradlew', './gradlew test', 'full'],
    ['./gradlew', './gradlew test --tests TideTest', 'narrowed'],
    ['./run-tests.sh', './run-tests.sh', 'unknown'],
    ['bash scripts/test.sh', 'bash scripts/test.sh', 'unknown'],
    ['python tests/run.py', 'python tests/run.py', 'unknown'],
    ['npx ava', 'npx ava', 'unknown'],
    ['npx c8 node --test', 'npx c8 node --test', 'full'],
    ['npx c8 node --test', 'npx c8 node --test tide.test.js', 'narrowed'],
    ['python -m pytest -k low', 'python -m pytest -k low', 'narrowed'],
    ['pytest --their-own', 'pytest --their-own', 'unknown'],
    ['pytest --lf --their-own', 'pytest --lf --their-own', 'narrowed'],
    ['pytest --config-file=other.ini', 'pytest --config-file=other.ini', 'unknown'],
    ['make smoke', 'make smoke', 'narrowed'],
    ['make test-all', 'make test', 'full'],
  ])('of an operator who allows `%s`, `%s` is %s', (prefix, command, scope) => {
    expect(scopeOfText(command, withOperator(prefix)).scope).toBe(scope);
  });

  test.each([
    ['npm test', 'npm test -- --silent', 'full'],
    ['yarn vitest', 'yarn vitest run', 'full'],
    ['pytest tests/unit', 'pytest tests/unit', 'narrowed'],
    ['nyc mocha', 'nyc mocha', 'full'],
    ['tape', 'tape', 'unknown'],
  ])('of a caller who allows `%s`, `%s` is %s', (prefix, command, scope) => {
    const policy = valueOf(withCallerPrefixes(builtIn, [prefix], { locked: false }));
    expect(scopeOfText(command, policy).scope).toBe(scope);
  });
});

describe('with the facts of a project', () => {
  const files = ['conftest.py', 'setup.py', 'src/tide.py', 'tests/test_tide.py', '.venv/lib/test_other.py'];

  test.each([
    ['pytest tests', [], 'full'],
    ['pytest -q ./tests/', [], 'full'],
    [`python -m pytest ${ROOT}/tests`, [], 'full'],
    ['tox -e py311 -- tests', [], 'full'],
    ['pytest tests -k low', [], 'narrowed'],
    ['pytest tests/test_tide.py', [], 'narrowed'],
    ['pytest src', [], 'narrowed'],
    ['pytest missing', [], 'narrowed'],
    ['pytest tests', ['src/tide_test.py'], 'narrowed'],
    ['pytest tests integration', ['integration/test_port.py'], 'full'],
    ['pytest tests', ['integration/test_port.py'], 'narrowed'],
    ['pytest tests/unit', ['tests/unit/test_low.py'], 'narrowed'],
    ['pytest tests', ['env/pyvenv.cfg', 'env/lib/test_other.py'], 'full'],
    ['mocha tests', [], 'narrowed'],
  ])('%s with %j is %s', (command, more, scope) => {
    const project = projectOf([...files, ...more]);
    expect(scopeOf(builtIn, valueOf(decideText(builtIn, command)).argv, ROOT, project).scope).toBe(scope);
  });
});

test('every flag of the shipped allowlists has a scope, but for those that depend on the project', () => {
  const unscoped = valueOf(readAllowlists(ALLOWLISTS)).flatMap(({ runner, flags }) => {
    if (flags === undefined) return [];
    const { narrowing = [], stopping = [], neutral = [] } = flags.scope ?? {};
    const scoped = [...narrowing, ...stopping, ...neutral].map((entry) =>
      typeof entry === 'string' ? entry : entry.flag,
    );
    const all = [...flags.boolean, ...flags.value, ...flags.pattern];
    return all
      .map((entry) => (typeof entry === 'string' ? entry : entry.flag))
      .filter((name) => !scoped.includes(name))
      .map((name) => `${runner} ${name}`);
  });
  expect(unscoped).toEqual([
    'cargo --no-default-features',
    'cargo -F',
    'cargo --features',
    'dotnet -f',
    'dotnet -framework',
    'go -tags',
    'pytest --slow',
    'pytest --integration',
  ]);
});
