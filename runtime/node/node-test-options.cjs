/** Which options put our reporter beside those that the command asks for; the runner wants a destination for each. */
'use strict';

const { devNull } = require('node:os');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const OURS = pathToFileURL(join(__dirname, 'node-test-reporter.mjs')).href;

/** Returns null where this version takes no reporter from the environment, or the command is wrong by itself. */
function reporterOptions(words, version, isTerminal) {
  const [major, minor] = version.split('.').map(Number);
  if (major < 18 || (major === 18 && minor < 15) || (major === 19 && minor < 6)) return null;
  const count = (name) => words.filter((word) => word === name || word.startsWith(`${name}=`)).length;
  const reporters = count('--test-reporter');
  const destinations = count('--test-reporter-destination');
  const ours = [`--test-reporter=${OURS}`, `--test-reporter-destination=${devNull}`];
  if (reporters === destinations && reporters > 0) return ours;
  if (destinations > 0 || reporters > 1) return null;
  const toTerminal = '--test-reporter-destination=stdout';
  if (reporters === 1) return [...ours, toTerminal];
  const usual = major >= 23 || isTerminal === true ? 'spec' : 'tap';
  return [...ours, `--test-reporter=${usual}`, toTerminal];
}

module.exports = { reporterOptions };
