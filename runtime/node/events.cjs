/** Writes test events, one JSON object a line, to a file of this process. */
'use strict';

const { appendFileSync } = require('node:fs');
const { join } = require('node:path');
const { threadId } = require('node:worker_threads');

const LONGEST = 4_000;
const path = join(process.env.SUREPATCH_RUN, 'tests', `${process.pid}-${threadId}-${process.hrtime.bigint()}.jsonl`);

function write(event) {
  appendFileSync(path, `${JSON.stringify(event)}\n`);
}

function session(runner, collected = null, deselected = null) {
  write({ event: 'session', runner, collected, deselected });
}

function test({ id, outcome, message = null, file = null, durationMs = null }) {
  write({ event: 'test', id: oneLine(id), outcome, message: shorten(message), file, durationMs });
}

function error(id, message) {
  write({ event: 'error', id: oneLine(id), message: shorten(message) ?? '' });
}

/** Ids are compared with those of probe hits, which stand on one line. */
function oneLine(id) {
  return id.replace(/[\t\r\n]+/g, ' ');
}

function shorten(message) {
  return message === null
    ? null
    : String(message)
        .replace(/\u001b\[[0-9;]*m/g, '')
        .slice(0, LONGEST);
}

module.exports = { error, session, test };
