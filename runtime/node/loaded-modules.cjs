/** Notices when a runner is loaded, by the name under which it is asked for, and lets its part of the agent in. */
'use strict';

const Module = require('node:module');

const MOCHA = /(?:^|[\\/])mocha(?:\.c?js)?$/;
const JEST_RUNNER = /(?:^|[\\/])jest-runner(?:[\\/]build[\\/]index\.js)?$/;

function watch() {
  const load = Module._load;
  let isOurs = false;
  Module._load = function (request, ...rest) {
    const loaded = load.call(this, request, ...rest);
    const part = isOurs || typeof request !== 'string' ? null : partFor(request);
    if (part === null) return loaded;
    // What a part loads is loaded through here as well.
    isOurs = true;
    try {
      part(loaded);
    } finally {
      isOurs = false;
    }
    return loaded;
  };
}

function partFor(request) {
  if (MOCHA.test(request)) return (loaded) => require('./mocha.cjs').attach(loaded);
  if (JEST_RUNNER.test(request)) return (loaded) => require('./jest.cjs').attachRunner(loaded);
  if (process.env.JEST_WORKER_ID === undefined) return null;
  return (loaded) => require('./jest.cjs').attachEnvironment(loaded);
}

module.exports = { watch };
