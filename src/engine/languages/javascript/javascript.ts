/** JavaScript, TypeScript and JSON: node:test, mocha, Vitest and jest, seen by an agent in every Node process of a run. */
import { posix } from 'node:path';
import type { Language } from '../language.ts';
import { detectSuite } from './detect.ts';
import { instrument } from './instrument.ts';
import { readCoverage } from './read-coverage.ts';
import { runnerOf } from './runner-command.ts';

const SOURCE = /\.(?:[mc]?[jt]s|[jt]sx)$/iu;
const TEST_FILE = /(?:^|[._-])(?:test|spec|e2e|cy)\.(?:[mc]?[jt]s|[jt]sx)$/iu;
const TEST_FOLDER = /^(?:__tests__|tests?|spec|e2e)$/u;

const STEERING = [
  /^(?:package\.json|tsconfig.*\.json|babel\.config\..+|\.babelrc.*|\.swcrc|\.npmrc|\.env.*)$/u,
  /^(?:vitest|vite|jest|mocha|ava|karma|playwright|cypress)\.(?:config|workspace|setup)\..+$/u,
  /^\.(?:mocharc|nycrc|c8rc|taprc).*$/u,
  /^(?:Makefile|makefile|GNUmakefile|justfile|Taskfile\.ya?ml)$/u,
];

/** As npm, pnpm, yarn and shells say it. */
const MISSING =
  /npx canceled due to missing packages|could not determine executable to run|Command "[^"\s]+" not found|Couldn't find a (?:script|binary) named|: (?:command )?not found$|Cannot find module '[^']*node_modules\/(?:jest|vitest|mocha|tsx)\//mu;

const owns = (path: string): boolean => SOURCE.test(path) || /\.jsonc?$/iu.test(path);

export const javascript: Language = {
  id: 'javascript',
  owns,
  isTestFile: (path) => {
    if (!SOURCE.test(path)) return false;
    const folders = posix.dirname(path).split('/');
    return TEST_FILE.test(posix.basename(path)) || folders.some((folder) => TEST_FOLDER.test(folder));
  },
  isNamedAsTest: (path) => TEST_FILE.test(posix.basename(path)),
  steersTests: (path) => {
    const parts = path.split('/');
    const inFolder = parts.slice(0, -1).some((part) => part === '__snapshots__' || part === '__mocks__');
    return inFolder || STEERING.some((pattern) => pattern.test(parts.at(-1) ?? ''));
  },
  examiner: (runtimeFolder) => ({
    interpreter: null,
    words: [posix.join(runtimeFolder, '../dist/examiners/javascript/main.js')],
  }),
  selectingRunners: [],
  missingRunner: (argv, project) =>
    runnerOf(argv, project).fetched.find((program) => !project.hasPackageProgram(program)) ?? null,
  saysMissing: (output) => MISSING.test(output),
  detect: detectSuite,
  instrument,
  readCoverage,
};
