/**
 * The copy tier: the whole repository, dependencies and all, copied elsewhere. Where mounts can be made the real root, and
 * what links lead to, is read-only for the runs; where none can, the tree says what it does not keep safe.
 */
import { lstatSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fail, ok, type Result } from '../../model/result.ts';
import type { RunWrapper } from '../../model/run.ts';
import type { ShadowFile, ShadowTree } from '../../model/shadow.ts';
import { captureWrapped } from '../run-isolation.ts';
import { copyTree } from './copy-tree.ts';
import { mountWrapper, type MountStep, type MountTools } from './mount-wrapper.ts';
import { outsidePlaces, type OutsidePlaces } from './outside-places.ts';
import { realComponents } from './real-components.ts';
import { makeShadowFolder, TREE_FOLDER, type ShadowFolder } from './shadow-folder.ts';
import { readRegular, writeLike } from './upper-layer.ts';

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
  const outside = outsidePlaces(root, [base, ...kept]);
  const wrapped = tools === null ? null : await guard(folder.path, tools, root, outside);
  const notes = [...missingNotes(copied.missing)];
  if (wrapped === null) {
    notes.push(`Nothing keeps the tests from writing to ${root} by its absolute path: no mount can be made here.`);
    notes.push(...(await bringIn(outside, { root, tree, signal })));
  } else notes.push(...closedNotes(outside));

  const places = new Map<string, readonly string[]>();
  const put = (path: string, bytes: Uint8Array, mode: number | null): Result<null> => {
    const at = realComponents(root, path);
    if (!at.ok) return at;
    places.set(path, at.value);
    writeInto(tree, at.value, { like: root, bytes, mode });
    return ok(null);
  };
  for (const { path, bytes, mode } of files) {
    const written = put(path, bytes, mode);
    if (!written.ok) return written;
  }
  return ok({
    tier: 'copy',
    reason,
    root: tree,
    runFolder: folder.runFolder,
    preparedMs: performance.now() - started,
    notes,
    wrapper: wrapped,
    write: (path, bytes) => {
      const written = put(path, bytes, null);
      if (!written.ok) throw new Error(written.failure.message);
    },
    read: (path) => {
      const at = places.get(path);
      if (at === undefined) throw new Error(`${path} is no changed file of this tree`);
      return readRegular(join(tree, ...at));
    },
    dispose: folder.dispose,
  });
}

/** Writes one file and leaves the folders above it as they look in the original. */
function writeInto(
  tree: string,
  components: readonly string[],
  { like, bytes, mode }: { readonly like: string; readonly bytes: Uint8Array; readonly mode: number | null },
): void {
  const folder = join(tree, ...components.slice(0, -1));
  const isNew = lstatSync(join(tree, ...components), { throwIfNoEntry: false }) === undefined;
  mkdirSync(folder, { recursive: true });
  const { atime, mtime } = lstatSync(folder);
  writeLike(join(tree, ...components), join(like, ...components), bytes, mode);
  if (!isNew) utimesSync(folder, atime, mtime);
}

/** The wrapper of the runs, tried once; null where the mounts it needs are refused. */
async function guard(
  base: string,
  tools: MountTools,
  root: string,
  outside: OutsidePlaces,
): Promise<RunWrapper | null> {
  const steps = [root, ...outside.folders, ...outside.files].map((path): MountStep => ['readonly', path, path]);
  const wrapper = mountWrapper(tools, { base, steps, what: 'the repository read-only' });
  const { stdout } = await captureWrapped(wrapper.prefix, [tools.shell, '-c', ':'], tools.shell);
  return stdout.trim() === '0' ? wrapper : null;
}

/** Takes copies of what links lead to in place of the links, because nothing else keeps it from the tests. */
async function bringIn(
  { links, tooBroad }: OutsidePlaces,
  { root, tree, signal }: { readonly root: string; readonly tree: string; readonly signal: AbortSignal | undefined },
): Promise<readonly string[]> {
  const notes = tooBroad.map((path) => `A link leads to ${path}, which nothing keeps from the tests.`);
  for (const { path, target } of links) {
    if (tooBroad.includes(target)) continue;
    const place = join(tree, path);
    rmSync(place);
    const { failure } = await copyTree({ from: target, to: place, signal });
    if (failure !== null) notes.push(`${join(root, path)} leads to ${target}, which could not be copied.`);
  }
  return notes;
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
