/** Which test is running in this process. Runners whose events we hear tell it here; of vitest it is asked for. */
'use strict';

const { relative, sep } = require('node:path');

/** Ids of the tests that have begun and not ended. More than one: they run at the same time, or inside each other. */
const begun = new Set();

const state = {
  /** True between the first and the last test of a file, hooks included. */
  isRunning: false,
  /** Path of the test file relative to the root. */
  file: '',
  /** The test that started this process or thread, if one did. */
  inherited: process.env.SUREPATCH_TEST ?? testOfPytest(),
};

/** A test of another language may have started this process. */
function testOfPytest() {
  return process.env.PYTEST_CURRENT_TEST?.replace(/ \((?:setup|call|teardown)\)$/, '');
}

function fileId(path) {
  const root = process.env.SUREPATCH_ROOT || process.cwd();
  return relative(root, path).split(sep).join('/');
}

function testId(file, names) {
  return [file, ...names].join(' > ');
}

function begin(id) {
  if (process.env.SUREPATCH_V8 !== undefined) require('./coverage.cjs').testsBegin();
  begun.add(id);
  tellThreads();
}

function end(id) {
  begun.delete(id);
  tellThreads();
}

function run(isRunning, file) {
  state.isRunning = isRunning;
  state.file = file;
  begun.clear();
  tellThreads();
}

/** Threads and children that start from here inherit the test through the environment. */
function tellThreads() {
  if (state.inherited !== undefined) return;
  const id = current(globalThis);
  if (id === null) delete process.env.SUREPATCH_TEST;
  else process.env.SUREPATCH_TEST = id;
}

/** The id of the running test; the test file where tests cannot be told apart; null when none runs. */
function current(context) {
  if (state.inherited !== undefined) return state.inherited;
  if (begun.size === 1) for (const id of begun) return id;
  if (begun.size > 1) return innermost() ?? state.file;
  if (state.isRunning) return state.file;
  const worker = context.__vitest_worker__ ?? globalThis.__vitest_worker__;
  return worker === undefined ? null : currentOfVitest(worker.current);
}

/** Of tests inside each other the inner one counts. */
function innermost() {
  const ids = [...begun].sort((left, right) => left.length - right.length);
  const isChain = ids.every((id, index) => index === 0 || id.startsWith(`${ids[index - 1]} > `));
  return isChain ? ids[ids.length - 1] : null;
}

/** While a file is collected the current task is the file itself. */
function currentOfVitest(task) {
  if (!task || !task.file || task === task.file) return null;
  const file = fileId(task.file.filepath);
  if (task.type !== 'test') return file;
  const names = [];
  for (let at = task; at && at !== task.file; at = at.suite) names.unshift(at.name);
  return testId(file, names);
}

module.exports = { begin, current, end, fileId, inherited: state.inherited, run, testId };
