/**
 * Node's own runner. Its main process takes reporters from options only, and by the time a preload runs they are read: so it
 * starts itself again with ours beside those that it has. In the process of a test file hooks tell which test runs.
 */
'use strict';

function start() {
  const isRunner = process.execArgv.includes('--test');
  // What a test file starts inherits the variable of the runner, and is no test file itself.
  const isTestFile = process.env.NODE_TEST_CONTEXT !== undefined && process.env.SUREPATCH_TEST_FILE === undefined;
  if (isTestFile) process.env.SUREPATCH_TEST_FILE = String(process.pid);
  if (isTestFile || (isRunner && runsInOneProcess())) follow();
  if (isRunner && process.env.NODE_TEST_CONTEXT === undefined) report();
}

function runsInOneProcess() {
  return process.execArgv.some((word) => /^--(?:experimental-)?test-isolation=none$/.test(word));
}

/** Begins and ends of tests, by hooks of the root that every suite inherits. */
function follow() {
  const running = require('./running-test.cjs');
  const { beforeEach, afterEach } = require('node:test');
  const main = process.argv[1];
  if (main === undefined || typeof beforeEach !== 'function') return;
  const file = running.fileId(require('node:path').resolve(main));
  const idOf = (test) => (test?.fullName === undefined ? file : running.testId(file, [test.fullName]));
  beforeEach((test) => running.begin(idOf(test)));
  afterEach((test) => running.end(idOf(test)));
}

function report() {
  const options = process.env.NODE_OPTIONS ?? '';
  if (process.env.SUREPATCH_NODE_TEST === String(process.ppid)) {
    // Whatever is started from here finds its own way to the reporter.
    process.env.NODE_OPTIONS = options.replace(/ ?--test-reporter(?:-destination)?="[^"]*"/g, '');
    delete process.env.SUREPATCH_NODE_TEST;
    return;
  }
  const words = [...options.split(/\s+/), ...process.execArgv];
  const added = require('./node-test-options.cjs').reporterOptions(words, process.versions.node, process.stdout.isTTY);
  if (added !== null) startAgain(`${options} ${added.map((option) => option.replace(/=(.*)$/, '="$1"')).join(' ')}`);
}

function startAgain(options) {
  const env = { ...process.env, NODE_OPTIONS: options, SUREPATCH_NODE_TEST: String(process.pid) };
  const words = [...process.execArgv, ...process.argv.slice(1)];
  const { spawnSync } = require('node:child_process');
  const { status, signal, error } = spawnSync(process.execPath, words, { env, stdio: 'inherit' });
  if (error !== undefined) throw error;
  if (signal !== null) process.kill(process.pid, signal);
  process.exit(status ?? 1);
}

module.exports = { start };
