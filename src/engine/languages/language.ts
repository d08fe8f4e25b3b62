/**
 * What Surepatch must know of a language. An adapter describes commands and reads what they wrote; it runs nothing and
 * reads no file. Whatever it cannot do it says, and the verdict falls to UNPROVEN.
 */
import type { ExaminedFile } from '../../model/examination.ts';
import type { CoverageReading } from '../../model/suite.ts';
import type { Passing } from '../evidence/judge-parts.ts';

/** The files of a project that say how it is tested, read by the use-case: path relative to the root → text. */
export interface ProjectFacts {
  /** Text of a file of the root, if it exists and is small. */
  read(path: string): string | null;
  /** Names in a folder of the root, folders with a `/` at the end; empty where there is none. */
  list(folder: string): readonly string[];
  /** True when the program would be found as the project finds it. */
  hasProgram(name: string): boolean;
  /** True when npx would find the program without fetching it: in packages of the project or of the folders above. */
  hasPackageProgram(name: string): boolean;
}

export interface DetectedSuite {
  /** A command line as a caller would give it; it still has to pass the allowlist. */
  readonly command: string;
  /** The file and words that say so, for the report. */
  readonly because: string;
}

/** Places of one run, absolute. */
export interface RunPlaces {
  /** The root as the suite sees it. */
  readonly root: string;
  /** Parent of the folders in `model/suite.ts`. */
  readonly runFolder: string;
  /** Folder of the files that Surepatch brings for this language. */
  readonly runtimeFolder: string;
  /** Paths of the changed files, relative to the root. */
  readonly changedFiles: readonly string[];
}

export interface Instrumentation {
  /** Words added at the end of the command; empty where the environment is enough. */
  readonly arguments: readonly string[];
  /** Variables set for the run. Of `PYTHONPATH`-like lists: ours first, then what the command itself set. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A file of a run folder: path relative to it → bytes. */
export type RunFiles = ReadonlyMap<string, Uint8Array>;

export interface Language {
  readonly id: string;
  /** True for source files of this language; their syntax, imports and coverage are this adapter's. */
  owns(path: string): boolean;
  /** True for files that may be tests by the language's conventions, helpers in folders of tests among them. */
  isTestFile(path: string): boolean;
  /** True for files that a runner takes for tests by their own name, whatever folder they are in. */
  isNamedAsTest(path: string): boolean;
  /** True for what decides which tests run, or how: configuration, set-up, fixtures. */
  steersTests(path: string): boolean;
  /** What examines a change, before the path of the request file. */
  examiner(runtimeFolder: string): {
    /** Looked up as the project would; null for the program that runs Surepatch itself. */
    readonly interpreter: string | null;
    readonly words: readonly string[];
  };
  /** How the project is tested, by its own files; null where they do not say. Never guesses a runner that is not installed. */
  detect(project: ProjectFacts): DetectedSuite | null;
  /** How to see what the command runs. `argv` is the allowed command, without assignments. Called for every language, whatever the command is. */
  instrument(
    argv: readonly string[],
    project: ProjectFacts,
    places: RunPlaces,
    environment: Readonly<Record<string, string>>,
  ): Instrumentation;
  /** Runners whose agent runs only the tests that `ONLY_VARIABLE` names. */
  readonly selectingRunners: readonly string[];
  /** The runner that the command would first have to fetch, where that can be told; nothing is ever fetched. */
  missingRunner(argv: readonly string[], project: ProjectFacts): string | null;
  /** True where the output of a failed command says that its runner is not installed. */
  saysMissing(output: string): boolean;
  /** What this language's coverage source saw of its changed files, counting in bodies what passing tests ran. */
  readCoverage(
    files: RunFiles,
    examined: readonly ExaminedFile[],
    places: RunPlaces,
    isPassing: Passing,
  ): CoverageReading;
}
