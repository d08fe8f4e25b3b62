/**
 * Turns the first word of a command into one absolute program, looked up once. Never a file that the repository could have
 * placed on PATH: of the project's own folders only its virtual environment and node_modules/.bin count, and they are named.
 */
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { FoundProgram, ProgramOrigin } from '../model/run.ts';
import { isInside } from '../model/inside.ts';
import { errnoOf } from './disk-error.ts';
import { realPathOf } from './real-path.ts';
import { trustedFolders } from './search-path.ts';

export interface ProgramLookup {
  /** Absolute real path of the root. */
  readonly root: string;
  /** The value of PATH, as inherited. */
  readonly path: string | undefined;
  /** The value of PATHEXT on Windows. */
  readonly pathExtensions?: string | undefined;
  readonly platform?: NodeJS.Platform | undefined;
  /** Nothing of the project counts, not its virtual environment either: for tools that Surepatch itself runs, such as git. */
  readonly pathOnly?: boolean | undefined;
  /** The operator wrote this command, so any program inside the root may be named by its relative path. */
  readonly operatorNamed?: boolean | undefined;
}

interface Place {
  readonly folder: string;
  readonly origin: ProgramOrigin;
}

/** Finds the program a word means; fails with PROGRAM_NOT_FOUND and says where it was looked for. */
export function findProgram(name: string, lookup: ProgramLookup): Result<FoundProgram> {
  if (name === '' || name.includes('\0')) return fail(failure('PROGRAM_NOT_FOUND', 'The command names no program.'));
  return /[/\\]/.test(name) ? findNamedPath(name, lookup) : findBareName(name, lookup);
}

function findBareName(name: string, lookup: ProgramLookup): Result<FoundProgram> {
  const onPath = trustedFolders(lookup).map((folder): Place => ({ folder, origin: 'path' }));
  const places =
    lookup.pathOnly === true ? onPath : [...virtualEnvironments(lookup), ...onPath, ...nodeModules(lookup)];
  for (const { folder, origin } of places) {
    const found = executableAt(path.join(folder, name), lookup, origin === 'path');
    if (found !== null) return ok({ path: found, origin });
  }
  const trusted = 'the trusted folders of PATH';
  const where =
    lookup.pathOnly === true ? trusted : `the project's virtual environment, ${trusted} and node_modules/.bin`;
  return fail(
    failure('PROGRAM_NOT_FOUND', `No program named "${name}" in ${where}.`, {
      hint: `Install ${name} for this project or this machine. PATH entries that are relative or inside the root are not used.`,
    }),
  );
}

function findNamedPath(name: string, lookup: ProgramLookup): Result<FoundProgram> {
  const place = path.resolve(lookup.root, name);
  const own = [...virtualEnvironments(lookup), ...nodeModules(lookup)].find(
    ({ folder }) => path.dirname(place) === folder,
  );
  const allowed = lookup.pathOnly !== true && !path.isAbsolute(name) && isInside(lookup.root, place);
  const origin = own?.origin ?? (lookup.operatorNamed === true ? 'operator' : undefined);
  if (allowed && origin !== undefined) {
    const found = executableAt(place, lookup, false);
    const real = found === null ? null : realPathOf(found);
    // A virtual environment's python is a link to the system's; a program the operator named must itself be in the root.
    const inRoot = real !== null && isInside(realPathOf(lookup.root) ?? lookup.root, real);
    if (found !== null && (origin !== 'operator' || inRoot)) return ok({ path: found, origin });
  }
  return fail(
    failure('PROGRAM_NOT_FOUND', `"${name}" is not a program that may be run by its path.`, {
      hint: 'Use the bare name (such as pytest), or .venv/bin/NAME, venv/bin/NAME or node_modules/.bin/NAME of the root.',
    }),
  );
}

/** Lists the bin folders of .venv and venv; a folder without its marker file is not a virtual environment. */
function virtualEnvironments({ root, platform = process.platform }: ProgramLookup): Place[] {
  return ['.venv', 'venv']
    .filter((name) => isRegularFile(path.join(root, name, 'pyvenv.cfg')))
    .map((name) => ({
      folder: path.join(root, name, platform === 'win32' ? 'Scripts' : 'bin'),
      origin: 'virtual_environment',
    }));
}

function nodeModules({ root }: ProgramLookup): Place[] {
  return [{ folder: path.join(root, 'node_modules', '.bin'), origin: 'node_modules' }];
}

/** Returns the path if it is a regular file that may be executed, trying PATHEXT on Windows; null otherwise. */
function executableAt(place: string, lookup: ProgramLookup, mustBeOutside: boolean): string | null {
  const windows = (lookup.platform ?? process.platform) === 'win32';
  const extensions = windows ? (lookup.pathExtensions ?? '.COM;.EXE;.BAT;.CMD').split(';') : [];
  const candidates = extensions.length > 0 && path.extname(place) === '' ? extensions.map((e) => place + e) : [place];
  return (
    candidates.find((candidate) => isExecutable(candidate) && !(mustBeOutside && leadsInside(candidate, lookup))) ??
    null
  );
}

/** A link on PATH may lead back into the repository, as `npm link` makes them. */
function leadsInside(candidate: string, { root }: ProgramLookup): boolean {
  const real = realPathOf(candidate);
  return real === null || isInside(realPathOf(root) ?? root, real);
}

function isExecutable(place: string): boolean {
  if (!isRegularFile(place)) return false;
  try {
    accessSync(place, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isRegularFile(place: string): boolean {
  try {
    return statSync(place, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch (error) {
    // A file stands where a folder is usual, or nobody of us may look into the folder.
    if (['ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG'].includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
}
