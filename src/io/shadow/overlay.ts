/**
 * The overlay tier: the changed files lie in an upper folder, and each run mounts it over the repository's own path in a
 * namespace of its own. Nothing is copied, no mount outlives a run, and nothing of ours is written into the real tree.
 */
import { lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { failure } from '../../model/failure.ts';
import { fail, ok, type Result } from '../../model/result.ts';
import type { RunWrapper } from '../../model/run.ts';
import type { ShadowFile, ShadowTree } from '../../model/shadow.ts';
import { captureWrapped } from '../run-isolation.ts';
import { findSystemProgram } from '../system-program.ts';
import { changedFiles, makeFolderLike, type ChangedFiles } from './changed-files.ts';
import { FELL_BACK, mountWrapper, type MountStep, type MountTools } from './mount-wrapper.ts';
import { upperLinksOut, type LinksOut } from './links-out.ts';
import { outsidePlaces, type OutsideLink } from './outside-places.ts';
import { realComponents } from './real-components.ts';
import { accessTo, makeShadowFolder } from './shadow-folder.ts';

export interface OverlayRequest {
  /** Real path of the root. */
  readonly root: string;
  readonly files: readonly ShadowFile[];
  readonly tools: MountTools;
  /** Folder in which the tree's own folder is made; on a file system that can hold an upper layer. */
  readonly base: string;
  /** Folders that links may lead to and that stay as they are. */
  readonly kept: readonly string[];
  /** The links of the whole tree, which are being looked for. */
  readonly links: Promise<LinksOut>;
  /** What was found to work in this process: the same mounts over the same root are tried once. */
  readonly tried: Map<string, readonly number[]>;
}

const LAYERS = 'layers';

/**
 * Prepares the tree and tries it out; fails with `SHADOW_UNAVAILABLE` where it cannot be mounted over this root. The upper
 * links are looked at before, the others by the time that a suite is to run.
 */
export async function openOverlay(request: OverlayRequest): Promise<Result<ShadowTree>> {
  const started = performance.now();
  const { root, files, base } = request;
  const folder = await makeShadowFolder(base);
  let keep = false;
  let changed: ChangedFiles | undefined;
  try {
    mkdirSync(join(folder.path, LAYERS));
    const lowers: string[] = [];
    addLayer(folder.path, lowers, root);
    changed = changedFiles(join(folder.path, LAYERS, '0', 'upper'), root);
    for (const { path, bytes, mode } of files) {
      const put = bytes === null ? realComponents(root, path) : changed.put(path, bytes, mode);
      if (!put.ok) return put;
    }
    const upper = await upperLinksOut(root);
    const opened = await mountable(request, folder.path, lowers, upper.links);
    if (!opened.ok) return opened;
    keep = true;
    const { notes, wrapper } = opened.value;
    const said = [...notes];
    let whole: Promise<Result<RunWrapper>> | undefined;
    const withAllLinks = async (): Promise<Result<RunWrapper>> => {
      const { links, notes: missed } = await request.links;
      const all = await mountable(request, folder.path, lowers, links);
      if (!all.ok) return all;
      said.splice(0, said.length, ...all.value.notes, ...missed);
      return ok(all.value.wrapper);
    };
    return ok({
      tier: 'overlay',
      reason: null,
      root,
      runFolder: folder.runFolder,
      preparedMs: performance.now() - started,
      notes: said,
      examinerWrapper: wrapper,
      suiteWrapper: () => (whole ??= withAllLinks()),
      ...accessTo(changed, folder),
    });
  } finally {
    if (!keep) {
      changed?.close();
      await folder.dispose();
    }
  }
}

/**
 * Makes the layers that are missing in `lowers` and tries the mounts out. Never while something runs in the tree, for two
 * mounts of one upper folder are undefined.
 */
async function mountable(
  request: OverlayRequest,
  folder: string,
  lowers: string[],
  links: readonly OutsideLink[],
): Promise<Result<{ readonly wrapper: RunWrapper; readonly notes: readonly string[] }>> {
  const { root, tools, base } = request;
  const { steps, notes } = planMounts(request, (lower) => addLayer(folder, lowers, lower), links);
  const wrapper = mountWrapper(tools, { root, base: folder, steps, what: 'an overlay over the repository' });
  const doubtful = foreignEntries(root, tools);
  const key = JSON.stringify([base, root, steps, doubtful]);
  const known = request.tried.get(key);
  const tried = known === undefined ? await tryOut(wrapper, tools, doubtful) : ok(known);
  if (!tried.ok) return tried;
  request.tried.set(key, tried.value);
  return ok({ wrapper, notes: [...notes, ...tried.value.map((number) => readOnlyNote(lowers[number] ?? root))] });
}

/** `layerOf` names the layer over a folder, relative to the tree's own. */
function planMounts(
  { root, files: changed, base, kept }: OverlayRequest,
  layerOf: (lower: string) => string,
  links: readonly OutsideLink[],
) {
  const { folders, files, mounts, tooBroad } = outsidePlaces(root, [base, ...kept], links);
  const inner = mounts.filter((path) => lstatSync(path).isDirectory());
  const innerFiles = mounts.filter((path) => !inner.includes(path));
  const lowers = [root, ...inner, ...folders];
  const alone = lowers.length === 1;
  // Each lower is reached by its own path before anything covers it; then outer places come before inner ones.
  const made = lowers.map((path): MountStep => {
    const layer = layerOf(path);
    return ['overlay', layer, alone ? path : `${layer}/merged`];
  });
  const moved = lowers
    .map((path): MountStep => ['move', `${layerOf(path)}/merged`, path])
    .sort(([, , one], [, , other]) => one.length - other.length);
  const closed = files.map((path): MountStep => ['readonly', path, path]);
  const removed = removals(root, changed);
  return {
    steps: alone ? [...made, ...removed, ...closed] : [...made, ...moved, ...removed, ...closed],
    notes: [
      ...files.map(readOnlyNote),
      ...innerFiles.map((path) => `${path} is mounted in the repository as a file; a run sees what lies under it.`),
      ...tooBroad.map((path) => `A link leads to ${path}, which holds too much to be kept from the tests.`),
    ],
  };
}

/** In each mount anew: a suite may have made the file again in the run before. */
function removals(root: string, files: readonly ShadowFile[]): readonly MountStep[] {
  const remover = findSystemProgram('rm') ?? 'rm';
  const gone = files.filter(({ bytes }) => bytes === null).map(({ path }) => realComponents(root, path));
  return gone.flatMap((place) => (place.ok ? [['remove', remover, join(root, ...place.value)] as const] : []));
}

function addLayer(folder: string, lowers: string[], lower: string): string {
  const known = lowers.indexOf(lower);
  const layer = `${LAYERS}/${known < 0 ? lowers.length : known}`;
  if (known >= 0) return layer;
  const path = join(folder, layer);
  mkdirSync(path);
  symlinkSync(lower, join(path, 'lower'));
  makeFolderLike(join(path, 'upper'), lower);
  mkdirSync(join(path, 'work'));
  mkdirSync(join(path, 'merged'));
  lowers.push(lower);
  return layer;
}

function readOnlyNote(path: string): string {
  return `${path}, which a link leads to, is read-only for the tests.`;
}

/**
 * Mounts the tree once and writes to what is in doubt; answers with the layers that could only be made read-only. Several
 * things decide that cannot be known in advance: the file system below, other mounts in it, who owns its files.
 */
async function tryOut(
  wrapper: RunWrapper,
  { shell }: MountTools,
  doubtful: readonly string[],
): Promise<Result<readonly number[]>> {
  const { stdout, stderr } = await captureWrapped(wrapper.prefix, [shell, '-c', TOUCH, 'sh', ...doubtful], shell);
  const complaints = stderr.split('\n').filter((line) => line !== '');
  const unavailable = (why: string) => fail(failure('SHADOW_UNAVAILABLE', why));
  if (stdout.trimEnd().split('\n').at(-1) !== '0') {
    return unavailable(`No overlay can be mounted here (${complaints[0] ?? 'without a word of the reason'}).`);
  }
  if (/Value too large|too large for defined data type/u.test(stdout)) {
    return unavailable(
      'Files here belong to users or groups that a user namespace does not know, and cannot be written.',
    );
  }
  const fallen = complaints.filter((line) => line.startsWith(FELL_BACK)).map((line) => Number(line.split('/').at(-1)));
  return ok(fallen);
}

/** `true` and not `:`, whose failed redirection would end the shell. */
const TOUCH = `exec 2>&1
for path; do
  if [ -d "$path" ]; then mkdir "$path/.surepatch-try" && rmdir "$path/.surepatch-try"; else true >> "$path"; fi
done
true`;
const MOST_DOUBTFUL = 20;

/** Entries of the upper level whose owner or group a user namespace does not map: writing them may be impossible there. */
function foreignEntries(root: string, { asUser }: MountTools): readonly string[] {
  if (!asUser) return [];
  const [uid, gid] = [process.geteuid?.(), process.getegid?.()];
  const isForeign = (path: string): boolean => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || (found.uid === uid && found.gid === gid)) return false;
    return found.isFile() || found.isDirectory();
  };
  const paths = [root, ...readdirSync(root).map((name) => join(root, name))];
  return paths.filter(isForeign).slice(0, MOST_DOUBTFUL);
}
