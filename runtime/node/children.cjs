/**
 * Tells children which test starts them, where the environment that a test sees is not the one of its process (jest), or the
 * runner says which test runs only when it is asked (Vitest).
 */
'use strict';

const { current } = require('./running-test.cjs');

let isNaming = false;
/** Contexts in which a runner may keep what it knows of the running test, weakly. */
const contexts = new Set();

function nameTests() {
  if (isNaming) return;
  isNaming = true;
  rememberContexts();
  const processes = require('node:child_process');
  const spawn = processes.ChildProcess.prototype.spawn;
  processes.ChildProcess.prototype.spawn = function (options) {
    const id = runningTest();
    if (id === null || !Array.isArray(options?.envPairs)) return spawn.call(this, options);
    return spawn.call(this, { ...options, envPairs: [...options.envPairs, `SUREPATCH_TEST=${id}`] });
  };
  for (const name of ['spawnSync', 'execFileSync', 'execSync']) {
    const run = processes[name];
    processes[name] = (command, ...rest) => run(command, ...withTest(rest));
  }
  require('node:module').syncBuiltinESMExports();
}

function rememberContexts() {
  const vm = require('node:vm');
  const createContext = vm.createContext;
  vm.createContext = (...given) => {
    const context = createContext(...given);
    if (typeof context === 'object' && context !== null) contexts.add(new WeakRef(context));
    return context;
  };
}

function runningTest() {
  const id = current(globalThis);
  if (id !== null) return id;
  for (const reference of contexts) {
    const context = reference.deref();
    if (context === undefined) contexts.delete(reference);
    else if (context.__vitest_worker__ !== undefined) return current(context);
  }
  return null;
}

/** The options are the last argument that is an object and no list. */
function withTest(rest) {
  const id = runningTest();
  if (id === null) return rest;
  const place = rest.findIndex((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
  const options = place === -1 ? {} : rest[place];
  const named = { ...options, env: { ...(options.env ?? process.env), SUREPATCH_TEST: id } };
  return place === -1 ? [...rest, named] : rest.map((value, index) => (index === place ? named : value));
}

module.exports = { nameTests };
