/** Python: pytest and unittest, seen by an agent in every interpreter of a run, with coverage.py as second witness. */
import { posix } from 'node:path';
import type { Instrumentation, Language, RunPlaces } from '../language.ts';
import { detectSuite } from './detect.ts';
import { readCoverage } from './read-coverage.ts';

const NAMED_AS_TEST = /^(?:test_.*|.*_test)\.py$/u;
const TEST_FILE = /^(?:test_.*|.*_test|tests?|conftest)\.py$/u;
const TEST_FOLDER = /^(?:tests?|testing)$/u;

const STEERING =
  /^(?:pytest\.ini|\.pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|noxfile\.py|conftest\.py|\.coveragerc|(?:site|user)customize\.py)$/u;

/** What an agent must be let through by tox, which hands on only what it is told to. */
const TOX_PASSES = 'testenv.pass_env+=PYTHONPATH,SUREPATCH_*';

const isModule = (path: string): boolean => /\.pyi?$/u.test(path);

export const python: Language = {
  id: 'python',
  // Of TOML only the syntax is looked at.
  owns: (path) => isModule(path) || path.endsWith('.toml'),
  isTestFile: (path) => {
    if (!isModule(path)) return false;
    const folders = posix.dirname(path).split('/');
    return TEST_FILE.test(posix.basename(path)) || folders.some((folder) => TEST_FOLDER.test(folder));
  },
  isNamedAsTest: (path) => NAMED_AS_TEST.test(posix.basename(path)),
  steersTests: (path) => STEERING.test(posix.basename(path)),
  examiner: (runtimeFolder) => ({
    interpreter: 'python3',
    words: ['-I', '-S', '-B', posix.join(runtimeFolder, 'python/examine.py')],
  }),
  selectingRunners: ['pytest'],
  missingRunner: () => null,
  saysMissing: (output) => /No module named '?(?:pytest|unittest|tox|nox)'?\s*$/mu.test(output),
  detect: detectSuite,
  instrument: (_argv, _project, places, environment) => instrument(places, environment),
  readCoverage,
};

/** The environment is enough, and reaches the interpreter through whatever starts it; the command stays as it is. */
function instrument(places: RunPlaces, environment: Readonly<Record<string, string>>): Instrumentation {
  const behind = (name: string, own: string, separator: string): string => {
    const given = environment[name] ?? '';
    return given === '' ? own : `${own}${separator}${given}`;
  };
  // The agent takes lines; a name that holds a line end it could not tell from two.
  const files = places.changedFiles.filter((path) => isModule(path) && !path.includes('\n'));
  return {
    arguments: [],
    environment: {
      PYTHONPATH: behind('PYTHONPATH', posix.join(places.runtimeFolder, 'python/site'), ':'),
      SUREPATCH_PYTHON: [places.root, ...files].join('\n'),
      TOX_OVERRIDE: behind('TOX_OVERRIDE', TOX_PASSES, ';'),
    },
  };
}
