/** Keeps the texts of the changed files as the run sees them: with probes, whose places the coverage is about. */
'use strict';

const fs = require('node:fs');
const { join } = require('node:path');

function keepSources() {
  const paths = (process.env.SUREPATCH_CHANGED ?? '').split('\n').filter((path) => path !== '');
  const found = paths.map((path) => [path, join(process.env.SUREPATCH_ROOT ?? '', path)]);
  const texts = found.filter(([, at]) => fs.existsSync(at)).map(([path, at]) => [path, fs.readFileSync(at, 'utf8')]);
  const place = join(process.env.SUREPATCH_RUN, 'coverage', 'sources.json');
  fs.writeFileSync(place, JSON.stringify(Object.fromEntries(texts)));
}

/** Whether a runner measures for us, and not (or not only) for the project, into a folder of its own. */
function keepSettings(runner, isMeasuring, folder) {
  const isOurs = typeof folder === 'string' && folder.startsWith(process.env.SUREPATCH_RUN);
  const place = join(process.env.SUREPATCH_RUN, 'coverage', `${runner}.json`);
  fs.writeFileSync(place, JSON.stringify({ enabled: isMeasuring === true && isOurs }));
}

module.exports = { keepSettings, keepSources };
