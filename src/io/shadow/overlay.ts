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
import { changedFiles, makeFolderLike, type ChangedFiles } from './changed-files.ts';
import { FELL_BACK, mountWrapper, type MountStep, type MountTools } from './mount-wrapper.ts';
import { outsidePlaces } from './outside-places.ts';
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
  /** What was found to work in this process: the same mounts over the same root are tried once. */
  readonly tried: Map<string, readonly number[]>;
}

const LAYERS = 'layers';

/** Prepares the tree and tries it out; fails with `SHADOW_UNAVAILABLE` where it cannot be mounted over this root. */
export async function openOverlay(request: OverlayRequest): Promise<Result<ShadowTree>> {
  const started = performance.now();
  const { root, files, tools, base } = request;
  const folder = await makeShadowFolder(base);
  let keep = false;
  let changed: ChangedFiles | undefined;
  try {
    const { steps, layers, notes } = planMounts(request);
    mkdirSync(join(folder.path, LAYERS));
    layers.forEach((lower, number) => {
      makeLayer(join(folder.path, LAYERS, `${number}`), lower);
    });
    changed = changedFiles(join(folder.path, LAYERS, '0', 'upper'), root);
    for (const { path, bytes, mode } of files) {
      const put = changed.put(path, bytes, mode);
      if (!put.ok) return put;
    }
    const wrapper = mountWrapper(tools, { root, base: folder.path, steps, what: 'an overlay over the repository' });
    const doubtful = foreignEntries(root, tools);
    const key = JSON.stringify([base, root, steps, doubtful]);
    const known = request.tried.get(key);
    const tried = known === undefined ? await tryOut(wrapper, tools, doubtful) : ok(known);
    if (!tried.ok) return tried;
    request.tried.set(key, tried.value);
    keep = true;
    return ok({
      tier: 'overlay',
      reason: null,
      root,
      runFolder: folder.runFolder,
      preparedMs: performance.now() - started,
      notes: [...notes, ...tried.value.map((number) => readOnlyNote(layers[number] ?? root))],
      wrapper,
      ...accessTo(changed, folder),
    });
  } finally {
    if (!keep) {
      changed?.close();
      await folder.dispose();
    }
  }
}

function planMounts({ root, base, kept }: OverlayRequest) {
  const { folders, files, mounts, tooBroad } = outsidePlaces(root, [base, ...kept]);
  const inner = mounts.filter((path) => lstatSync(path).isDirectory());
  const innerFiles = mounts.filter((path) => !inner.includes(path));
  const layers = [root, ...inner, ...folders];
  const alone = layers.length === 1;
  // Each lower is reached by its own path before anything covers it; then outer places come before inner ones.
  const made = layers.map((path, number): MountStep => {
    const layer = `${LAYERS}/${number}`;
    return ['overlay', layer, alone ? path : `${layer}/merged`];
  });
  const moved = layers
    .map((path, number): MountStep => ['move', `${LAYERS}/${number}/merged`, path])
    .sort(([, , one], [, , other]) => one.length - other.length);
  const closed = files.map((path): MountStep => ['readonly', path, path]);
  return {
    layers,
    steps: alone ? [...made, ...closed] : [...made, ...moved, ...closed],
    notes: [
      ...files.map(readOnlyNote),
      ...innerFiles.map((path) => `${path} is mounted in the repository as a file; a run sees what lies under it.`),
      ...tooBroad.map((path) => `A link leads to ${path}, which holds too much to be kept from the tests.`),
    ],
  };
}

function makeLayer(folder: string, lower: string): void {
  mkdirSync(folder);
  symlinkSync(lower, join(folder, 'lower'));
  makeFolderLike(join(folder, 'upper'), lower);
  mkdirSync(join(folder, 'work'));
  mkdirSync(join(folder, 'merged'));
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
