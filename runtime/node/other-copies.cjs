/**
 * Notes loaded files that have the name of a changed one: a build or a linked copy of it may be what was tested. What lies in
 * `node_modules` is never noted: names are too often the same there.
 */
'use strict';

const { appendFileSync } = require('node:fs');
const { basename, isAbsolute, join, relative, sep } = require('node:path');

const changed = (process.env.SUREPATCH_CHANGED ?? '').split('\n').filter((path) => path !== '');
const names = new Set(changed.map(nameOf));
const noted = new Set();

/** The name without what a compiler changes of it. */
function nameOf(path) {
  return basename(path.split('?')[0]).replace(/\.[^.]+$/, '');
}

function insideRoot(path) {
  return relative(process.env.SUREPATCH_ROOT ?? '', path)
    .split(sep)
    .join('/');
}

function isChanged(inside) {
  return changed.includes(inside);
}

function isOther(path) {
  const isNamed = isAbsolute(path) && names.has(nameOf(path)) && !path.includes(`${sep}node_modules${sep}`);
  return isNamed && !isChanged(insideRoot(path));
}

function note(paths) {
  const found = [...new Set(paths)].filter((path) => isOther(path) && !noted.has(path));
  if (found.length === 0) return;
  for (const path of found) noted.add(path);
  const { threadId } = require('node:worker_threads');
  const place = join(process.env.SUREPATCH_RUN, 'coverage', `others-${process.pid}-${threadId}`);
  appendFileSync(place, found.map((path) => `${path}\n`).join(''));
}

module.exports = { insideRoot, isChanged, isOther, note };
