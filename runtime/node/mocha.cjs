/** Hears the events of mocha's runner; in parallel mode those of each worker. */
'use strict';

const events = require('./events.cjs');
const running = require('./running-test.cjs');

const attached = new WeakSet();

function attach(Mocha) {
  const Runner = typeof Mocha === 'function' ? Mocha.Runner : undefined;
  if (typeof Runner?.prototype?.run !== 'function' || attached.has(Runner)) return;
  attached.add(Runner);
  const run = Runner.prototype.run;
  Runner.prototype.run = function (...args) {
    listen(this);
    return run.apply(this, args);
  };
}

function listen(runner) {
  const found = runner.suite.total();
  const fileOf = (runnable) => (runnable.file ? running.fileId(runnable.file) : '');
  const idOf = (runnable) => running.testId(fileOf(runnable), runnable.titlePath());
  const report = (test, outcome, message = null) => {
    events.test({ id: idOf(test), outcome, message, file: fileOf(test), durationMs: test.duration ?? null });
  };
  runner.on('start', () => {
    running.run(true, '');
    events.session('mocha', found, found - runner.total);
  });
  runner.on('test', (test) => running.begin(idOf(test)));
  runner.on('test end', (test) => running.end(idOf(test)));
  runner.on('retry', (test) => running.end(idOf(test)));
  runner.on('pass', (test) => report(test, 'passed'));
  runner.on('pending', (test) => report(test, 'skipped'));
  runner.on('fail', (runnable, error) => {
    const message = error?.stack ?? error?.message ?? String(error);
    if (runnable.type === 'test') report(runnable, 'failed', message);
    else events.error(idOf(runnable), message);
  });
  runner.on('end', () => running.run(false, ''));
}

module.exports = { attach };
