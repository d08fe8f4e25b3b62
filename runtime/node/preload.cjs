/**
 * Loaded into every Node process of a run by NODE_OPTIONS; does next to nothing unless the process runs tests. Must never
 * break or slow the process it lives in, and works on Node 18 and later.
 */
'use strict';

if (process.env.SUREPATCH_RUN !== undefined) {
  // The name is a string: jest copies the process object for each test file, but not what symbols name.
  Object.defineProperty(process, '__surepatch_record__', {
    configurable: true,
    value: (probe, context) => require('./recorder.cjs').hit(probe, context),
  });
  require('./loaded-modules.cjs').watch();
  require('./node-test.cjs').start();
  if (process.env.VITEST !== undefined) require('./children.cjs').nameTests();
  if (process.env.SUREPATCH_V8 !== undefined) require('./coverage.cjs').start();
}
