/**
 * The folder of one instrumented run: made empty for the runtime agents before it, read whole after it. What a suite may
 * have put there is data: links are not followed, and what is too much is not read.
 */
import { closeSync, constants, fstatSync, mkdirSync, openSync, readdirSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from './disk-error.ts';
import { COVERAGE_FOLDER, PROBES_FOLDER, TESTS_FOLDER } from '../model/suite.ts';

/** Coverage of a large suite is tens of megabytes; more than this is no evidence but a flood. */
const MOST_BYTES = 512 * 1024 * 1024;
const MOST_FILES = 20_000;

export interface RunFileSet {
  /** Path relative to the run's folder → bytes. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** False where something was too large, or could not be read, and was left out. */
  readonly isComplete: boolean;
}

/** Makes the folder of a run below `parent` and returns its path; throws where it exists. */
export function makeRunFolder(parent: string, name: string): string {
  const path = join(parent, name);
  mkdirSync(path);
  for (const folder of [TESTS_FOLDER, PROBES_FOLDER, COVERAGE_FOLDER]) mkdirSync(join(path, folder));
  return path;
}

/** Writes a request for a program of ours beside its run. */
export function writeRequest(path: string, request: unknown): void {
  writeFileSync(path, JSON.stringify(request), { flag: 'wx', mode: 0o600 });
}

/** Writes the ids of the only tests of a run, and returns the path of that file. */
export function writeOnly(folder: string, ids: readonly string[]): string {
  const path = join(folder, 'only');
  writeFileSync(path, ids.map((id) => `${id}\n`).join(''), { flag: 'wx', mode: 0o600 });
  return path;
}

/** Reads everything that the agents of a run wrote. */
export function readRunFiles(folder: string): RunFileSet {
  const files = new Map<string, Buffer>();
  let [bytes, isComplete] = [0, true];
  const ahead = [TESTS_FOLDER, PROBES_FOLDER, COVERAGE_FOLDER];
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    const entries = entriesOf(join(folder, at));
    if (entries === null) isComplete = false;
    for (const entry of entries ?? []) {
      const path = `${at}/${entry.name}`;
      if (entry.isDirectory()) {
        ahead.push(path);
        continue;
      }
      const content = files.size < MOST_FILES ? readBounded(join(folder, path), MOST_BYTES - bytes) : null;
      if (content === null) isComplete = false;
      else files.set(path, content);
      bytes += content?.byteLength ?? 0;
    }
  }
  return { files, isComplete };
}

/** Null for a folder that the suite removed, or made unreadable. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes(errnoOf(error) ?? '')) return null;
    throw error;
  }
}

/** The last line that a program of ours printed, whatever stands before it. */
export function readLastLine(outputPath: string): string {
  const text = (readBounded(outputPath, MOST_BYTES) ?? Buffer.alloc(0)).toString('utf8').trimEnd();
  return text.slice(text.lastIndexOf('\n') + 1);
}

/** Null for what is no regular file, or larger than `most`. */
function readBounded(path: string, most: number): Buffer | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // A link, or gone since it was listed; the caller counts it as missing.
    return null;
  }
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile() || facts.size > most) return null;
    const bytes = Buffer.alloc(facts.size);
    let done = 0;
    for (let count = 1; count > 0 && done < bytes.byteLength; done += count) {
      count = readSync(descriptor, bytes, done, bytes.byteLength - done, done);
    }
    return bytes.subarray(0, done);
  } finally {
    closeSync(descriptor);
  }
}
