/** JavaScript, TypeScript and JSON: node:test, mocha, Vitest and jest, seen by an agent in every Node process of a run. */
import { posix } from 'node:path';
import type { Language } from '../language.ts';
import { detectSuite } from './detect.ts';
import { instrument } from './instrument.ts';
import { readCoverage } from './read-coverage.ts';

const SOURCE = /\.(?:[mc]?[jt]s|[jt]sx)$/iu;
const TEST_FILE = /(?:^|[._-])(?:test|spec|e2e|cy)\.(?:[mc]?[jt]s|[jt]sx)$/iu;
const TEST_FOLDER = /^(?:__tests__|tests?|spec|e2e)$/u;

const owns = (path: string): boolean => SOURCE.test(path) || /\.jsonc?$/iu.test(path);

export const javascript: Language = {
  id: 'javascript',
  owns,
  isTestFile: (path) => {
    if (!SOURCE.test(path)) return false;
    const folders = posix.dirname(path).split('/');
    return TEST_FILE.test(posix.basename(path)) || folders.some((folder) => TEST_FOLDER.test(folder));
  },
  examiner: (runtimeFolder) => ['node', posix.join(runtimeFolder, '../dist/examiners/javascript/main.js')],
  detect: detectSuite,
  instrument,
  readCoverage,
};
