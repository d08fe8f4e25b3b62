/**
 * What V8 counted, of the changed files only, asked of the inspector of this process. A process that loaded no changed file
 * leaves nothing. `NODE_V8_COVERAGE` would write the counts of every module of every process, package managers included.
 */
'use strict';

const fs = require('node:fs');
const { join } = require('node:path');

const otherCopies = require('./other-copies.cjs');

const NO_TESTS = /(?:^|[\\/])(?:npm|npx|pnpm|yarn|corepack|tsc)(?:-cli)?(?:\.[cm]?js)?$/;
const INLINE_MAP = /\/\/[#@] sourceMappingURL=data:application\/json[^,]*;base64,([A-Za-z0-9+/=]+)\s*$/;

let session = null;
let isTesting = false;
const kept = [];

function start() {
  if (NO_TESTS.test(process.argv[1] ?? '')) return;
  session = connect();
  if (session === null) return;
  isTesting = process.env.SUREPATCH_TEST !== undefined;
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  process.on('exit', () => {
    keep();
    if (kept.length > 0) write();
    else otherCopies.note(loadedFiles());
  });
}

/** The first test begins: what ran until now ran while loading. Taking the counts sets them back to nothing. */
function testsBegin() {
  if (session === null || isTesting) return;
  keep();
  isTesting = true;
}

/** Node's test runner and some builds have no inspector: such a process is not measured, and its probes still tell. */
function connect() {
  const { Session } = require('node:inspector');
  const opened = new Session();
  try {
    opened.connect();
    return opened;
  } catch {
    return null;
  }
}

function keep() {
  if (require('./recorder.cjs').count() === 0) return;
  const phase = isTesting ? 'test' : 'load';
  const scripts = ask('Profiler.takePreciseCoverage', {})?.result ?? [];
  session.post('Debugger.enable');
  for (const script of scripts) kept.push(...changedFile(script).map((file) => ({ ...file, phase })));
  session.post('Debugger.disable');
}

function write() {
  const { threadId } = require('node:worker_threads');
  const path = join(process.env.SUREPATCH_RUN, 'coverage', `v8-${process.pid}-${threadId}.json`);
  fs.writeFileSync(path, JSON.stringify({ files: kept }));
}

/** Within one thread the inspector answers at once. */
function ask(method, parameters) {
  let answer;
  session.post(method, parameters, (_error, result) => (answer = result));
  return answer;
}

/** Cheaper than the counts, which are of no use where no changed file was loaded. */
function loadedFiles() {
  const paths = [];
  session.on('Debugger.scriptParsed', ({ params }) => paths.push(pathOf(params.url)));
  session.post('Debugger.enable');
  return paths;
}

function pathOf(url) {
  return url.startsWith('file://') ? require('node:url').fileURLToPath(url) : url;
}

function changedFile({ scriptId, url, functions }) {
  const path = pathOf(url);
  const inside = otherCopies.insideRoot(path);
  if (otherCopies.isOther(path)) return [{ other: path }];
  if (!otherCopies.isChanged(inside)) return [];
  const generated = ask('Debugger.getScriptSource', { scriptId })?.scriptSource;
  if (generated === undefined) return [];
  const encoded = INLINE_MAP.exec(generated)?.[1];
  const map = encoded === undefined ? null : JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'));
  return [{ path: inside, text: fs.readFileSync(path, 'utf8'), generated, map, functions }];
}

module.exports = { start, testsBegin };
