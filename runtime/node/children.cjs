/** Tells children which test starts them, for a runner that says which test runs only when it is asked. */
'use strict';

const { current } = require('./running-test.cjs');

function nameTests() {
  const processes = require('node:child_process');
  const spawn = processes.ChildProcess.prototype.spawn;
  processes.ChildProcess.prototype.spawn = function (options) {
    const id = current(globalThis);
    if (id === null || !Array.isArray(options?.envPairs)) return spawn.call(this, options);
    return spawn.call(this, { ...options, envPairs: [...options.envPairs, `SUREPATCH_TEST=${id}`] });
  };
  for (const name of ['spawnSync', 'execFileSync', 'execSync']) {
    const run = processes[name];
    processes[name] = (command, ...rest) => run(command, ...withTest(rest));
  }
  require('node:module').syncBuiltinESMExports();
}

/** The options are the last argument that is an object and no list. */
function withTest(rest) {
  const id = current(globalThis);
  if (id === null) return rest;
  const place = rest.findIndex((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
  const options = place === -1 ? {} : rest[place];
  const named = { ...options, env: { ...(options.env ?? process.env), SUREPATCH_TEST: id } };
  return place === -1 ? [...rest, named] : rest.map((value, index) => (index === place ? named : value));
}

module.exports = { nameTests };
