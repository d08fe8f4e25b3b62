/**
 * The copy tier: the whole repository, dependencies and all, copied elsewhere. Where mounts can be made the real root, and
 * what links lead to, is read-only for the runs; where none can, the tree says what it does not keep safe.
 */
import {
  accessSync,
  constants,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { fail, ok, type Result } from '../../model/result.ts';
import type { RunWrapper } from '../../model/run.ts';
import type { ShadowFile, ShadowTree } from '../../model/shadow.ts';
import { errnoOf } from '../disk-error.ts';
import { captureWrapped } from '../run-isolation.ts';
import { changedFiles } from './changed-files.ts';
import { copyTree } from './copy-tree.ts';
import { mountWrapper, type MountStep, type MountTools } from './mount-wrapper.ts';
import type { LinksOut } from './links-out.ts';
import { outsidePlaces, type OutsideLink, type OutsidePlaces } from './outside-places.ts';
import { accessTo, makeShadowFolder, TREE_FOLDER, type ShadowFolder } from './shadow-folder.ts';

export interface CopyRequest {
  /** Real path of the root. */
  readonly root: string;
  readonly files: readonly ShadowFile[];
  /** What makes the real root read-only for a run; null where nothing does. */
  readonly tools: MountTools | null;
  /** Folder in which the copy is made; not inside the root. */
  readonly base: string;
  /** Folders that stay writable although links may lead to them. */
  readonly kept: readonly string[];
  /** The links of the whole tree, which are being looked for. */
  readonly links: Promise<LinksOut>;
  /** Why this is not an overlay. */
  readonly reason: string;
  readonly signal?: AbortSignal | undefined;
}

const MOST_NAMED = 10;

/** Copies and puts the changed files in. Fails with what the disk says, or `CANCELLED`; nothing is left then. */
export async function openCopy(request: CopyRequest): Promise<Result<ShadowTree>> {
  const started = performance.now();
  const folder = await makeShadowFolder(request.base);
  let keep = false;
  try {
    const opened = await fill(folder, request, started);
    keep = opened.ok;
    return opened;
  } finally {
    if (!keep) await folder.dispose();
  }
}

async function fill(folder: ShadowFolder, request: CopyRequest, started: number): Promise<Result<ShadowTree>> {
  const { root, files, tools, base, kept, reason, signal } = request;
  // Some tools go by the name of the folder.
  const tree = join(folder.path, TREE_FOLDER, basename(root));
  mkdirSync(dirname(tree));
  const copied = await copyTree({ from: root, to: tree, signal });
  if (copied.failure !== null) return fail(copied.failure);
  const { links, notes: missed } = await request.links;
  const outside = outsidePlaces(root, [base, ...kept], links);
  const wrapped = tools === null ? null : await guard(folder.path, tools, root, outside);
  const notes = [...missingNotes(copied.missing), ...missed];
  if (wrapped === null) {
    notes.push(`Nothing keeps the tests from writing to ${root} by its absolute path: no mount can be made here.`);
    notes.push(...(await bringIn(outside, { root, tree, signal })));
  } else notes.push(...closedNotes(outside));
  leadOut(tree, links);

  const changed = changedFiles(tree, root);
  for (const { path, bytes, mode } of files) {
    const put = bytes === null ? changed.remove(path) : changed.put(path, bytes, mode);
    if (put.ok) continue;
    changed.close();
    return put;
  }
  return ok({
    tier: 'copy',
    reason,
    root: tree,
    runFolder: folder.runFolder,
    preparedMs: performance.now() - started,
    notes,
    examinerWrapper: wrapped,
    suiteWrapper: () => Promise.resolve(ok(wrapped)),
    ...accessTo(changed, folder),
  });
}

/** The wrapper of the runs, tried once; null where the mounts it needs are refused. */
async function guard(
  base: string,
  tools: MountTools,
  root: string,
  outside: OutsidePlaces,
): Promise<RunWrapper | null> {
  const steps = [root, ...outside.folders, ...outside.files].map((path): MountStep => ['readonly', path, path]);
  const wrapper = mountWrapper(tools, { root, base, steps, what: 'the repository read-only' });
  const { stdout } = await captureWrapped(wrapper.prefix, [tools.shell, '-c', ':'], tools.shell);
  return stdout.trim() === '0' ? wrapper : null;
}

/** Takes copies of what links lead to in place of the links, because nothing else keeps it from the tests. */
async function bringIn(
  { links, tooBroad }: OutsidePlaces,
  { root, tree, signal }: { readonly root: string; readonly tree: string; readonly signal: AbortSignal | undefined },
): Promise<readonly string[]> {
  const notes = tooBroad.map((path) => `A link leads to ${path}, which nothing keeps from the tests.`);
  const left = new Set<string>();
  for (const { path, target } of links) {
    if (tooBroad.includes(target)) continue;
    const place = join(tree, path);
    const program = isProgram(target);
    if (program && isInterpreter(place)) {
      if (isWritable(target)) left.add(target);
      continue;
    }
    // A program finds its own files by where it lies, so one that is safe stays there.
    if (program && !isWritable(target)) continue;
    rmSync(place, { force: true });
    const { failure } = await copyTree({ from: target, to: place, signal });
    if (failure !== null) notes.push(`${join(root, path)} leads to ${target}, which could not be copied.`);
    else if (program)
      notes.push(`${path} is a copy of the program ${target}, which may look for its files beside itself.`);
  }
  return [
    ...notes,
    ...[...left].map((path) => `A link leads to the interpreter ${path}, which nothing keeps from the tests.`),
  ];
}

function isProgram(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && (found.mode & 0o111) !== 0;
}

/** The Python of a virtual environment: it finds its library by following this link. */
function isInterpreter(place: string): boolean {
  const isNamed = /^(?:python|pypy)[\d.]*$/u.test(basename(place));
  return isNamed && lstatSync(join(dirname(dirname(place)), 'pyvenv.cfg'), { throwIfNoEntry: false }) !== undefined;
}

/** By itself, or by another file in its place. */
function isWritable(path: string): boolean {
  return [path, dirname(path)].some((place) => {
    try {
      accessSync(place, constants.W_OK);
      return true;
    } catch (error) {
      if (['EACCES', 'EPERM', 'EROFS'].includes(errnoOf(error) ?? '')) return false;
      throw error;
    }
  });
}

/** A relative link out of the root would lead from the copy to another place than from the root. */
function leadOut(tree: string, links: readonly OutsideLink[]): void {
  for (const { path, target } of links) {
    const place = join(tree, path);
    const copied = lstatSync(place, { throwIfNoEntry: false });
    if (copied?.isSymbolicLink() !== true || isAbsolute(readlinkSync(place))) continue;
    rmSync(place);
    symlinkSync(target, place);
    lutimesSync(place, copied.atime, copied.mtime);
  }
}

function closedNotes({ folders, files, tooBroad }: OutsidePlaces): readonly string[] {
  return [
    ...[...folders, ...files].map((path) => `${path}, which belongs to the repository, is read-only for the tests.`),
    ...tooBroad.map((path) => `A link leads to ${path}, which holds too much to be kept from the tests.`),
  ];
}

function missingNotes(missing: readonly string[]): readonly string[] {
  if (missing.length === 0) return [];
  return [`${missing.length} entries could not be copied: ${missing.slice(0, MOST_NAMED).join('; ')}.`];
}
