/** Hears what jest's runner says of each test file, in the main process, and which test runs, where it runs. */
'use strict';

const events = require('./events.cjs');
const running = require('./running-test.cjs');

const attached = new WeakSet();
const MATCHERS = Symbol.for('$$jest-matchers-object');
const OUTCOMES = { passed: 'passed', failed: 'failed' };

function attachRunner(loaded) {
  const Runner = loaded?.default ?? loaded;
  if (typeof Runner?.prototype?.runTests !== 'function' || attached.has(Runner)) return;
  attached.add(Runner);
  const runTests = Runner.prototype.runTests;
  Runner.prototype.runTests = async function (tests, ...rest) {
    events.session('jest');
    require('./sources.cjs').keepSources();
    require('./sources.cjs').keepSettings(
      'jest',
      this._globalConfig?.collectCoverage,
      this._globalConfig?.coverageDirectory,
    );
    this.on('test-file-success', ([, result]) => report(result));
    this.on('test-file-failure', ([test, error]) => {
      events.error(running.fileId(test.path), error?.stack ?? error?.message ?? String(error));
    });
    return runTests.call(this, tests, ...rest);
  };
}

function report(result) {
  const file = running.fileId(result.testFilePath);
  for (const { ancestorTitles, title, status, failing, failureMessages, duration } of result.testResults) {
    // A test that is marked to fail passes by failing: what it ran has shown nothing to work.
    const isToFail = status === 'passed' && failing === true;
    const outcome = isToFail ? 'expected_failure' : (OUTCOMES[status] ?? 'skipped');
    const message = failureMessages?.length > 0 ? failureMessages.join('\n') : null;
    const id = running.testId(file, [...ancestorTitles, title]);
    events.test({ id, outcome, message, file, durationMs: duration ?? null });
  }
  if (result.testExecError) events.error(file, result.failureMessage ?? result.testExecError.message);
}

/** Any class that jest could use as the environment of a test file, the project's own among them. */
function attachEnvironment(loaded) {
  if ((typeof loaded !== 'object' && typeof loaded !== 'function') || loaded === null) return;
  for (const Environment of [loaded, loaded.default, loaded.TestEnvironment]) {
    const prototype = typeof Environment === 'function' ? Environment.prototype : undefined;
    if (typeof prototype?.getVmContext !== 'function' || attached.has(prototype)) continue;
    attached.add(prototype);
    require('./children.cjs').nameTests();
    const handle = prototype.handleTestEvent;
    prototype.handleTestEvent = function (event, ...rest) {
      follow(this, event);
      return handle?.call(this, event, ...rest);
    };
  }
}

function follow(environment, event) {
  if (event.name === 'run_finish' || event.name === 'teardown') running.run(false, '');
  if (!['run_start', 'test_start', 'test_done', 'test_skip'].includes(event.name)) return;
  const file = running.fileId(environment.global?.[MATCHERS]?.state?.testPath ?? '');
  if (event.name === 'run_start') running.run(true, file);
  else if (event.name === 'test_start') running.begin(running.testId(file, namesOf(event.test)));
  else running.end(running.testId(file, namesOf(event.test)));
}

/** The outermost block has no name of its own. */
function namesOf(test) {
  const names = [];
  for (let at = test; at?.parent; at = at.parent) names.unshift(at.name);
  return names;
}

module.exports = { attachEnvironment, attachRunner };
