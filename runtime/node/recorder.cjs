/**
 * Writes down that a probe was hit: one line for each probe, phase and test, at once, so that it survives whatever ends the
 * process. A hit that cannot be written is evidence that is missing, and never an error of the program under test.
 */
'use strict';

const { appendFileSync } = require('node:fs');
const { join } = require('node:path');
const { threadId } = require('node:worker_threads');
const { current, inherited } = require('./running-test.cjs');

const folder = join(process.env.SUREPATCH_RUN, 'probes');
// Whether the process was started by a test, and which it is, tells the reader what no coverage can have seen.
const kind = inherited === undefined ? '' : 'child-';
const path = join(folder, `${kind}${process.pid}-${threadId}-${process.hrtime.bigint()}`);

/** Test → probes that it hit; null stands for loading. */
const seen = new Map();
let hits = 0;

function hit(probe, context) {
  const test = current(context);
  let probes = seen.get(test);
  if (probes === undefined) seen.set(test, (probes = new Set()));
  if (probes.has(probe)) return;
  probes.add(probe);
  hits += 1;
  const id = (test ?? '').replace(/[\t\r\n]+/g, ' ');
  try {
    appendFileSync(path, `${probe}\t${test === null ? 'load' : 'test'}\t${id}\n`);
  } catch {
    probes.delete(probe);
  }
}

module.exports = { hit, count: () => hits };
