/** A reporter for Node's own runner that prints nothing: it turns events of the runner into ours. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const events = require('./events.cjs');
const running = require('./running-test.cjs');

// A reporter must be a generator, even if there is nothing to print.
export default async function* report(source) {
  events.session('node:test');
  /** Names of the tests that contain the next one, by depth. */
  const names = [];
  for await (const { type, data } of source) {
    if (type === 'test:start') names.splice(data.nesting, Infinity, data.name);
    if (type === 'test:pass' || type === 'test:fail') settle(data, type === 'test:pass', names);
  }
  yield '';
}

function settle(data, passed, names) {
  const file = data.file === undefined ? '' : running.fileId(data.file);
  const path = [...names.slice(0, data.nesting), data.name];
  const problem = data.details?.error;
  const message =
    problem === undefined ? reasonOf(data) : (problem.cause?.stack ?? problem.cause?.message ?? problem.message);
  // A file as a whole is reported by its path, when it holds no test or cannot be loaded.
  const isFile = data.nesting === 0 && running.fileId(data.name) === file;
  if (isFile && !passed) events.error(file, message);
  else if (data.details?.type === 'suite') {
    if (!passed && problem?.failureType !== 'subtestsFailed') events.error(running.testId(file, path), message);
  } else {
    const id = isFile ? file : running.testId(file, path);
    events.test({ id, outcome: outcomeOf(data, passed), message, file, durationMs: data.details?.duration_ms ?? null });
  }
}

function outcomeOf({ skip, todo }, passed) {
  const isTodo = todo !== undefined && todo !== false;
  if (!passed) return isTodo ? 'expected_failure' : 'failed';
  return isTodo || (skip !== undefined && skip !== false) ? 'skipped' : 'passed';
}

function reasonOf({ skip, todo }) {
  return [skip, todo].find((reason) => typeof reason === 'string') ?? null;
}
